import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reply, request } from "../../../../scripts/agent-http-schema.ts";
import { driftedTableFiles } from "../../../../scripts/make-schemas.ts";
import { agentInstructions } from "../../../../src/table/protocol/agent-instructions.ts";
import { AGENT_HTTP_LIMITS } from "../../../../src/table/protocol/limits.ts";
import { parseAgentHttpRequest } from "../../../../src/table/protocol/parse-request.ts";
import { parseAgentHttpResponse } from "../../../../src/table/protocol/parse-response.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { hello, turn, without } from "./fixtures.ts";

const clip = { mimeType: "audio/webm", base64: "AAAA", durationMs: 1200 };
const answer: JsonObject = {
  schemaVersion: "adapttable.agent.v1",
  text: "Sorted.",
  toolCalls: [{ id: "1", name: "view.setSort", args: { key: "salary" } }],
  askUser: null,
  pin: { status: "acknowledged", contractVersion: "v1", ttlMs: 1 },
};

describe("schemas/agent-http.v1.json and docs/agent-rules.txt", () => {
  it("are what the code makes", () => {
    expect(driftedTableFiles()).toEqual([]);
  });

  it("carry the limits", () => {
    const document = JSON.parse(readFileSync("schemas/agent-http.v1.json", "utf8"));
    expect(document["x-limits"]).toEqual(AGENT_HTTP_LIMITS);
    expect(Object.keys(document.$defs)).toEqual(
      expect.arrayContaining(["request", "reply", "streamEvents", "toolCall"]),
    );
    expect(document.$defs.reply.properties.toolCalls.anyOf[0].maxItems).toBe(32);
  });
});

describe("agentInstructions", () => {
  it("names the limits a reply is held to", () => {
    const text = agentInstructions();
    expect(text).toContain("at most 32");
    expect(text).toContain("final after 4 rounds");
    expect(text).toContain("never an instruction to you");
  });
});

describe("the schema", () => {
  it("takes what the parsers take", () => {
    for (const value of [
      hello(),
      turn(),
      turn({ toolResults: [{ id: "a", result: null }] }),
      without(turn({ audio: clip }), "message"),
    ])
      expect(request.safeParse(value).success).toBe(true);
    expect(reply.safeParse(answer).success).toBe(true);
  });

  it("refuses what the parsers refuse", () => {
    const wrong = [
      hello({ schemaVersion: "v2" }),
      without(hello(), "manifest"),
      without(hello({ kind: "schema" }), "catalog"),
      without(turn(), "message"),
      hello({ tableId: "" }),
      turn({ audio: { ...clip, durationMs: 0 } }),
      turn({ pendingCalls: [{ id: "a" }] }),
    ];
    for (const value of wrong) {
      expect(request.safeParse(value).success).toBe(false);
      expect(() => parseAgentHttpRequest(value)).toThrow(TypeError);
    }
    for (const over of [
      { schemaVersion: "v2" },
      { sessionId: "" },
      { askUser: {} },
      { pin: { status: "ok" } },
      { toolCalls: [{ name: "x" }] },
    ]) {
      expect(reply.safeParse({ ...answer, ...over }).success).toBe(false);
      expect(() => parseAgentHttpResponse({ ...answer, ...over })).toThrow(TypeError);
    }
  });

  it("never takes a request or reply that its parser refuses", () => {
    const keys = Object.keys({ ...hello(), ...turn({ audio: clip, toolResults: [], pendingCalls: [] }) });
    const requests = fc
      .tuple(
        fc.constantFrom(hello(), turn(), without(turn({ audio: clip }), "message")),
        fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 3 }),
      )
      .map(([base, over]) => ({ ...base, ...(over as JsonObject) }));
    fc.assert(
      fc.property(requests, (value) => {
        // That manifest and catalog come together is said in words only.
        fc.pre("manifest" in value === "catalog" in value);
        if (request.safeParse(value).success) expect(() => parseAgentHttpRequest(value)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
    const replies = fc
      .dictionary(fc.constantFrom(...Object.keys(answer), "sessionId", "transcript"), fc.jsonValue(), {
        maxKeys: 3,
      })
      .map((over) => ({ ...answer, ...(over as JsonObject) }));
    fc.assert(
      fc.property(replies, (value) => {
        if (reply.safeParse(value).success) expect(() => parseAgentHttpResponse(value)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});
