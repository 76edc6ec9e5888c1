import Anthropic, { APIError } from "@anthropic-ai/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../../../src/turn/index.ts";
import { encodeReply } from "../../../../src/wires/anthropic/encode-reply.ts";
import { MessageStreamEncoder, ping } from "../../../../src/wires/anthropic/encode-stream.ts";
import { collectTurn } from "../../../../src/wires/collect-turn.ts";
import { sseResponse } from "../../../../src/wires/sse.ts";
import { turnFrames } from "../../../../src/wires/sse-turn.ts";
import {
  anyBatching,
  anyTurn,
  batched,
  batches,
  call,
  interrupt,
  rateLimited,
  reasoning,
  result,
  start,
  subagentWork,
  success,
  text,
  turn,
} from "../turns.ts";

const identity = { id: "msg_1", agent: "support", estimatedInput: 12, stopSequences: ["END"] };

function stream(all: AsyncIterable<TurnEvent[]>, stopSequences = identity.stopSequences): Response {
  const encoder = new MessageStreamEncoder({ ...identity, stopSequences }, "req_1");
  const frames = turnFrames(all, encoder, (thrown) => {
    throw thrown;
  });
  return sseResponse(frames, { heartbeat: ping, heartbeatMs: 60_000 });
}

/** The data of each event, each held against the name of its frame. */
async function sent(events: TurnEvent[], stopSequences?: string[]): Promise<unknown[]> {
  const body = await stream(batches(events), stopSequences).text();
  expect(body.endsWith("\n\n")).toBe(true);
  return body
    .slice(0, -2)
    .split("\n\n")
    .map((frame) => {
      const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
      const event: unknown = JSON.parse(data);
      expect(event).toHaveProperty("type", name);
      return event;
    });
}

async function reply(events: TurnEvent[], stopSequences = identity.stopSequences) {
  return encodeReply({ ...identity, stopSequences }, await collectTurn(batches(events)));
}

/** The vendor's client, answered with `response` whatever it asks. */
function client(response: Response): Anthropic {
  return new Anthropic({ apiKey: "k", baseURL: "http://test", maxRetries: 0, fetch: async () => response });
}

const ask = { model: "support", max_tokens: 100, messages: [{ role: "user" as const, content: "Hi" }] };

const opened = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "support",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    },
  },
};
const counted = {
  input_tokens: 40,
  cache_creation_input_tokens: 1,
  cache_read_input_tokens: 2,
  output_tokens: 9,
};

describe("a reply in one piece", () => {
  test("is the seed's sample", async () => {
    expect(await reply(turn(success(), ...text("msg_a", "We offer ", "Free, Pro and Team plans.")))).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "support",
      content: [{ type: "text", text: "We offer Free, Pro and Team plans." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: counted,
    });
  });

  test("holds thoughts, texts and calls in order, subagents left out", async () => {
    const { content, stop_reason } = await reply(
      turn(
        success(),
        ...reasoning("msg_a", "r0", [], { redacted: "opaque" }),
        ...reasoning("msg_a", "r1", ["I should ", "look."], { signature: "anthropic.sig" }),
        ...reasoning("msg_a", "r2", []),
        ...reasoning("msg_a", "r3", [], { signature: "anthropic.hidden" }),
        ...text("msg_a", ""),
        ...text("msg_a", "Let me look."),
        ...call("msg_a", "call_1", "task", ['{"a":', "[1]}"]),
        ...subagentWork("call_1"),
        result("call_1", "found"),
        ...reasoning("msg_b", "r4", ["Good."]),
        ...text("msg_b", "Here it is."),
      ),
    );
    expect(content).toEqual([
      { type: "redacted_thinking", data: "opaque" },
      { type: "thinking", thinking: "I should look.", signature: "anthropic.sig" },
      { type: "thinking", thinking: "", signature: "anthropic.hidden" },
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "call_1", name: "task", input: { a: [1] } },
      { type: "thinking", thinking: "Good.", signature: "unsigned." },
      { type: "text", text: "Here it is." },
    ]);
    expect(stop_reason).toBe("end_turn");
  });

  test.each([
    [success("stop"), "end_turn", null],
    [success("other"), "end_turn", null],
    [success("length", "max_tokens"), "max_tokens", null],
    [success("content_filter", "refusal"), "refusal", null],
    [success("stop", "stop_sequence"), "stop_sequence", "END"],
    [success("other", "pause_turn"), "pause_turn", null],
    [success("length", "model_context_window_exceeded"), "model_context_window_exceeded", null],
    [success("tool_calls", "tool_use"), "end_turn", null],
    [success("tool_calls", "tool_use", ["call_1"]), "tool_use", null],
    [{ type: "interrupt" as const, interrupts: [interrupt], pendingCallIds: [] }, "tool_use", null],
  ])("says why it ended: %j is %s", async (outcome, reason, sequence) => {
    const made = await reply(turn(outcome, ...text("msg_a", "x")));
    expect([made.stop_reason, made.stop_sequence]).toEqual([reason, sequence]);
  });

  test("names the stop sequence that is known to have ended it", async () => {
    const finish = { unified: "stop", raw: "stop", sequence: "B" } as const;
    const ended = { type: "success" as const, finish, pendingCallIds: [] };
    expect(await reply(turn(ended, ...text("msg_a", "x")), ["A", "B"])).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: "B",
    });
  });

  test("names no stop sequence that may have been another, or that nobody sent", async () => {
    const events = turn(success("stop", "stop_sequence"), ...text("msg_a", "x"));
    expect(await reply(events, ["A", "B"])).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: null,
    });
    expect(await reply(events, [])).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
  });
});

describe("a stream", () => {
  test("is every event by its name, blocks one after another by index", async () => {
    const events = turn(
      success("tool_calls", null, ["call_2"]),
      ...reasoning("msg_a", "r1", ["Hm", "m."], { signature: "anthropic.sig" }),
      ...text("msg_a", "Hel", "lo"),
      ...call("msg_a", "call_1", "get_order", ['{"id":', '"A1"}']),
      ...subagentWork("call_1"),
      result("call_1", "{}"),
      ...text("msg_b", ""),
      ...call("msg_b", "call_2", "open_modal", [], true),
    );
    expect(await sent(events)).toEqual([
      opened,
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "m." } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: "anthropic.sig" },
      },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hel" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_stop", index: 1 },
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "call_1", name: "get_order", input: {} },
      },
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '{"id":' },
      },
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '"A1"}' },
      },
      { type: "content_block_stop", index: 2 },
      {
        type: "content_block_start",
        index: 3,
        content_block: { type: "tool_use", id: "call_2", name: "open_modal", input: {} },
      },
      { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: "{}" } },
      { type: "content_block_stop", index: 3 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: counted },
      { type: "message_stop" },
    ]);
  });

  test("that fails ends with an error event and no message_stop", async () => {
    const events = await sent(turn({ type: "failed", failure: rateLimited }, ...text("msg_a", "Hm")));
    expect(events.at(-1)).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "The model is busy.", code: "model_rate_limited" },
      request_id: "req_1",
    });
    expect(events).toHaveLength(5);
    expect((await sent([start])).at(-1)).toMatchObject({
      type: "error",
      error: { type: "api_error", code: "interrupted" },
    });
  });

  test("is a typed error to the vendor's client when it fails under way", async () => {
    const events = turn({ type: "failed", failure: rateLimited }, ...text("msg_a", "Hm"));
    const running = client(stream(batches(events))).messages.stream(ask);
    await expect(running.finalMessage()).rejects.toMatchObject({
      constructor: APIError,
      type: "rate_limit_error",
    });
  });

  test("any batching gives the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, anyBatching, async (events, places) => {
        const whole = await stream(batches(events)).text();
        expect(await stream(batches(...batched(events, places))).text()).toBe(whole);
      }),
      { numRuns: 100 },
    );
  });

  test("any turn, read by the vendor's client, is the reply in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, anyBatching, async (events, places) => {
        const running = client(stream(batches(...batched(events, places)))).messages.stream(ask);
        const { content, stop_reason, stop_sequence, usage } = await running.finalMessage();
        const expected = await reply(events);
        expect({ content, stop_reason, stop_sequence, usage }).toEqual({
          content: expected.content,
          stop_reason: expected.stop_reason,
          stop_sequence: expected.stop_sequence,
          usage: expected.usage,
        });
      }),
      { numRuns: 200 },
    );
  });
});
