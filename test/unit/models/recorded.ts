import type { Reply } from "./provider-server.ts";

/** Answers in the shape each provider streams, as text of server-sent events. */

type Data = Record<string, unknown>;

const sse = (events: Data[]) => events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");

export const openai = {
  chunk: (delta: Data, finish: string | null = null): Data => ({
    id: "chatcmpl-BxQ2",
    object: "chat.completion.chunk",
    created: 1760821505,
    model: "gpt-5-mini-2025-08-07",
    service_tier: "default",
    system_fingerprint: null,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
  }),
  usage: (usage: Data): Data => ({
    id: "chatcmpl-BxQ2",
    object: "chat.completion.chunk",
    created: 1760821505,
    model: "gpt-5-mini-2025-08-07",
    choices: [],
    usage,
  }),
  stream: (events: Data[]): string => `${sse(events)}data: [DONE]\n\n`,
};

export const openaiText = (text: string): string =>
  openai.stream([
    openai.chunk({ role: "assistant", content: "", refusal: null }),
    ...[...text].map((content) => openai.chunk({ content })),
    openai.chunk({}, "stop"),
    openai.usage({
      prompt_tokens: 1200,
      completion_tokens: 300,
      total_tokens: 1500,
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 64, audio_tokens: 0 },
    }),
  ]);

export const openaiCalls = (
  calls: { index: number; id?: string; name?: string; arguments: string }[],
): string =>
  openai.stream([
    openai.chunk({ role: "assistant", content: null }),
    ...calls.map(({ index, id, name, arguments: text }) =>
      openai.chunk({
        tool_calls: [
          {
            index,
            ...(id ? { id, type: "function" } : {}),
            function: { ...(name ? { name } : {}), arguments: text },
          },
        ],
      }),
    ),
    openai.chunk({}, "tool_calls"),
    openai.usage({ prompt_tokens: 90, completion_tokens: 20, total_tokens: 110 }),
  ]);

export const anthropic = {
  stream: (events: Data[]): string =>
    events.map((data) => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
  start: (usage: Data = { input_tokens: 25, output_tokens: 1 }): Data => ({
    type: "message_start",
    message: {
      id: "msg_01XFDU",
      type: "message",
      role: "assistant",
      model: "claude-haiku-4-5-20251001",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  }),
  ping: { type: "ping" } as Data,
  block: (index: number, content_block: Data, deltas: Data[]): Data[] => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ],
  end: (stop_reason: string, usage: Data = { output_tokens: 15 }): Data[] => [
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ],
};

export const anthropicText = (text: string): string =>
  anthropic.stream([
    anthropic.start({
      input_tokens: 25,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
      output_tokens: 1,
    }),
    ...anthropic.block(
      0,
      { type: "text", text: "" },
      [...text].map((piece) => ({ type: "text_delta", text: piece })),
    ),
    ...anthropic.end("end_turn"),
  ]);

export const google = {
  stream: (events: Data[]): string => events.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join(""),
  chunk: (
    parts: Data[],
    finishReason?: string,
    usageMetadata: Data = { promptTokenCount: 40, totalTokenCount: 40 },
  ): Data => ({
    candidates: [{ content: { parts, role: "model" }, ...(finishReason ? { finishReason } : {}), index: 0 }],
    usageMetadata,
    modelVersion: "gemini-3.5-flash",
    responseId: "kPz0aN",
  }),
};

export const googleText = (text: string): string =>
  google.stream([
    ...[...text].map((piece) => google.chunk([{ text: piece }])),
    google.chunk([{ text: "" }], "STOP", {
      promptTokenCount: 500,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 12,
      thoughtsTokenCount: 30,
      totalTokenCount: 542,
    }),
  ]);

/** Workers AI through its binding: what its older models stream. */
export const workersAi = {
  chunk: (fields: Data): Data => ({ response: "", p: "abdefgh", ...fields }),
  stream: (events: Data[]): string => `${sse(events)}data: [DONE]\n\n`,
};

export const workersAiText = (text: string): string =>
  workersAi.stream([
    ...[...text].map((response) => workersAi.chunk({ response })),
    workersAi.chunk({
      usage: {
        prompt_tokens: 70,
        completion_tokens: 6,
        total_tokens: 76,
        prompt_tokens_details: { cached_tokens: 64 },
      },
    }),
  ]);

export const page: Reply = {
  headers: { "content-type": "text/html; charset=utf-8" },
  pieces: ["<!doctype html><title>Sign in</title><p>secret-body</p>"],
};
