import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";

const refusal = (variables: Parameters<typeof readConfig>[0]) => readConfig(variables).problems;

describe("readConfig", () => {
  it("has a default for everything", () => {
    expect(readConfig({})).toEqual({
      config: {
        tokens: [],
        allowedOrigins: [
          "http://127.0.0.1:8787",
          "http://localhost:8787",
          "http://127.0.0.1:5173",
          "http://localhost:5173",
          "http://127.0.0.1:4321",
          "http://localhost:4321",
        ],
        maxBody: 8_388_608,
        maxDomain: 33_554_432,
        allowedHosts: [],
        sessionTtlMs: 30 * 24 * 3_600_000,
        runTtlMs: 30 * 24 * 3_600_000,
        heartbeatMs: 5_000,
      },
      problems: [],
    });
  });

  it("takes empty for unset", () => {
    const empty = {
      AGENT_HTTP_TOKEN: "",
      AGENT_ALLOWED_ORIGINS: "",
      AGENT_MAX_BODY: "",
      AGENT_MAX_DOMAIN: "",
      AGENT_ALLOWED_HOSTS: "",
    };
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it("reads lists and sizes", () => {
    const { config, problems } = readConfig({
      AGENT_HTTP_TOKEN: "one, two",
      AGENT_ALLOWED_ORIGINS: "https://a.example, HTTPS://B.example:443/ ,http://c.example:8080",
      AGENT_MAX_BODY: " 300000 ",
      AGENT_MAX_DOMAIN: "104857600",
      AGENT_ALLOWED_HOSTS: "Agent.Internal, 10.0.0.5:3000, 0xa.6, plain.example:80, [FD00:0::5]:9000",
      AGENT_SESSION_TTL_HOURS: "24",
      AGENT_RUN_TTL_HOURS: "48",
      AGENT_HEARTBEAT_MS: "500",
    });
    expect(problems).toEqual([]);
    expect(config).toEqual({
      tokens: ["one", "two"],
      allowedOrigins: ["https://a.example", "https://b.example", "http://c.example:8080"],
      maxBody: 300_000,
      maxDomain: 104_857_600,
      allowedHosts: ["agent.internal", "10.0.0.5:3000", "10.0.0.6", "plain.example:80", "[fd00::5]:9000"],
      sessionTtlMs: 86_400_000,
      runTtlMs: 172_800_000,
      heartbeatMs: 500,
    });
  });

  it.each([
    ["AGENT_SESSION_TTL_HOURS", "0", 'must be a whole number from 1 to 87600; got "0".'],
    ["AGENT_HEARTBEAT_MS", "soon", 'must be a whole number from 100 to 60000; got "soon".'],
  ])("refuses %s=%s", (variable, value, must) => {
    expect(refusal({ [variable]: value })).toEqual([{ variable, message: `${variable} ${must}` }]);
  });

  it.each(["one,,two", "one,", " ", "two words", "schlüssel", "a\tb"])(
    "refuses the tokens %j without quoting them",
    (value) => {
      const problems = refusal({ AGENT_HTTP_TOKEN: value });
      expect(problems).toEqual([
        {
          variable: "AGENT_HTTP_TOKEN",
          message:
            "AGENT_HTTP_TOKEN must be one or several tokens of printable ASCII without spaces, separated by commas, none of them empty.",
        },
      ]);
    },
  );

  it.each([
    "*",
    "null",
    "a.example",
    "https://a.example/path",
    "https://a.example?x",
    "https://u@a.example",
    "ftp://a.example",
    "https://a.example,,",
    "https://a.example/#",
  ])("refuses the origin %j", (value) => {
    const [problem] = refusal({ AGENT_ALLOWED_ORIGINS: value });
    expect(problem?.variable).toBe("AGENT_ALLOWED_ORIGINS");
    expect(problem?.message).toMatch(
      /^AGENT_ALLOWED_ORIGINS must be origins such as https:\/\/app\.example\.com.*got "/,
    );
  });

  it.each(["0", "-1", "1.5", "1e6", "0x10", "1MB", "٣", "104857601", "999999999999999999999"])(
    "refuses the size %j",
    (value) => {
      expect(refusal({ AGENT_MAX_BODY: value })).toEqual([
        {
          variable: "AGENT_MAX_BODY",
          message: `AGENT_MAX_BODY must be a whole number of bytes from 1 to 104857600; got ${JSON.stringify(value)}.`,
        },
      ]);
    },
  );

  it.each([
    "https://a.example",
    "a.example/path",
    "user@a.example",
    "a b",
    "a.example:99999",
    "[::1",
    "a,,b",
    "*",
  ])("refuses the host %j", (value) => {
    const [problem] = refusal({ AGENT_ALLOWED_HOSTS: value });
    expect(problem?.message).toMatch(/^AGENT_ALLOWED_HOSTS must be hosts such as/);
  });

  it("lists every refused variable at once", () => {
    const problems = refusal({ AGENT_MAX_BODY: "x", AGENT_MAX_DOMAIN: "y", AGENT_ALLOWED_ORIGINS: "*" });
    expect(problems.map(({ variable }) => variable)).toEqual([
      "AGENT_ALLOWED_ORIGINS",
      "AGENT_MAX_BODY",
      "AGENT_MAX_DOMAIN",
    ]);
  });
});
