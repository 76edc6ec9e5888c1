import * as fc from "fast-check";
import OpenAI, { APIError } from "openai";
import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../../../src/turn/index.ts";
import { collectTurn } from "../../../../src/wires/collect-turn.ts";
import { encodeReply } from "../../../../src/wires/openai/encode-reply.ts";
import { ChatStreamEncoder } from "../../../../src/wires/openai/encode-stream.ts";
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

const identity = { id: "chatcmpl-1", created: 1_735_689_600, agent: "support" };
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_735_689_600, model: "support" };

function ignored(thrown: unknown): void {
  throw thrown;
}

function stream(all: AsyncIterable<TurnEvent[]>, includeUsage = false): Response {
  const frames = turnFrames(all, new ChatStreamEncoder(identity, includeUsage), ignored);
  return sseResponse(frames, { heartbeat: ": ping\n\n", heartbeatMs: 60_000 });
}

/** The frames of a turn as they are read: parsed, `[DONE]` as it is. */
async function chunks(events: TurnEvent[], includeUsage = false): Promise<unknown[]> {
  const sent = await stream(batches(events), includeUsage).text();
  expect(sent.endsWith("\n\n")).toBe(true);
  return sent
    .slice(0, -2)
    .split("\n\n")
    .map((frame) => {
      expect(frame.startsWith("data: ")).toBe(true);
      return frame === "data: [DONE]" ? "[DONE]" : JSON.parse(frame.slice("data: ".length));
    });
}

function chunk(delta: object, reason: string | null = null) {
  return { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] };
}

async function reply(events: TurnEvent[]) {
  return encodeReply(identity, await collectTurn(batches(events)));
}

/** The vendor's client, answered with `response` whatever it asks. */
function client(response: Response): OpenAI {
  return new OpenAI({ apiKey: "k", baseURL: "http://test/v1", maxRetries: 0, fetch: async () => response });
}

const ask = { model: "support", messages: [{ role: "user" as const, content: "Hi" }] };

describe("a reply in one piece", () => {
  test("is the seed's sample, with the usage in this wire's accounting", async () => {
    expect(await reply(turn(success(), ...text("msg_1", "We offer ", "Free, Pro and Team plans.")))).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_735_689_600,
      model: "support",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "We offer Free, Pro and Team plans.",
            refusal: null,
          },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 43,
        completion_tokens: 9,
        total_tokens: 52,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
  });

  test("lists calls with arguments as a JSON text, content null beside them alone", async () => {
    const { choices } = await reply(
      turn(
        success("tool_calls", null, ["call_2"]),
        ...call("msg_1", "call_1", "get_order", ['{"id":', '"A1"}']),
        result("call_1", "{}"),
        ...call("msg_2", "call_2", "open_modal", [], true),
      ),
    );
    expect(choices[0]).toMatchObject({
      message: {
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_order", arguments: '{"id":"A1"}' } },
          { id: "call_2", type: "function", function: { name: "open_modal", arguments: "{}" } },
        ],
      },
      finish_reason: "tool_calls",
    });
  });

  test("parts what was said before a tool and after, and leaves subagents out", async () => {
    const { choices } = await reply(
      turn(
        success(),
        ...reasoning("msg_1", "r1", ["I should ", "look."]),
        ...text("msg_1", "Let me look."),
        ...call("msg_1", "call_1", "task", ["{}"]),
        ...subagentWork("call_1"),
        result("call_1", "found"),
        ...reasoning("msg_2", "r2", ["Good."]),
        ...text("msg_2", "Here it is."),
      ),
    );
    expect(choices[0]?.message).toEqual({
      role: "assistant",
      content: "Let me look.\n\nHere it is.",
      refusal: null,
      reasoning_content: "I should look.\n\nGood.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "task", arguments: "{}" } }],
    });
  });

  test.each([
    [success("stop"), "stop"],
    [success("length"), "length"],
    [success("content_filter"), "content_filter"],
    [success("other"), "stop"],
  ])("says why it ended: %j is %s", async (outcome, reason) => {
    expect((await reply(turn(outcome, ...text("msg_1", "x")))).choices[0]?.finish_reason).toBe(reason);
  });

  test("of an interrupted turn is tool_calls; of a silent one an empty text", async () => {
    const paused = turn(
      { type: "interrupt", interrupts: [interrupt], pendingCallIds: [] },
      ...call("msg_1", "call_1", "refund", ['{"order":"A1"}']),
    );
    expect((await reply(paused)).choices[0]?.finish_reason).toBe("tool_calls");
    expect((await reply(turn(success()))).choices[0]?.message.content).toBe("");
  });
});

describe("a stream", () => {
  test("has the role first, null until the one finish reason, and [DONE]", async () => {
    expect(await chunks(turn(success(), ...text("msg_1", "Hel", "", "lo")))).toEqual([
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      chunk({}, "stop"),
      "[DONE]",
    ]);
  });

  test("tells the usage in a chunk of its own only when asked", async () => {
    const sent = await chunks(turn(success(), ...text("msg_1", "x")), true);
    expect(sent).toEqual([
      { ...chunk({ role: "assistant", content: "", refusal: null }), usage: null },
      { ...chunk({ content: "x" }), usage: null },
      { ...chunk({}, "stop"), usage: null },
      {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 43,
          completion_tokens: 9,
          total_tokens: 52,
          prompt_tokens_details: { cached_tokens: 2 },
          completion_tokens_details: { reasoning_tokens: 3 },
        },
      },
      "[DONE]",
    ]);
  });

  test("opens each call once with id, type, name and an index, then sends arguments by index alone", async () => {
    const sent = await chunks(
      turn(
        success("tool_calls", null, ["call_b"]),
        ...call("msg_1", "call_a", "first", ['{"x":', "1}"]),
        ...call("msg_1", "call_b", "second", [], true),
      ),
    );
    const opening = (index: number, id: string, name: string) =>
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    const more = (index: number, args: string) =>
      chunk({ tool_calls: [{ index, function: { arguments: args } }] });
    expect(sent.slice(1)).toEqual([
      opening(0, "call_a", "first"),
      more(0, '{"x":'),
      more(0, "1}"),
      opening(1, "call_b", "second"),
      more(1, "{}"),
      chunk({}, "tool_calls"),
      "[DONE]",
    ]);
  });

  test("that fails ends with an error frame, no finish reason and no [DONE]", async () => {
    const sent = await chunks(turn({ type: "failed", failure: rateLimited }, ...text("msg_1", "Hm")), true);
    expect(sent.at(-1)).toEqual({
      error: {
        message: "The model is busy.",
        type: "rate_limit_error",
        param: null,
        code: "rate_limit_exceeded",
      },
    });
    expect(sent).toHaveLength(3);
  });

  test("of a turn that breaks off, is cancelled or throws ends with an error frame", async () => {
    const broken = await chunks([start, ...text("msg_1", "Hm")]);
    expect(broken.at(-1)).toMatchObject({ error: { code: "interrupted", type: "server_error" } });
    const cancelled = await chunks(turn({ type: "cancelled" }));
    expect(cancelled.at(-1)).toMatchObject({ error: { message: "The turn was cancelled." } });
    const seen: unknown[] = [];
    async function* throwing(): AsyncGenerator<TurnEvent[]> {
      yield [start];
      throw new Error("secret");
    }
    const frames = turnFrames(throwing(), new ChatStreamEncoder(identity, false), (thrown) => {
      seen.push(thrown);
    });
    const sent = await sseResponse(frames, { heartbeat: "", heartbeatMs: 60_000 }).text();
    expect(sent).toContain('{"error":{"message":"The turn broke off before it was finished."');
    expect(sent).not.toContain("secret");
    expect(seen).toEqual([new Error("secret")]);
  });

  test("is a typed error to the vendor's client when it fails under way", async () => {
    const events = turn({ type: "failed", failure: rateLimited }, ...text("msg_1", "Hm"));
    const running = await client(stream(batches(events))).chat.completions.create({ ...ask, stream: true });
    const read = async () => {
      for await (const _ of running);
    };
    await expect(read()).rejects.toThrow(APIError);
  });

  test("any batching gives the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, anyBatching, fc.boolean(), async (events, places, includeUsage) => {
        const whole = await stream(batches(events), includeUsage).text();
        expect(await stream(batches(...batched(events, places)), includeUsage).text()).toBe(whole);
      }),
      { numRuns: 100 },
    );
  });

  test("any turn, read by the vendor's client, is the reply in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, anyBatching, async (events, places) => {
        const expected = await reply(events);
        const streamed = await client(stream(batches(...batched(events, places)), true))
          .chat.completions.stream({ ...ask, stream_options: { include_usage: true } })
          .finalChatCompletion();
        const [choice] = streamed.choices;
        const [wanted] = expected.choices;
        expect(choice?.finish_reason).toBe(wanted?.finish_reason);
        expect(choice?.message.content ?? "").toBe(wanted?.message.content ?? "");
        expect(streamed.usage).toEqual(expected.usage);
        expect(choice?.message.tool_calls?.map(callOf) ?? []).toEqual(
          wanted?.message.tool_calls?.map(callOf) ?? [],
        );
      }),
      { numRuns: 100 },
    );
  });
});

/** A call with its arguments as a value: how they are spelt may differ. */
function callOf(made: { id: string; type: string; function?: { name: string; arguments: string } }) {
  return { id: made.id, name: made.function?.name, args: JSON.parse(made.function?.arguments ?? "") };
}
