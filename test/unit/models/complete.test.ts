import { afterEach, describe, expect, test } from "vitest";
import { type Completion, complete } from "../../../src/models/complete.ts";
import type { LanguageModel, ModelCall } from "../../../src/models/language-model.ts";
import { modelEnv } from "../../../src/models/model-env.ts";
import { ModelError, ModelStallError } from "../../../src/models/model-error.ts";
import { resolveModel } from "../../../src/models/resolve-model.ts";
import { systemTiming } from "../../../src/models/timing.ts";
import {
  bindingTo,
  type ProviderServer,
  providerServer,
  type Reply,
  stillTiming,
} from "./provider-server.ts";
import {
  anthropic,
  anthropicText,
  google,
  googleText,
  openai,
  openaiCalls,
  openaiText,
  page,
  workersAi,
  workersAiText,
} from "./recorded.ts";

const key = "sk-canary-0123456789";
const keys = {
  OPENAI_API_KEY: key,
  ANTHROPIC_API_KEY: key,
  GEMINI_API_KEY: key,
  DEEPSEEK_API_KEY: key,
  CLOUDFLARE_API_TOKEN: key,
  CLOUDFLARE_ACCOUNT_ID: "acc0123",
};
/** The one that is asked through the Worker's binding. */
const boundId = "workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast";

function modelOf(id: string, fetch: typeof globalThis.fetch): LanguageModel {
  return resolveModel(id, modelEnv(id === boundId ? { ...keys, AI: bindingTo(fetch) } : keys), fetch).model;
}

const call: ModelCall = {
  prompt: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Hello?" }] },
  ],
  tools: [
    {
      type: "function",
      name: "say",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
    },
  ],
};

/** The same situations in each provider's own shape. */
const shapes = [
  {
    id: "openai/gpt-5-mini",
    host: "api.openai.com",
    path: "/v1/chat/completions",
    credential: { authorization: `Bearer ${key}` },
    text: openaiText,
    usage: {
      inputTokens: 1200,
      cachedInputTokens: 1024,
      cacheWriteTokens: 0,
      outputTokens: 300,
      reasoningTokens: 64,
    },
    stop: { unified: "stop", raw: "stop" },
    calls: { unified: "tool-calls", raw: "tool_calls" },
    reasoning: openai.stream([
      openai.chunk({ role: "assistant", content: null, reasoning_content: "They greet " }),
      openai.chunk({ reasoning_content: "me." }),
      openai.chunk({ content: "Hi." }),
      openai.chunk({}, "stop"),
    ]),
    twoCalls: openaiCalls([
      { index: 0, id: "call_a", name: "say", arguments: "" },
      { index: 0, arguments: '{"text":' },
      { index: 0, arguments: '"one"}' },
      { index: 1, id: "call_b", name: "say", arguments: '{"text":"two"}' },
    ]),
    sameId: openaiCalls([
      { index: 0, id: "call_a", name: "say", arguments: '{"text":"one"}' },
      { index: 1, id: "call_a", name: "say", arguments: '{"text":"two"}' },
    ]),
    badArguments: openaiCalls([{ index: 0, id: "call_a", name: "say", arguments: '{"text": "on' }]),
    limited: { error: { message: "secret-body", type: "requests", code: "rate_limit_exceeded" } },
    midError: openai.stream([
      openai.chunk({ content: "Hi" }),
      { error: { message: "secret-body", type: "server_error" } },
    ]),
    midErrorStatus: undefined,
    cut: `data: ${JSON.stringify(openai.chunk({ content: "Hi" }))}\n\n`,
  },
  {
    id: "anthropic/claude-haiku-4-5",
    host: "api.anthropic.com",
    path: "/v1/messages",
    credential: { "x-api-key": key },
    text: anthropicText,
    usage: {
      inputTokens: 2125,
      cachedInputTokens: 2000,
      cacheWriteTokens: 100,
      outputTokens: 15,
      reasoningTokens: 0,
    },
    stop: { unified: "stop", raw: "end_turn" },
    calls: { unified: "tool-calls", raw: "tool_use" },
    reasoning: anthropic.stream([
      anthropic.start(),
      anthropic.ping,
      ...anthropic.block(0, { type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: "They greet " },
        { type: "thinking_delta", thinking: "me." },
        { type: "signature_delta", signature: "EqQBCg" },
      ]),
      ...anthropic.block(1, { type: "text", text: "" }, [{ type: "text_delta", text: "Hi." }]),
      ...anthropic.end("end_turn"),
    ]),
    twoCalls: anthropic.stream([
      anthropic.start(),
      ...anthropic.block(0, { type: "tool_use", id: "call_a", name: "say", input: {} }, [
        { type: "input_json_delta", partial_json: "" },
        { type: "input_json_delta", partial_json: '{"text":' },
        { type: "input_json_delta", partial_json: '"one"}' },
      ]),
      ...anthropic.block(1, { type: "tool_use", id: "call_b", name: "say", input: {} }, [
        { type: "input_json_delta", partial_json: '{"text":"two"}' },
      ]),
      ...anthropic.end("tool_use"),
    ]),
    sameId: anthropic.stream([
      anthropic.start(),
      ...anthropic.block(0, { type: "tool_use", id: "call_a", name: "say", input: {} }, [
        { type: "input_json_delta", partial_json: '{"text":"one"}' },
      ]),
      ...anthropic.block(1, { type: "tool_use", id: "call_a", name: "say", input: {} }, [
        { type: "input_json_delta", partial_json: '{"text":"two"}' },
      ]),
      ...anthropic.end("tool_use"),
    ]),
    badArguments: anthropic.stream([
      anthropic.start(),
      ...anthropic.block(0, { type: "tool_use", id: "call_a", name: "say", input: {} }, [
        { type: "input_json_delta", partial_json: '{"text": "on' },
      ]),
      ...anthropic.end("tool_use"),
    ]),
    limited: { type: "error", error: { type: "rate_limit_error", message: "secret-body" } },
    midError: anthropic.stream([
      anthropic.start(),
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "error", error: { type: "overloaded_error", message: "secret-body" } },
    ]),
    midErrorStatus: 529,
    cut: anthropic.stream([
      anthropic.start(),
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    ]),
  },
  {
    id: "google/gemini-flash-latest",
    host: "generativelanguage.googleapis.com",
    path: "/v1beta/models/gemini-flash-latest:streamGenerateContent?alt=sse",
    credential: { "x-goog-api-key": key },
    text: googleText,
    usage: {
      inputTokens: 500,
      cachedInputTokens: 400,
      cacheWriteTokens: 0,
      outputTokens: 42,
      reasoningTokens: 30,
    },
    stop: { unified: "stop", raw: "STOP" },
    calls: { unified: "tool-calls", raw: "STOP" },
    reasoning: google.stream([
      google.chunk([{ text: "They greet ", thought: true }]),
      google.chunk([{ text: "me.", thought: true }]),
      google.chunk([{ text: "Hi.", thoughtSignature: "CqQB" }], "STOP"),
    ]),
    twoCalls: google.stream([
      google.chunk([
        { functionCall: { id: "call_a", name: "say", args: { text: "one" } }, thoughtSignature: "CqQB" },
      ]),
      google.chunk([{ functionCall: { id: "call_b", name: "say", args: { text: "two" } } }], "STOP"),
    ]),
    sameId: google.stream([
      google.chunk(
        [
          { functionCall: { id: "call_a", name: "say", args: { text: "one" } } },
          { functionCall: { id: "call_a", name: "say", args: { text: "two" } } },
        ],
        "STOP",
      ),
    ]),
    // Gemini sends arguments as an object; a server in between may hand on a string.
    badArguments: google.stream([
      google.chunk([{ functionCall: { id: "call_a", name: "say", args: '{"text": "on' } }], "STOP"),
    ]),
    limited: { error: { code: 429, message: "secret-body", status: "RESOURCE_EXHAUSTED" } },
    midError: google.stream([
      google.chunk([{ text: "Hi" }]),
      { error: { code: 503, message: "secret-body", status: "UNAVAILABLE" } },
    ]),
    midErrorStatus: 503,
    cut: google.stream([google.chunk([{ text: "Hi" }])]),
  },
  {
    id: "workers-ai/@cf/moonshotai/kimi-k2.6",
    host: "api.cloudflare.com",
    path: "/client/v4/accounts/acc0123/ai/v1/chat/completions",
    credential: { authorization: `Bearer ${key}` },
    text: openaiText,
    usage: {
      inputTokens: 1200,
      cachedInputTokens: 1024,
      cacheWriteTokens: 0,
      outputTokens: 300,
      reasoningTokens: 64,
    },
    stop: { unified: "stop", raw: "stop" },
    calls: { unified: "tool-calls", raw: "tool_calls" },
    reasoning: openai.stream([
      openai.chunk({ role: "assistant", content: null, reasoning: "They greet " }),
      openai.chunk({ reasoning_content: "me." }),
      openai.chunk({ content: "Hi." }),
      openai.chunk({}, "stop"),
    ]),
    // A call ends with a piece that is empty all over.
    twoCalls: openai.stream([
      openai.chunk({ tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "say" } }] }),
      openai.chunk({ tool_calls: [{ index: 0, function: { arguments: '{"text":' } }] }),
      openai.chunk({ tool_calls: [{ index: 0, function: { arguments: '"one"}' } }] }),
      openai.chunk({
        tool_calls: [{ index: 1, id: null, type: null, function: { name: null, arguments: "" } }],
      }),
      openai.chunk({
        tool_calls: [
          {
            index: 1,
            id: "call_b",
            type: "function",
            function: { name: "say", arguments: '{"text":"two"}' },
          },
        ],
      }),
      openai.chunk({}, "tool_calls"),
    ]),
    sameId: openaiCalls([
      { index: 0, id: "call_a", name: "say", arguments: '{"text":"one"}' },
      { index: 1, id: "call_a", name: "say", arguments: '{"text":"two"}' },
    ]),
    badArguments: openaiCalls([{ index: 0, id: "call_a", name: "say", arguments: '{"text": "on' }]),
    limited: { success: false, errors: [{ code: 3040, message: "secret-body" }] },
    midError: openai.stream([
      openai.chunk({ content: "Hi" }),
      { errors: [{ code: 3043, message: "secret-body" }] },
    ]),
    midErrorStatus: undefined,
    cut: `data: ${JSON.stringify(openai.chunk({ content: "Hi" }))}\n\n`,
  },
  {
    id: boundId,
    host: "ai.binding",
    path: "/run/@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    credential: {},
    text: workersAiText,
    usage: {
      inputTokens: 70,
      cachedInputTokens: 64,
      cacheWriteTokens: 0,
      outputTokens: 6,
      reasoningTokens: 0,
    },
    stop: { unified: "stop", raw: "stop" },
    calls: { unified: "tool-calls", raw: "tool_calls" },
    reasoning: openai.stream([
      openai.chunk({ reasoning_content: "They greet " }),
      openai.chunk({ reasoning_content: "me." }),
      openai.chunk({ content: "Hi." }),
      openai.chunk({}, "stop"),
    ]),
    twoCalls: workersAi.stream([
      workersAi.chunk({ tool_calls: [{ id: "call_a", name: "say", arguments: { text: "one" } }] }),
      workersAi.chunk({ tool_calls: [{ id: "call_b", name: "say", arguments: '{"text":"two"}' }] }),
      workersAi.chunk({ tool_calls: [], usage: { prompt_tokens: 9, completion_tokens: 9 } }),
    ]),
    sameId: workersAi.stream([
      workersAi.chunk({
        tool_calls: [
          { id: "call_a", name: "say", arguments: { text: "one" } },
          { id: "call_a", name: "say", arguments: { text: "two" } },
        ],
      }),
    ]),
    badArguments: workersAi.stream([
      workersAi.chunk({ tool_calls: [{ id: "call_a", name: "say", arguments: '{"text": "on' }] }),
    ]),
    limited: { errors: [{ code: 3040, message: "secret-body" }] },
    midError: workersAi.stream([
      workersAi.chunk({ response: "Hi" }),
      { errors: [{ code: 503, message: "secret-body" }] },
    ]),
    midErrorStatus: 503,
    cut: `data: ${JSON.stringify(workersAi.chunk({ response: "Hi" }))}\n\n`,
  },
] as const;

let server: ProviderServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(id: string, replies: Reply[], timing = stillTiming()): Promise<Completion> {
  server = await providerServer(replies);
  return complete(modelOf(id, server.fetch), call, { timing });
}

/** The error of a call that must fail, after checking that it carries neither key nor what the provider wrote. */
async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  const shown = `${error.message}\n${error.stack}\n${JSON.stringify(error)}\n${String(error.cause)}`;
  expect(shown).not.toContain("canary");
  expect(shown).not.toContain("secret-body");
  return error;
}

describe.each(shapes)("$id", (shape) => {
  const { id } = shape;

  test("a text answer, with its tokens and its reason to stop", async () => {
    expect(await ask(id, [{ pieces: [shape.text("Hello, who is this?")] }])).toEqual({
      text: "Hello, who is this?",
      reasoning: "",
      toolCalls: [],
      finishReason: shape.stop,
      usage: shape.usage,
    });
    expect(server?.requests).toHaveLength(1);
    const request = server?.requests[0];
    expect([request?.method, request?.host, request?.path]).toEqual(["POST", shape.host, shape.path]);
    expect(request?.headers).toMatchObject(shape.credential);
  });

  test("tool calls, whole, in order", async () => {
    const answer = await ask(id, [{ pieces: [shape.twoCalls] }]);
    expect(answer.toolCalls).toEqual([
      { id: "call_a", name: "say", input: '{"text":"one"}', arguments: { text: "one" } },
      { id: "call_b", name: "say", input: '{"text":"two"}', arguments: { text: "two" } },
    ]);
    expect(answer.finishReason).toEqual(shape.calls);
    expect(answer.text).toBe("");
  });

  test("calls that share an id keep apart", async () => {
    const { toolCalls } = await ask(id, [{ pieces: [shape.sameId] }]);
    expect(toolCalls.map(({ arguments: args }) => args)).toEqual([{ text: "one" }, { text: "two" }]);
    expect(toolCalls[0]?.id).toBe("call_a");
    expect(new Set(toolCalls.map((one) => one.id)).size).toBe(2);
  });

  test("arguments that are no JSON come as they are, with no object", async () => {
    const { toolCalls } = await ask(id, [{ pieces: [shape.badArguments] }]);
    expect(toolCalls).toEqual([{ id: "call_a", name: "say", input: '{"text": "on', arguments: null }]);
  });

  test("reasoning is kept apart from the text", async () => {
    const answer = await ask(id, [{ pieces: [shape.reasoning] }]);
    expect([answer.reasoning, answer.text]).toEqual(["They greet me.", "Hi."]);
  });

  test("pieces that end inside a character", async () => {
    const bytes = Buffer.from(shape.text("Zürich 🚚 ok"));
    const at = [bytes.indexOf("ü") + 1, bytes.indexOf("🚚") + 1, bytes.indexOf("🚚") + 3];
    const cuts = [0, ...at, bytes.length];
    const pieces = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
    expect((await ask(id, [{ pieces }])).text).toBe("Zürich 🚚 ok");
  });

  test("429 is tried again after the time the provider asks for", async () => {
    const timing = stillTiming();
    const limited = { status: 429, headers: { "retry-after": "7" }, pieces: [JSON.stringify(shape.limited)] };
    expect((await ask(id, [limited, { pieces: [shape.text("Hi")] }], timing)).text).toBe("Hi");
    expect(timing.slept).toEqual([7_000]);
    expect(server?.requests).toHaveLength(2);
    expect(server?.requests[1]?.body).toEqual(server?.requests[0]?.body);
  });

  test("429 for good", async () => {
    const timing = stillTiming();
    const limited = { status: 429, pieces: [JSON.stringify(shape.limited)] };
    const error = await failure(ask(id, [limited, limited, limited, limited, limited], timing));
    expect(error).toMatchObject({
      kind: "rate_limited",
      status: 429,
      message: `${id}: the provider limits the rate of requests (HTTP 429), after 4 tries`,
    });
    expect(timing.slept).toEqual([500, 1_000, 2_000]);
    expect(server?.requests).toHaveLength(4);
  });

  test("500, and then an answer", async () => {
    const timing = stillTiming();
    const broken = { status: 500, headers: { "content-type": "text/html" }, pieces: ["<p>secret-body</p>"] };
    expect((await ask(id, [broken, { pieces: [shape.text("Hi")] }], timing)).text).toBe("Hi");
    expect(timing.slept).toEqual([500]);
  });

  test("a refused key is not tried again", async () => {
    const error = await failure(ask(id, [{ status: 401, pieces: [JSON.stringify(shape.limited)] }]));
    expect(error).toMatchObject({
      kind: "auth",
      status: 401,
      message: `${id}: the provider refused the key (HTTP 401)`,
    });
    expect(server?.requests).toHaveLength(1);
  });

  test("a request it does not take is not tried again", async () => {
    const error = await failure(ask(id, [{ status: 400, pieces: ["secret-body"] }]));
    expect(error).toMatchObject({
      kind: "bad_request",
      status: 400,
      message: `${id}: the provider refused the request (HTTP 400)`,
    });
  });

  test("a model it does not have", async () => {
    const error = await failure(ask(id, [{ status: 404, pieces: ["secret-body"] }]));
    expect(error).toMatchObject({
      kind: "bad_request",
      status: 404,
      message: `${id}: the provider has no such model (HTTP 404)`,
    });
  });

  test("a redirect is not followed: the key stays where it belongs", async () => {
    const error = await failure(ask(id, [{ status: 307, headers: { location: "/elsewhere" }, pieces: [] }]));
    expect(error).toMatchObject({
      kind: "bad_request",
      status: 307,
      message: `${id}: the provider answered with a redirect, which is not followed (HTTP 307)`,
    });
    expect(server?.requests).toHaveLength(1);
  });

  test("a page instead of an answer", async () => {
    const error = await failure(ask(id, [page]));
    expect(error).toMatchObject({
      kind: "malformed",
      message: `${id}: the provider answered with text/html instead of an event stream`,
    });
  });

  test("events that are not JSON", async () => {
    const error = await failure(ask(id, [{ pieces: ["data: {secret-body\n\n"] }]));
    expect(error.kind).toBe("malformed");
    expect(error.message).toMatch(new RegExp(`^${id}: the answer could not be understood`));
  });

  test("an answer that stops before its end", async () => {
    const error = await failure(ask(id, [{ pieces: [shape.cut] }]));
    expect(error.kind).toBe("malformed");
  });

  test("a connection that breaks before any content is made again", async () => {
    const timing = stillTiming();
    const answer = await ask(
      id,
      [{ pieces: [": hi\n\n"], ending: "break" }, { pieces: [shape.text("Hi")] }],
      timing,
    );
    expect(answer.text).toBe("Hi");
    expect(timing.slept).toEqual([500]);
  });

  test("a connection that breaks inside the content is not", async () => {
    const error = await failure(ask(id, [{ pieces: [shape.cut], ending: "break" }]));
    expect(error).toMatchObject({
      kind: "unavailable",
      message: `${id}: the connection to the provider was lost`,
    });
    expect(server?.requests).toHaveLength(1);
  });

  test("an error inside the stream, after content", async () => {
    const error = await failure(ask(id, [{ pieces: [shape.midError] }]));
    expect([error.kind, error.status]).toEqual(["unavailable", shape.midErrorStatus]);
    expect(server?.requests).toHaveLength(1);
  });

  test.each([
    ["before the first piece", [] as string[]],
    ["between two pieces", [shape.cut]],
  ])("a stall %s ends the request", async (_when, pieces) => {
    server = await providerServer([{ pieces, ending: "hang" }]);
    const model = modelOf(id, server.fetch);
    const error = await failure(complete(model, call, { timing: systemTiming(), stallMs: 60 }));
    expect(error).toBeInstanceOf(ModelStallError);
    expect([error.kind, error.message]).toEqual(["stalled", `${id}: nothing arrived for 0.06 s`]);
    await expect.poll(() => server?.abandoned()).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  test("the caller's signal ends the request with its own reason", async () => {
    server = await providerServer([{ pieces: [shape.cut], ending: "hang" }]);
    const model = modelOf(id, server.fetch);
    const abort = new AbortController();
    const reason = new Error("the rehearsal was cancelled");
    const answer = complete(model, call, { timing: stillTiming(), signal: abort.signal });
    await expect.poll(() => server?.requests.length).toBe(1);
    abort.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect.poll(() => server?.abandoned()).toBe(1);
  });

  test("wherever the bytes are split, the answer is the same", async () => {
    const bytes = new TextEncoder().encode(shape.reasoning);
    const whole = await ask(id, [{ pieces: [bytes] }]);
    for (let cut = 1; cut < bytes.length; cut += 3) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.slice(0, cut));
          controller.enqueue(bytes.slice(cut));
          controller.close();
        },
      });
      const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
      const model = modelOf(id, fetch);
      expect(await complete(model, call, { timing: stillTiming() })).toEqual(whole);
    }
  });
});

describe("what only one provider does", () => {
  test("Anthropic reports overload as the first event of a 200: tried again", async () => {
    const timing = stillTiming();
    const overloaded = anthropic.stream([
      { type: "error", error: { type: "overloaded_error", message: "secret-body" } },
    ]);
    const answer = await ask(
      "anthropic/claude-haiku-4-5",
      [{ pieces: [overloaded] }, { pieces: [anthropicText("Hi")] }],
      timing,
    );
    expect(answer.text).toBe("Hi");
    expect(timing.slept).toEqual([500]);
  });

  test("Anthropic's pings are no stall", async () => {
    const ping = anthropic.stream([anthropic.ping]);
    const rest = anthropicText("Hi")
      .split("\n\n")
      .map((event) => `${event}\n\n`);
    server = await providerServer([
      { pieces: [rest[0] ?? "", ...Array<string>(60).fill(ping), ...rest.slice(1)] },
    ]);
    const model = modelOf("anthropic/claude-haiku-4-5", server.fetch);
    // 60 pings take longer than the limit, each gap is far below it.
    const answer = await complete(model, call, { timing: systemTiming(), stallMs: 100 });
    expect(answer.text).toBe("Hi");
  });

  test("Gemini answers 400 to a key it does not know", async () => {
    const body = {
      error: {
        code: 400,
        message: "secret-body",
        status: "INVALID_ARGUMENT",
        details: [{ reason: "API_KEY_INVALID" }],
      },
    };
    const error = await failure(
      ask("google/gemini-flash-latest", [{ status: 400, pieces: [JSON.stringify(body)] }]),
    );
    expect([error.kind, error.status]).toEqual(["auth", 400]);
  });

  test("an OpenAI refusal is text that ends as filtered", async () => {
    const refusal = openai.stream([
      openai.chunk({ role: "assistant", refusal: "I can't." }),
      openai.chunk({}, "stop"),
    ]);
    const answer = await ask("openai/gpt-5-mini", [{ pieces: [refusal] }]);
    expect([answer.text, answer.finishReason]).toEqual([
      "I can't.",
      { unified: "content-filter", raw: "stop" },
    ]);
  });

  test("a server that ignores streaming", async () => {
    const json = { headers: { "content-type": "application/json" }, pieces: ['{"choices":[]}'] };
    const error = await failure(ask("openai/gpt-5-mini", [json]));
    expect([error.kind, error.message]).toEqual([
      "malformed",
      "openai/gpt-5-mini: the provider answered with application/json instead of an event stream",
    ]);
  });

  test("tokens that were not counted are not zero", async () => {
    const uncounted = openai.stream([openai.chunk({ content: "Hi" }), openai.chunk({}, "stop")]);
    expect((await ask("openai/gpt-5-mini", [{ pieces: [uncounted] }])).usage).toBeNull();
    expect(server?.requests[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  test("Workers AI's binding gets a request in its own shape, and no key", async () => {
    const schema = { type: "object" as const, properties: { text: { type: "string" as const } } };
    const value = workersAi.stream([workersAi.chunk({ response: { text: "Hi" } })]);
    server = await providerServer([{ pieces: [value] }]);
    const answer = await complete(
      modelOf(boundId, server.fetch),
      {
        prompt: [
          { role: "user", content: [{ type: "text", text: "Hello?" }] },
          {
            role: "assistant",
            content: [{ type: "tool-call", toolCallId: "call_a", toolName: "say", input: { text: "one" } }],
          },
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: "call_a",
                toolName: "say",
                output: { type: "text", value: "ok" },
              },
            ],
          },
        ],
        responseFormat: { type: "json", schema },
        maxOutputTokens: 50,
      },
      { timing: stillTiming() },
    );
    expect(answer.text).toBe('{"text":"Hi"}');
    const [request] = server.requests;
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.body).toMatchObject({
      stream: true,
      max_tokens: 50,
      response_format: { type: "json_schema", json_schema: schema },
      messages: [
        { role: "user", content: "Hello?" },
        { role: "assistant", content: "", tool_calls: [{ id: "call_a", type: "function" }] },
        { role: "tool", tool_call_id: "call_a", content: "ok" },
      ],
    });
    expect(request?.body).not.toHaveProperty("model");
  });

  test("Workers AI's older models name calls only at times", async () => {
    const unnamed = workersAi.stream([
      workersAi.chunk({ tool_calls: [{ name: "say", arguments: { text: "one" } }] }),
      workersAi.chunk({ tool_calls: [{ name: "say", arguments: { text: "two" } }] }),
    ]);
    const { toolCalls } = await ask(boundId, [{ pieces: [unnamed] }]);
    expect(toolCalls.map(({ id, arguments: args }) => [id, args])).toEqual([
      ["call_0", { text: "one" }],
      ["call_1", { text: "two" }],
    ]);
  });

  test("a binding that cannot be reached is tried again", async () => {
    const timing = stillTiming();
    const AI = { run: () => Promise.reject(new Error("secret-body canary")) };
    const { model } = resolveModel(boundId, modelEnv({ AI }), fetch);
    const error = await failure(complete(model, call, { timing }));
    expect([error.kind, error.message]).toEqual([
      "unavailable",
      `${boundId}: the provider could not be reached, after 4 tries`,
    ]);
    expect(timing.slept).toEqual([500, 1_000, 2_000]);
  });

  test("DeepSeek's cache hits", async () => {
    const answer = openai.stream([
      openai.chunk({ content: "Hi" }),
      openai.chunk({}, "stop"),
      openai.usage({
        prompt_tokens: 50,
        completion_tokens: 9,
        prompt_cache_hit_tokens: 32,
        prompt_cache_miss_tokens: 18,
      }),
    ]);
    const { usage } = await ask("deepseek/deepseek-v4-flash", [{ pieces: [answer] }]);
    expect(usage).toEqual({
      inputTokens: 50,
      cachedInputTokens: 32,
      cacheWriteTokens: 0,
      outputTokens: 9,
      reasoningTokens: 0,
    });
    expect([server?.requests[0]?.host, server?.requests[0]?.path]).toEqual([
      "api.deepseek.com",
      "/chat/completions",
    ]);
  });
});

describe("limits", () => {
  test("a host that cannot be reached is named by the network's word for it", async () => {
    server = await providerServer([]);
    const { fetch } = server;
    await server.close();
    const timing = stillTiming();
    const error = await failure(complete(modelOf("openai/gpt-5-mini", fetch), call, { timing }));
    expect([error.kind, error.message]).toEqual([
      "unavailable",
      "openai/gpt-5-mini: the provider could not be reached (ECONNREFUSED), after 4 tries",
    ]);
    expect(timing.slept).toEqual([500, 1_000, 2_000]);
  });

  test("retries can be switched off", async () => {
    server = await providerServer([{ status: 503, pieces: [] }]);
    const model = modelOf("openai/gpt-5-mini", server.fetch);
    const error = await failure(complete(model, call, { timing: stillTiming(), retries: 0 }));
    expect([error.kind, error.message]).toEqual([
      "unavailable",
      "openai/gpt-5-mini: the provider is unavailable (HTTP 503)",
    ]);
  });

  test("an answer without end is cut off, and the provider is told", async () => {
    const endless = `data: ${JSON.stringify(openai.chunk({ content: "x".repeat(400) }))}\n\n`;
    server = await providerServer([{ pieces: Array<string>(20).fill(endless), ending: "hang" }]);
    const model = modelOf("openai/gpt-5-mini", server.fetch);
    const error = await failure(complete(model, call, { timing: stillTiming(), maxChars: 1_000 }));
    expect([error.kind, error.message]).toEqual([
      "malformed",
      "openai/gpt-5-mini: the answer is longer than 1000 characters",
    ]);
    await expect.poll(() => server?.abandoned()).toBe(1);
  });

  test("a connection left open after the end takes nothing from the answer", async () => {
    server = await providerServer([{ pieces: [anthropicText("Hi")], ending: "hang" }]);
    const model = modelOf("anthropic/claude-haiku-4-5", server.fetch);
    const answer = await complete(model, call, { timing: systemTiming(), stallMs: 60 });
    expect([answer.text, answer.finishReason]).toEqual(["Hi", { unified: "stop", raw: "end_turn" }]);
  });

  test("a signal that is already aborted asks nothing", async () => {
    server = await providerServer([]);
    const model = modelOf("openai/gpt-5-mini", server.fetch);
    const reason = new Error("cancelled");
    await expect(
      complete(model, call, { timing: stillTiming(), signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  test("a signal ends the wait before a retry", async () => {
    server = await providerServer([{ status: 429, headers: { "retry-after": "20" }, pieces: [] }]);
    const model = modelOf("openai/gpt-5-mini", server.fetch);
    const abort = new AbortController();
    const reason = new Error("cancelled");
    const answer = complete(model, call, { timing: systemTiming(), signal: abort.signal });
    await expect.poll(() => server?.requests.length).toBe(1);
    setTimeout(() => abort.abort(reason), 30);
    await expect(answer).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});
