import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LanguageModel, ModelPart } from "../../../src/models/language-model.ts";
import { plainTextFirst } from "../../../src/models/plain-text-first.ts";

type Fetch = typeof globalThis.fetch;

function packageAlone(fetch: Fetch): LanguageModel {
  return createOpenAICompatible({ name: "t", baseURL: "http://t.test/v1", fetch, includeUsage: true })("m");
}

/** A provider that answers with these bytes; `cut`: the connection breaks behind them. */
function answering(pieces: Uint8Array[], cut: boolean): Fetch {
  return () => {
    const left = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (cut) controller.error(new TypeError("terminated"));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
}

/** What an answer comes to, however its text is cut up: its blocks in order, and how it ends. */
async function read(model: LanguageModel): Promise<unknown[]> {
  const seen: unknown[] = [];
  let block: { type: string; text: string } | null = null;
  const add = (type: string, delta: string) => {
    if (block?.type !== type) {
      block = { type, text: "" };
      seen.push(block);
    }
    block.text += delta;
  };
  const other = (what: unknown) => {
    block = null;
    seen.push(what);
  };
  const { signal } = new AbortController();
  const { stream } = await model.doStream({ prompt: [], abortSignal: signal });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return seen;
      if (value.type === "text-delta") add("text", value.delta);
      else if (value.type === "reasoning-delta") add("reasoning", value.delta);
      else if (value.type === "tool-call") other([value.type, value.toolName, value.input]);
      else if (value.type === "finish") other([value.type, value.finishReason, value.usage]);
      else if (value.type === "error") other([value.type, nameOf(value.error)]);
    }
  } catch (error) {
    return [...seen, ["thrown", nameOf(error)]];
  }
}

function nameOf(error: unknown): unknown {
  return error instanceof Error ? error.name : error;
}

const chunk = (delta: object, more: object = {}, beside: object = {}) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, ...more }], ...beside })}`;

const call = (args: string, head: object = {}) =>
  chunk({
    tool_calls: [
      { index: 0, ...head, function: { arguments: args, ...("id" in head ? { name: "f" } : {}) } },
    ],
  });

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const text = fc.constantFrom("", "Hi", " there", "größer 🚚", "a\n\nb", "\r\n", "data: x");

const event = fc.oneof(
  { weight: 6, arbitrary: text.map((content) => chunk({ content })) },
  { weight: 2, arbitrary: text.map((reasoning_content) => chunk({ reasoning_content })) },
  { weight: 1, arbitrary: text.map((reasoning) => chunk({ reasoning, content: null })) },
  fc.constantFrom(
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "with", tool_calls: null }, { finish_reason: null }, { usage: null }),
    chunk({ reasoning: "r", content: "c" }),
    chunk({ role: "user", content: "whose?" }),
    chunk({ content: [{ type: "text", text: "in a list" }] }),
    chunk({ refusal: "No." }),
    chunk({ content: "last" }, { finish_reason: "stop" }),
    chunk({}, { finish_reason: "length" }),
    call('{"a":', { id: "call_1" }),
    call("1}"),
    `data: ${JSON.stringify({ choices: [], usage })}`,
    `data: ${JSON.stringify({ error: { message: "no", code: 500 } })}`,
    "data: not JSON",
    "data: [DONE]",
    ": keep-alive",
    "event: message\ndata: {}",
    "",
  ),
);

const ending = fc.constantFrom(
  [chunk({}, { finish_reason: "stop" }), `data: ${JSON.stringify({ choices: [], usage })}`, "data: [DONE]"],
  [chunk({}, { finish_reason: "tool_calls" }), "data: [DONE]"],
  [],
);

test("an answer is what the package makes of it, wherever its bytes are split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 12 }),
      ending,
      fc.constantFrom("\n\n", "\r\n\r\n"),
      fc.boolean(),
      fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }),
      async (events, last, gap, cut, sizes) => {
        const whole = new TextEncoder().encode([...events, ...last].map((one) => one + gap).join(""));
        const pieces: Uint8Array[] = [];
        for (let at = 0, n = 0; at < whole.length; n += 1) {
          const size = (sizes[n % sizes.length] ?? 0) + 1;
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        const fetch = answering(pieces, cut);
        expect(await read(plainTextFirst(packageAlone, fetch))).toEqual(await read(packageAlone(fetch)));
      },
    ),
    { numRuns: 300 },
  );
});

test("plain pieces are given out as they come, before the answer has ended", async () => {
  const encoder = new TextEncoder();
  let provider: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      provider = controller;
    },
    cancel() {
      cancelled = true;
    },
  });
  const fetch: Fetch = () =>
    Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const { signal } = new AbortController();
  const { stream } = await plainTextFirst(packageAlone, fetch).doStream({ prompt: [], abortSignal: signal });
  const reader = stream.getReader();
  const next = async (): Promise<ModelPart | undefined> => (await reader.read()).value;
  provider?.enqueue(encoder.encode(`${chunk({ content: "One" })}\n\n`));
  expect(await next()).toMatchObject({ type: "text-start" });
  expect(await next()).toMatchObject({ type: "text-delta", delta: "One" });
  provider?.enqueue(encoder.encode(`${chunk({ content: " two" })}\n\n`));
  expect(await next()).toMatchObject({ type: "text-delta", delta: " two" });
  await reader.cancel();
  expect(cancelled).toBe(true);
});
