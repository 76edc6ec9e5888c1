import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentHttpRequest } from "../../../../src/table/protocol/parse-request.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { contract, hello, manifest, turn, without } from "./fixtures.ts";

const clip = { mimeType: "audio/webm", base64: "AAAA", durationMs: 1200 };

describe("parseAgentHttpRequest", () => {
  it("reads a hello of the stock client without loss", () => {
    expect(parseAgentHttpRequest(hello())).toEqual(hello());
  });

  it("reads a pinned turn without loss", () => {
    const whole = turn({
      sessionId: "sess_1",
      conversation: [{ role: "user", text: "hi" }],
      toolResults: [
        { id: "a", result: { rows: [] } },
        { id: "b", error: { code: "not-run", message: "Not run." } },
      ],
      pendingCalls: [{ id: "c", name: "view.setSort", args: { key: "salary" }, expectedRevision: 3 }],
    });
    expect(parseAgentHttpRequest(whole)).toEqual(whole);
  });

  it("drops fields it does not know, and codec parameters of a clip", () => {
    const request = parseAgentHttpRequest(
      without(
        turn({ extra: 1, audio: { ...clip, mimeType: "Audio/WebM;codecs=opus", secret: true } }),
        "message",
      ),
    );
    expect(request.audio).toEqual(clip);
    expect(request).not.toHaveProperty("extra");
  });

  const refused: [string, Json, string][] = [
    ["a list", [], "request must be an object"],
    ["null", null, "request must be an object"],
    ["another version", hello({ schemaVersion: "v2" }), 'schemaVersion must be "adapttable.agent.v1"'],
    ["no version", without(hello(), "schemaVersion"), 'schemaVersion must be "adapttable.agent.v1"'],
    ["another kind", hello({ kind: "ping" }), 'kind must be "hello", "schema", or "turn"'],
    ["no table", hello({ tableId: "" }), "tableId must be a non-empty string"],
    ["a table that is a number", hello({ tableId: 7 }), "tableId must be a non-empty string"],
    ["silence", without(turn(), "message"), "turn requires a message string or audio"],
    ["a message of another type", turn({ message: 5 }), "turn requires a message string or audio"],
    ["hello without manifest", without(hello(), "manifest"), "manifest must be an object"],
    ["hello without catalog", without(hello(), "catalog"), "catalog must be an array"],
    ["schema without catalog", without(hello({ kind: "schema" }), "catalog"), "catalog must be an array"],
    ["a turn with half of it", turn({ manifest: manifest() }), "catalog must be an array"],
    ["a turn with the other half", turn({ catalog: [] }), "manifest must be an object"],
    [
      "a manifest of another version",
      hello({ manifest: manifest({ schemaVersion: "x" }) }),
      'manifest.schemaVersion must be "adapttable.agent.v1"',
    ],
    [
      "a manifest without table",
      hello({ manifest: manifest({ tableId: "" }) }),
      "manifest.tableId must be a non-empty string",
    ],
    [
      "a manifest without revision",
      hello({ manifest: manifest({ viewRevision: "3" }) }),
      "manifest.viewRevision must be a finite number",
    ],
    [
      "a manifest without capabilities",
      hello({ manifest: manifest({ capabilities: {} }) }),
      "manifest.capabilities must be an array",
    ],
    [
      "a manifest without policy",
      hello({ manifest: manifest({ policy: [] }) }),
      "manifest.policy must be an object",
    ],
    ["an empty session", turn({ sessionId: "" }), "sessionId must be a non-empty string"],
    ["a session of another type", turn({ sessionId: null }), "sessionId must be a non-empty string"],
    ["a revision of another type", turn({ viewRevision: "3" }), "viewRevision must be a finite number"],
    ["audio that is none", turn({ audio: "AAAA" }), "audio must be an object"],
    [
      "audio of another type",
      turn({ audio: { ...clip, mimeType: "video/mp4" } }),
      "audio.mimeType must be one of audio/webm, audio/ogg, audio/mp4, audio/mpeg, audio/wav",
    ],
    ["audio without sound", turn({ audio: { ...clip, base64: "" } }), "audio.base64 is required"],
    [
      "audio without length",
      turn({ audio: { ...clip, durationMs: 0 } }),
      "audio.durationMs must be a positive number",
    ],
    [
      "audio too long",
      turn({ audio: { ...clip, durationMs: 120_001 } }),
      "audio.durationMs exceeds limit of 120000",
    ],
    [
      "audio too large",
      turn({ audio: { ...clip, base64: "A".repeat(5_333_336) } }),
      "audio exceeds limit of 4000000 bytes",
    ],
    ["a result that is none", turn({ toolResults: ["x"] }), "tool result must be an object"],
    ["a result without id", turn({ toolResults: [{ result: 1 }] }), "tool result.id is required"],
    ["a call that is none", turn({ pendingCalls: [null] }), "tool call must be an object"],
    ["a call without id", turn({ pendingCalls: [{ name: "x" }] }), "tool call.id is required"],
    ["a call without name", turn({ pendingCalls: [{ id: "a", name: "" }] }), "tool call.name is required"],
    [
      "a call with a revision of another type",
      turn({ pendingCalls: [{ id: "a", name: "x", expectedRevision: "3" }] }),
      "tool call.expectedRevision must be a finite number",
    ],
    [
      "a contract without columns",
      hello({ context: { contract: contract({ columns: {} }) } }),
      "context.contract.columns must be an array",
    ],
    [
      "a column without id",
      hello({ context: { contract: contract({ columns: [{ label: "Name" }] }) } }),
      "context.contract.columns must hold objects with a non-empty id",
    ],
    ["a context without contract", hello({ context: {} }), "context.contract must be an object"],
  ];
  it.each(refused)("refuses %s, naming the field", (_name, request, message) => {
    const parse = () => parseAgentHttpRequest(request);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(new TypeError(`agent HTTP ${message}`));
  });

  it("takes a clip and a text at their limits", () => {
    const largest = { ...clip, base64: "A".repeat(5_333_333), durationMs: 120_000 };
    expect(parseAgentHttpRequest(turn({ audio: largest })).audio).toEqual(largest);
    expect(parseAgentHttpRequest(turn({ message: "" })).message).toBe("");
  });

  it("counts what only helps as absent when it is of another shape", () => {
    const request = parseAgentHttpRequest(
      turn({
        conversation: "hi",
        toolResults: {},
        pendingCalls: 3,
        context: "none",
        view: [],
        turnId: 9,
        phaseId: "0",
      }),
    );
    expect(request).toEqual({
      schemaVersion: "adapttable.agent.v1",
      kind: "turn",
      tableId: "people",
      viewRevision: 3,
      contractVersion: "v1",
      selectionVersion: "s1",
      message: "highest salary first",
    });
  });

  it("gives an error without code or message general ones", () => {
    const { toolResults } = parseAgentHttpRequest(turn({ toolResults: [{ id: "a", error: "broken" }] }));
    expect(toolResults).toEqual([{ id: "a", error: { code: "error", message: "tool call failed" } }]);
  });

  it("takes a contract that says nothing of policy as the strictest", () => {
    const { context } = parseAgentHttpRequest(
      hello({ context: { contract: without(contract(), "policy") } }),
    );
    expect(context?.contract.policy).toEqual({ write: "deny", approval: "writes", commit: "stage" });
    expect(context?.selection.profile).toBe("full");
  });

  it("answers any JSON with a request or a TypeError of its own", () => {
    const mangled = fc
      .tuple(
        fc.constantFrom(hello(), turn()),
        fc.dictionary(fc.constantFrom(...Object.keys({ ...hello(), ...turn() })), fc.jsonValue()),
      )
      .map(([base, over]): Json => ({ ...base, ...(over as JsonObject) }));
    fc.assert(
      fc.property(
        fc.oneof(
          mangled,
          fc.jsonValue().map((value) => value as Json),
        ),
        (value) => {
          try {
            expect(parseAgentHttpRequest(value).schemaVersion).toBe("adapttable.agent.v1");
          } catch (error) {
            if (!(error instanceof TypeError)) throw error;
            expect(error.message).toMatch(/^agent HTTP /);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
