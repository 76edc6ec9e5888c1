import { describe, expect, it } from "vitest";
import { failureLine, redact, secretsOf } from "../../../src/http/log.ts";

const about = { requestId: "r1", method: "POST", route: "/api/rehearsals" };

describe("secretsOf", () => {
  it("takes every token and key, and what was presented", () => {
    const env = {
      AGENT_HTTP_TOKEN: "tok-one, tok-two",
      OPENAI_API_KEY: "sk-1234",
      AGENT_MAX_BODY: "100000",
      DB: { prepare: 1 },
    };
    expect(secretsOf(env, ["presented", "abc"])).toEqual(["tok-one", "tok-two", "sk-1234", "presented"]);
  });
});

describe("redact", () => {
  it("replaces secrets wherever they stand, and bearer credentials it does not know", () => {
    expect(redact("a canary-1 b canary-1, Bearer unknown-9 and x-api-key: other-9", ["canary-1"])).toBe(
      "a [redacted] b [redacted], Bearer [redacted] and x-api-key: [redacted]",
    );
  });

  it("is bounded", () => {
    expect(redact("x".repeat(10_000), [])).toHaveLength(501);
  });
});

describe("failureLine", () => {
  it("says what failed and where, without secrets", () => {
    const error = new Error("refused canary-1", { cause: new TypeError("inner canary-1") });
    const line = failureLine(error, about, ["canary-1"]);
    expect(line).not.toContain("canary-1");
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      event: "request_failed",
      ...about,
      error: {
        name: "Error",
        message: "refused [redacted]",
        cause: { name: "TypeError", message: "inner [redacted]" },
      },
    });
  });

  it("leaves out the message of a parser, which quotes the body", () => {
    const line = failureLine(parseFailure("canary-body"), about, []);
    expect(line).not.toContain("canary");
    expect(JSON.parse(line).error.name).toBe("SyntaxError");
  });

  it("is one line whatever was thrown", () => {
    for (const thrown of ["text\nmore", null, 7, new Error("two\nlines")]) {
      expect(failureLine(thrown, about, [])).not.toContain("\n");
    }
  });
});

function parseFailure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
