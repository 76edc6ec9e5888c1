import { describe, expect, test } from "vitest";
import { decodeStep } from "../../../../src/wires/step/decode.ts";
import { stepRequestSchema } from "../../../../src/wires/step/schema.ts";
import { systemMessage } from "../../../../src/wires/system-messages.ts";

/** A step as a runner sends it, decoded; minted ids count up. */
function decoded(body: Record<string, unknown>) {
  let minted = 0;
  return decodeStep("freight", stepRequestSchema.parse({ session_id: "run/book#0", ...body }), (prefix) => {
    minted += 1;
    return `${prefix}${minted}`;
  });
}

const tool = { name: "get_load", description: "Looks.", input_schema: { type: "object" } };

describe("a step", () => {
  test("with a message is a durable turn of its session, whose tools are the client's", () => {
    expect(decoded({ system: "You are a desk.", tools: [tool], message: "Hello" })).toEqual({
      agent: "freight",
      wire: "step",
      runId: "run_1",
      session: "step:run/book#0",
      conversation: null,
      messages: [
        systemMessage("You are a desk."),
        { role: "user", id: "msg_2", parts: [{ type: "text", text: "Hello" }] },
      ],
      clientTools: [{ name: "get_load", description: "Looks.", parameters: { type: "object" } }],
      state: null,
      resume: [],
      snapshot: false,
      sampling: {},
      context: [],
      forwarded: null,
    });
  });

  test("with results gives each to its call, failures as such", () => {
    const { messages } = decoded({
      tool_results: [
        { id: "a", ok: true, result: { rate: 1 } },
        { id: "b", ok: false, error: "no such load" },
        { id: "c", ok: true },
        { id: "d", ok: false },
        { id: "e", ok: true, result: "text" },
      ],
    });
    expect(
      messages.map((message) =>
        message.role === "tool" ? [message.callId, message.content, message.isError] : [],
      ),
    ).toEqual([
      ["a", '{"rate":1}', false],
      ["b", "no such load", true],
      ["c", "null", false],
      ["d", "the call failed", true],
      ["e", '"text"', false],
    ]);
  });

  test("has a message or results, one of them", () => {
    for (const body of [{}, { message: "Hello", tool_results: [] }]) {
      expect(stepRequestSchema.safeParse({ session_id: "s", ...body }).success).toBe(false);
    }
    expect(stepRequestSchema.safeParse({ session_id: "", message: "Hello" }).success).toBe(false);
    expect(stepRequestSchema.safeParse({ session_id: "s", message: "" }).success).toBe(true);
  });
});
