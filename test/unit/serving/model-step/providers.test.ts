import { afterEach, describe, expect, test } from "vitest";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import { modelEnv } from "../../../../src/models/model-env.ts";
import { resolveModel } from "../../../../src/models/resolve-model.ts";
import { systemTiming } from "../../../../src/models/timing.ts";
import {
  type ProviderServer,
  providerServer,
  type Reply,
  stillTiming,
} from "../../models/provider-server.ts";
import {
  anthropic,
  anthropicText,
  google,
  googleText,
  openai,
  openaiCalls,
  openaiText,
  page,
} from "../../models/recorded.ts";
import { type Asked, ask, checkEvents } from "./ask.ts";

const key = "sk-canary-0123456789";
const env = modelEnv({ OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key });

let server: ProviderServer | undefined;
afterEach(() => server?.close());

async function askProvider(
  id: string,
  replies: (Reply | string)[],
  changes: Parameters<typeof ask>[1] = {},
): Promise<Asked> {
  server = await providerServer(
    replies.map((reply) => (typeof reply === "string" ? { pieces: [reply] } : reply)),
  );
  const asked = await ask(resolveModel(id, env, server.fetch).model, changes);
  checkEvents(asked.events);
  expect(JSON.stringify(asked)).not.toContain("secret-body");
  return asked;
}

/** Bytes of a stream in pieces of this size, cut wherever that falls, inside a character too. */
function inPieces(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.slice(n * size, (n + 1) * size),
  );
}

const providers = [
  {
    id: "openai/gpt-5-mini",
    text: openaiText,
    usage: {
      inputTokens: 176,
      outputTokens: 300,
      reasoningTokens: 64,
      cacheReadTokens: 1024,
      cacheWriteTokens: 0,
    },
    stop: { unified: "stop", raw: "stop" },
    calls: (inputs: string[], ids: string[]) =>
      openaiCalls(
        inputs.map((input, index) => ({ index, id: ids[index] ?? "", name: "say", arguments: input })),
      ),
    noSuchTool: openaiCalls([{ index: 0, id: "c1", name: "rm", arguments: "{}" }]),
    cut: `data: ${JSON.stringify(openai.chunk({ content: "Hi" }))}\n\n`,
    failing: openai.stream([
      openai.chunk({ content: "Hi" }),
      { error: { message: "secret-body", type: "server_error" } },
    ]),
    failingCode: "model_unavailable",
  },
  {
    id: "anthropic/claude-haiku-4-5",
    text: anthropicText,
    usage: {
      inputTokens: 25,
      outputTokens: 15,
      reasoningTokens: 0,
      cacheReadTokens: 2000,
      cacheWriteTokens: 100,
    },
    stop: { unified: "stop", raw: "end_turn" },
    calls: (inputs: string[], ids: string[]) =>
      anthropic.stream([
        anthropic.start(),
        ...inputs.flatMap((input, index) =>
          anthropic.block(index, { type: "tool_use", id: ids[index] ?? "", name: "say", input: {} }, [
            { type: "input_json_delta", partial_json: input },
          ]),
        ),
        ...anthropic.end("tool_use"),
      ]),
    noSuchTool: anthropic.stream([
      anthropic.start(),
      ...anthropic.block(0, { type: "tool_use", id: "c1", name: "rm", input: {} }, []),
      ...anthropic.end("tool_use"),
    ]),
    cut: anthropic.stream([
      anthropic.start(),
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    ]),
    failing: anthropic.stream([
      anthropic.start(),
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "error", error: { type: "overloaded_error", message: "secret-body" } },
    ]),
    failingCode: "model_unavailable",
  },
  {
    id: "google/gemini-flash-latest",
    text: googleText,
    usage: {
      inputTokens: 100,
      outputTokens: 42,
      reasoningTokens: 30,
      cacheReadTokens: 400,
      cacheWriteTokens: 0,
    },
    stop: { unified: "stop", raw: "STOP" },
    calls: (inputs: string[], ids: string[]) =>
      google.stream([
        ...inputs.map((input, index) =>
          google.chunk([{ functionCall: { id: ids[index], name: "say", args: input } }]),
        ),
        google.chunk([{ text: "" }], "STOP"),
      ]),
    noSuchTool: google.stream([
      google.chunk([{ functionCall: { id: "c1", name: "rm", args: {} } }]),
      google.chunk([{ text: "" }], "STOP"),
    ]),
    cut: google.stream([google.chunk([{ text: "Hi" }])]),
    failing: google.stream([
      google.chunk([{ text: "Hi" }]),
      { error: { code: 503, message: "secret-body" } },
    ]),
    // The package takes an error object for a chunk that is not right.
    failingCode: "model_failed",
  },
];

describe.each(providers)("$id", ({ id, text, usage, stop, calls, noSuchTool, cut, failing, failingCode }) => {
  test("an answer, with what its tokens were", async () => {
    const { events, result } = await askProvider(id, [text("Hi, “you”!")]);
    expect(result?.blocks).toEqual([{ type: "text", text: "Hi, “you”!" }]);
    expect(result?.usage).toEqual(usage);
    expect(result?.finish).toEqual(stop);
    expect(events.at(0)).toEqual({ type: "text-start", messageId: "m1" });
  });

  test.each([5, 16, 64])("cut every %i bytes it is the same answer", async (size) => {
    const whole = await askProvider(id, [text("ü 👩‍👧日")]);
    await server?.close();
    const cutUp = await askProvider(id, [{ pieces: inPieces(text("ü 👩‍👧日"), size) }]);
    expect(cutUp).toEqual(whole);
  });

  test("broken arguments and repeated ids", async () => {
    const stream = calls(['{"text":"one"}', '{"text": "tw', '{"text":"three"}'], ["c1", "c2", "c1"]);
    const { result } = await askProvider(id, [stream]);
    expect(result?.blocks).toEqual([
      { type: "call", callId: "c1", name: "say", args: { text: "one" } },
      { type: "call", callId: "c2", name: "say", args: { text: "tw" } },
      {
        type: "call",
        callId: expect.stringMatching(/^(?!c1$)[\w-]+$/),
        name: "say",
        args: { text: "three" },
      },
    ]);
    expect(result?.invalidCalls).toEqual([
      { callId: "c2", message: "The arguments of say are not a JSON object. The call was not run." },
    ]);
    expect(result?.finish.unified).toBe("tool_calls");
  });

  test("a tool that is not there", async () => {
    const { result } = await askProvider(id, [noSuchTool]);
    expect(result?.invalidCalls.map(({ message }) => message)).toEqual([
      'There is no tool "rm". There is: say.',
    ]);
  });

  test.each([
    ["a stream that stops", cut, "model_failed", true],
    ["an error inside the stream", failing, failingCode, true],
  ] as const)("%s closes the text and fails the turn", async (_name, stream, code, retryable) => {
    const { events, thrown } = await askProvider(id, [stream]);
    expect(events.map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-end"]);
    if (!(thrown instanceof TurnFailedError)) throw thrown;
    expect(thrown.failure).toMatchObject({ code, retryable });
  });

  test.each([
    ["rate limits", { status: 429, pieces: ["{}"] }, "model_rate_limited", true, 4],
    ["server errors", { status: 500, pieces: ["secret-body"] }, "model_unavailable", true, 4],
    ["a refused key", { status: 401, pieces: ["secret-body"] }, "model_not_configured", false, 1],
    ["a web page", page, "model_failed", true, 1],
  ] as const)("%s", async (_name, reply, code, retryable, requests) => {
    const { events, thrown } = await askProvider(
      id,
      Array<Reply>(4).fill({ ...reply, pieces: [...reply.pieces] }),
    );
    expect(events).toEqual([]);
    if (!(thrown instanceof TurnFailedError)) throw thrown;
    expect(thrown.failure).toMatchObject({ code, retryable });
    expect(thrown.message).not.toContain(key);
    expect(server?.requests).toHaveLength(requests);
  });

  test("a rate limit that passes is not noticed", async () => {
    const { result } = await askProvider(id, [{ status: 429, pieces: ["{}"] }, text("Hi")]);
    expect(result?.blocks).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("a turn that is cancelled while the model is silent ends its request", async () => {
    const ended = new AbortController();
    setTimeout(() => ended.abort(new Error("gone")), 30);
    const { thrown } = await askProvider(id, [{ pieces: [cut], ending: "hang" }], {
      signal: ended.signal,
      timing: systemTiming(),
    });
    expect(thrown).toEqual(new Error("gone"));
    await expect.poll(() => server?.abandoned()).toBe(1);
  });
});

test("a model that goes silent fails the turn", async () => {
  const timing = {
    ...stillTiming(),
    sleep: () => Promise.resolve(),
    now: (() => {
      let now = 0;
      return () => (now += 61_000);
    })(),
  };
  const { thrown } = await askProvider("openai/gpt-5-mini", [{ pieces: [], ending: "hang" }], { timing });
  if (!(thrown instanceof TurnFailedError)) throw thrown;
  expect(thrown.failure).toEqual({
    code: "model_unavailable",
    message: "openai/gpt-5-mini: nothing arrived for 60 s",
    retryable: true,
  });
});
