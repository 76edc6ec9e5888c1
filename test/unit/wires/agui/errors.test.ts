import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import { aguiError } from "../../../../src/wires/agui/errors.ts";

async function told(thrown: unknown): Promise<[number, unknown, string | null]> {
  const response = aguiError(thrown, "req-1");
  return [response.status, await response.json(), response.headers.get("content-type")];
}

describe("what is thrown before the stream", () => {
  test.each([
    ["unauthorized", 401],
    ["not_found", 404],
    ["invalid_body", 400],
    ["body_too_large", 413],
    ["unsupported_media_type", 415],
    ["configuration_invalid", 503],
  ] as const)("%s is a RUN_ERROR under %i", async (code, status) => {
    expect(await told(new HttpError(code, "Why."))).toEqual([
      status,
      { type: "RUN_ERROR", message: "Why.", code },
      "application/json",
    ]);
  });

  test("keeps its headers", () => {
    const error = new HttpError("unauthorized", "No.", { headers: { "www-authenticate": "Bearer" } });
    expect(aguiError(error, "r").headers.get("www-authenticate")).toBe("Bearer");
  });

  test("as a turn's failure has the status of its code", async () => {
    const failure = { code: "unknown_agent", message: "There is no agent.", retryable: false };
    expect((await told(failure)).slice(0, 2)).toEqual([
      404,
      { type: "RUN_ERROR", message: "There is no agent.", code: "unknown_agent" },
    ]);
  });

  test.each([new Error("the secret"), new TypeError("x"), null, "text", { code: 7 }])(
    "and foreseen by nobody says nothing of itself: %s",
    async (thrown) => {
      const [status, body] = await told(thrown);
      expect(status).toBe(500);
      expect(body).toEqual({
        type: "RUN_ERROR",
        message: "Something went wrong on our side. Quote the request id req-1 when you report it.",
        code: "internal_error",
      });
    },
  );
});
