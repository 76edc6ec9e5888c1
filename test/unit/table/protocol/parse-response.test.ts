import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentHttpResponse } from "../../../../src/table/protocol/parse-response.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";

function reply(over: JsonObject = {}): JsonObject {
  return { schemaVersion: "adapttable.agent.v1", ...over };
}

function calls(count: number, name: string): Json {
  return Array.from({ length: count }, (_, index) => ({ id: `c${index}`, name }));
}

describe("parseAgentHttpResponse", () => {
  it("reads a whole reply without loss", () => {
    const whole = reply({
      ok: true,
      sessionId: "sess_1",
      text: "Sorted.",
      toolCalls: [
        { id: "1", name: "view.setSort", args: { key: "salary" }, expectedRevision: 4 },
        { id: "2", name: "describe", args: { keys: ["edit.cells"], bundle: "editing" } },
        { id: "3", name: "read", args: { offset: 5, limit: 2, columns: ["name"], scope: "page" } },
      ],
      askUser: { id: "q", question: "Which?", options: [{ id: "a", label: "A" }], allowFreeText: false },
      transcript: "highest first",
      pin: { status: "acknowledged", contractVersion: "v1", ttlMs: 60_000 },
      continueWithResults: true,
    });
    expect(parseAgentHttpResponse(whole)).toEqual(whole);
  });

  it("takes null for a question, a pin and calls as absent", () => {
    expect(parseAgentHttpResponse(reply({ askUser: null, pin: null, toolCalls: null }))).toEqual(reply());
  });

  it("passes over what only informs when it is of another type", () => {
    const odd = reply({ ok: "yes", text: 5, transcript: {}, continueWithResults: 1 });
    expect(parseAgentHttpResponse(odd)).toEqual(reply());
  });

  it("gives a call its arguments and a question its free text when they are not named", () => {
    const { toolCalls, askUser } = parseAgentHttpResponse(
      reply({ toolCalls: [{ id: "1", name: "view.describe" }], askUser: { id: "q", question: "Which?" } }),
    );
    expect(toolCalls).toEqual([{ id: "1", name: "view.describe", args: {} }]);
    expect(askUser).toEqual({ id: "q", question: "Which?", allowFreeText: true });
  });

  it("passes over a lifetime of a pin that is no positive number", () => {
    for (const ttlMs of [0, -1, "60", null])
      expect(parseAgentHttpResponse(reply({ pin: { status: "acknowledged", ttlMs } })).pin).toEqual({
        status: "acknowledged",
      });
  });

  const call = (over: JsonObject): JsonObject => reply({ toolCalls: [{ id: "1", name: "read", ...over }] });
  const ask = (over: JsonObject): JsonObject => reply({ askUser: { id: "q", question: "Which?", ...over } });
  const refused: [string, Json, string][] = [
    ["text", "hello", "response must be an object"],
    ["null", null, "response must be an object"],
    [
      "another version",
      reply({ schemaVersion: "adapttable.agent.v2" }),
      'response schemaVersion must be "adapttable.agent.v1"',
    ],
    ["no version", { ok: true }, 'response schemaVersion must be "adapttable.agent.v1"'],
    ["an empty session", reply({ sessionId: "" }), "response sessionId must be a non-empty string"],
    ["a session of null", reply({ sessionId: null }), "response sessionId must be a non-empty string"],
    ["calls that are no list", reply({ toolCalls: {} }), "toolCalls must be an array"],
    ["33 calls", reply({ toolCalls: calls(33, "view.setPage") }), "toolCalls exceeds limit of 32"],
    ["17 describe calls", reply({ toolCalls: calls(17, "describe") }), "describe calls exceed limit of 16"],
    ["17 read calls", reply({ toolCalls: calls(17, "read") }), "read calls exceed limit of 16"],
    ["a call without id", call({ id: "" }), "tool call.id is required"],
    ["a call without name", call({ name: null }), "tool call.name is required"],
    ["arguments that are no object", call({ args: [1] }), "tool call.args must be an object"],
    [
      "a revision of another type",
      call({ expectedRevision: "4" }),
      "tool call.expectedRevision must be a finite number",
    ],
    [
      "keys that are no list",
      call({ name: "describe", args: { keys: "edit.cells" } }),
      "describe.keys must be an array of capability keys",
    ],
    [
      "a key that is empty",
      call({ name: "describe", args: { keys: [""] } }),
      "describe.keys must be an array of capability keys",
    ],
    [
      "a bundle of another type",
      call({ name: "describe", args: { bundle: 1 } }),
      "describe.bundle must be a non-empty string",
    ],
    ["a negative offset", call({ args: { offset: -1 } }), "read.offset must be a whole number, 0 or more"],
    [
      "an offset between rows",
      call({ args: { offset: 0.5 } }),
      "read.offset must be a whole number, 0 or more",
    ],
    ["a limit of nothing", call({ args: { limit: 0 } }), "read.limit must be a whole number, 1 or more"],
    [
      "a scope nobody knows",
      call({ args: { scope: "world" } }),
      'read.scope must be "visible", "page", or "full"',
    ],
    ["a question that is none", reply({ askUser: "Which?" }), "askUser must be an object"],
    ["a question without id", ask({ id: "" }), "askUser.id is required"],
    ["a question without words", ask({ question: "" }), "askUser.question is required"],
    ["options that are no list", ask({ options: {} }), "askUser.options must be an array"],
    [
      "an option without label",
      ask({ options: [{ id: "a" }] }),
      "askUser.options must each have an id and a label",
    ],
    [
      "a question nobody can answer",
      ask({ options: [], allowFreeText: false }),
      "askUser must offer options or allow free text",
    ],
    ["a pin that is none", reply({ pin: true }), "pin must be an object"],
    [
      "a pin of another status",
      reply({ pin: { status: "ok" } }),
      'pin.status must be "acknowledged", "expired", "unknown", or "unsupported"',
    ],
  ];
  it.each(refused)("refuses %s, naming the field", (_name, value, message) => {
    expect(() => parseAgentHttpResponse(value)).toThrow(new TypeError(`agent HTTP ${message}`));
  });

  it("takes as many calls as the limits allow, and leaves a window's columns to whoever reads it", () => {
    const full = [...(calls(16, "describe") as Json[]), ...(calls(16, "read") as Json[])];
    expect(parseAgentHttpResponse(reply({ toolCalls: full })).toolCalls).toHaveLength(32);
    const [read] = parseAgentHttpResponse(call({ args: { columns: ["name", 4, null] } })).toolCalls ?? [];
    expect(read?.args).toEqual({ columns: ["name", 4, null] });
  });

  it("answers any JSON with a reply or a TypeError of its own", () => {
    const key = fc.constantFrom("toolCalls", "askUser", "pin", "sessionId", "text", "ok");
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (over) => {
        try {
          expect(parseAgentHttpResponse(reply(over as JsonObject)).schemaVersion).toBe("adapttable.agent.v1");
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          expect(error.message).toMatch(/^agent HTTP /);
        }
      }),
      { numRuns: 500 },
    );
  });
});
