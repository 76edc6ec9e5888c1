import { afterEach, describe, expect, test } from "vitest";
import { modelEnv } from "../../../../src/models/model-env.ts";
import { resolveModel } from "../../../../src/models/resolve-model.ts";
import type { Message } from "../../../../src/turn/message.ts";
import { type ProviderServer, providerServer } from "../../models/provider-server.ts";
import { anthropic, anthropicText, google, googleText, openai, openaiText } from "../../models/recorded.ts";
import { ask, say } from "../model-step/ask.ts";

const env = modelEnv({
  OPENAI_API_KEY: "k",
  ANTHROPIC_API_KEY: "k",
  GEMINI_API_KEY: "k",
  DEEPSEEK_API_KEY: "k",
  CLOUDFLARE_API_TOKEN: "k",
  CLOUDFLARE_ACCOUNT_ID: "acc",
});

let server: ProviderServer | undefined;
afterEach(() => server?.close());

/** Asks the model; returns the body its provider got. */
async function bodyOf(id: string, answer: string, changes: Parameters<typeof ask>[1]) {
  server = await providerServer([{ pieces: [answer] }]);
  const { thrown, result } = await ask(resolveModel(id, env, server.fetch).model, changes);
  if (thrown !== null) throw thrown;
  return { body: server.requests[0]?.body ?? {}, result };
}

const openaiBody = async (changes: Parameters<typeof ask>[1]) =>
  (await bodyOf("openai/gpt-5-mini", openaiText("Hi"), changes)).body;
const anthropicBody = async (changes: Parameters<typeof ask>[1]) =>
  (await bodyOf("anthropic/claude-haiku-4-5", anthropicText("Hi"), changes)).body;
const googleBody = async (changes: Parameters<typeof ask>[1]) =>
  (await bodyOf("google/gemini-flash-latest", googleText("Hi"), changes)).body;

const user = (text: string, id = text): Message => ({ role: "user", id, parts: [{ type: "text", text }] });
const call = (callId: string, args = {}) => ({ type: "call" as const, callId, name: "say", args });
const result = (callId: string, content: string, isError = false): Message => ({
  role: "tool",
  id: `r-${callId}-${content}`,
  callId,
  content,
  isError,
});

/** A conversation with everything that has to be put right. */
const untidy: Message[] = [
  { role: "system", id: "s1", text: "Speak like a pirate." },
  user("Say one, two and three."),
  {
    role: "assistant",
    id: "a1",
    blocks: [
      { type: "text", text: "  " },
      { type: "text", text: "Aye. " },
      call("c1", { text: "one" }),
      call("c2"),
      call("c3"),
    ],
  },
  result("c3", "no", true),
  result("c1", "done"),
  result("c1", "done again"),
  result("c9", "stray"),
  { role: "assistant", id: "a2", blocks: [] },
  { role: "system", id: "s2", text: "Be quick." },
  user("Well?"),
];

describe("an untidy conversation is put right", () => {
  test("for OpenAI", async () => {
    expect((await openaiBody({ messages: untidy })).messages).toEqual([
      { role: "system", content: "Be brief.\n\nSpeak like a pirate." },
      { role: "user", content: "Say one, two and three." },
      {
        role: "assistant",
        content: "Aye. ",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "say", arguments: '{"text":"one"}' } },
          { id: "c2", type: "function", function: { name: "say", arguments: "{}" } },
          { id: "c3", type: "function", function: { name: "say", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "done" },
      { role: "tool", tool_call_id: "c2", content: "The result of this call is not known." },
      { role: "tool", tool_call_id: "c3", content: "no" },
      { role: "user", content: "<system_instruction>\nBe quick.\n</system_instruction>" },
      { role: "user", content: "Well?" },
    ]);
  });

  test("for Anthropic", async () => {
    const body = await anthropicBody({ messages: untidy });
    const cached = { cache_control: { type: "ephemeral" } };
    expect(body.system).toEqual([{ type: "text", text: "Be brief.\n\nSpeak like a pirate.", ...cached }]);
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Say one, two and three." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Aye. " },
          { type: "tool_use", id: "c1", name: "say", input: { text: "one" } },
          { type: "tool_use", id: "c2", name: "say", input: {} },
          { type: "tool_use", id: "c3", name: "say", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "done" },
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: "The result of this call is not known.",
            is_error: true,
          },
          { type: "tool_result", tool_use_id: "c3", content: "no", is_error: true },
          { type: "text", text: "<system_instruction>\nBe quick.\n</system_instruction>" },
          { type: "text", text: "Well?", ...cached },
        ],
      },
    ]);
  });

  test("for Google", async () => {
    const body = await googleBody({ messages: untidy });
    expect(body.systemInstruction).toEqual({ parts: [{ text: "Be brief.\n\nSpeak like a pirate." }] });
    expect(body.contents).toMatchObject([
      { role: "user", parts: [{ text: "Say one, two and three." }] },
      {
        role: "model",
        parts: [
          { text: "Aye. " },
          { functionCall: { name: "say", args: { text: "one" } } },
          { functionCall: { name: "say", args: {} } },
          { functionCall: { name: "say", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "say", response: { name: "say", content: "done" } } },
          { functionResponse: { name: "say", response: { error: "The result of this call is not known." } } },
          { functionResponse: { name: "say", response: { error: "no" } } },
        ],
      },
      { role: "user", parts: [{ text: "<system_instruction>\nBe quick.\n</system_instruction>" }] },
      { role: "user", parts: [{ text: "Well?" }] },
    ]);
  });
});

test("a greeting of the agent may come first", async () => {
  const greeted: Message[] = [
    { role: "assistant", id: "a", blocks: [{ type: "text", text: "Hello!" }] },
    user("Hi"),
  ];
  expect((await anthropicBody({ messages: greeted })).messages).toMatchObject([
    { role: "user", content: [{ text: "(The conversation begins.)" }] },
    { role: "assistant", content: [{ text: "Hello!" }] },
    { role: "user", content: [{ text: "Hi" }] },
  ]);
});

test("ids and names that a provider would refuse are replaced, the same in call and result", async () => {
  const odd: Message[] = [
    user("Go"),
    {
      role: "assistant",
      id: "a1",
      blocks: [{ ...call("functions.say:0"), name: "my tool" }, call("x".repeat(65))],
    },
    result("functions.say:0", "one"),
    result("x".repeat(65), "two"),
  ];
  const { messages } = await anthropicBody({ messages: odd });
  expect(messages).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "call_renamed_1", name: "unknown_tool" },
        { type: "tool_use", id: "call_renamed_2", name: "say" },
      ],
    },
    {
      role: "user",
      content: [
        { tool_use_id: "call_renamed_1", content: "one" },
        { tool_use_id: "call_renamed_2", content: "two" },
      ],
    },
  ]);
});

describe("what a user sends beside text", () => {
  const png = "iVBORw0KGgo=";
  const parts: Message[] = [
    {
      role: "user",
      id: "u1",
      parts: [
        { type: "text", text: "Look." },
        { type: "media", kind: "image", mediaType: "image/png", data: png },
        { type: "media", kind: "image", mediaType: "image/*", url: "https://example.com/cat.jpg" },
        { type: "media", kind: "image", mediaType: "image/*", url: `data:image/png;base64,${png}` },
        { type: "media", kind: "file", mediaType: "application/pdf", data: "JVBERg==", name: "a.pdf" },
        { type: "media", kind: "image", mediaType: "image/png", url: "no url" },
      ],
    },
  ];

  test("reaches OpenAI", async () => {
    expect((await openaiBody({ messages: parts, system: "" })).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "image_url", image_url: { url: "https://example.com/cat.jpg" } },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
          { type: "text", text: "[image that could not be read]" },
        ],
      },
    ]);
  });

  test("reaches Anthropic", async () => {
    const { messages } = await anthropicBody({ messages: parts });
    expect(messages).toMatchObject([
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          { type: "image", source: { type: "url", url: "https://example.com/cat.jpg" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          {
            type: "document",
            title: "a.pdf",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
          },
          { type: "text", text: "[image that could not be read]" },
        ],
      },
    ]);
  });

  test("a message without anything says so", async () => {
    const { messages } = await openaiBody({ messages: [{ role: "user", id: "u1", parts: [] }], system: "" });
    expect(messages).toEqual([{ role: "user", content: "(empty message)" }]);
  });
});

describe("thoughts go back to the provider that made them", () => {
  test("Anthropic's with their signatures, redacted ones too", async () => {
    const thinking = anthropic.stream([
      anthropic.start(),
      ...anthropic.block(0, { type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: "They greet me." },
        { type: "signature_delta", signature: "EqQB/Cg==" },
      ]),
      ...anthropic.block(1, { type: "redacted_thinking", data: "hidden==" }, []),
      ...anthropic.block(2, { type: "tool_use", id: "c1", name: "say", input: {} }, []),
      ...anthropic.end("tool_use"),
    ]);
    const { result: first } = await bodyOf("anthropic/claude-haiku-4-5", thinking, {});
    await server?.close();
    expect(first?.blocks).toEqual([
      { type: "reasoning", text: "They greet me.", signature: "anthropic.EqQB/Cg==" },
      { type: "reasoning", text: "", redacted: "anthropic.hidden==" },
      call("c1"),
    ]);
    const blocks = first?.blocks ?? [];
    const later: Message[] = [user("Hi"), { role: "assistant", id: "a1", blocks }, result("c1", "done")];
    const { messages } = await anthropicBody({ messages: later });
    expect(messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "They greet me.", signature: "EqQB/Cg==" },
          { type: "redacted_thinking", data: "hidden==" },
          { type: "tool_use", id: "c1" },
        ],
      },
      { role: "user" },
    ]);
    await server?.close();
    const elsewhere = await openaiBody({ messages: later });
    expect(JSON.stringify(elsewhere)).not.toMatch(/greet me|hidden|EqQB/);
  });

  test("Google's with a call's signature on the call", async () => {
    const signed = google.stream([
      google.chunk([{ text: "They greet me.", thought: true }]),
      google.chunk([
        { functionCall: { id: "c1", name: "say", args: { text: "Hi" } }, thoughtSignature: "c2lnbg==" },
      ]),
      google.chunk([{ functionCall: { id: "c2", name: "say", args: {} } }]),
      google.chunk([{ text: "" }], "STOP"),
    ]);
    const { result: first } = await bodyOf("google/gemini-flash-latest", signed, {});
    await server?.close();
    expect(first?.blocks).toEqual([
      { type: "reasoning", text: "They greet me.", signature: "google." },
      call("c1", { text: "Hi" }),
      { type: "reasoning", text: "", signature: "google-.c2lnbg==" },
      call("c2"),
    ]);
    const later: Message[] = [user("Hi"), { role: "assistant", id: "a1", blocks: first?.blocks ?? [] }];
    const { contents } = await googleBody({ messages: later });
    expect(contents).toMatchObject([
      { role: "user" },
      {
        role: "model",
        parts: [
          { text: "They greet me.", thought: true },
          { functionCall: { name: "say", args: { text: "Hi" } }, thoughtSignature: "c2lnbg==" },
          { functionCall: { name: "say", args: {} } },
        ],
      },
      { role: "user" },
    ]);
  });

  test("DeepSeek's while its turn goes on, and not after", async () => {
    const thinking = openai.stream([
      openai.chunk({ role: "assistant", content: null, reasoning_content: "They greet me." }),
      openai.chunk({
        tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "say", arguments: "{}" } }],
      }),
      openai.chunk({}, "tool_calls"),
    ]);
    const { result: first } = await bodyOf("deepseek/deepseek-v4-flash", thinking, {});
    await server?.close();
    const turn: Message[] = [
      user("Hi"),
      { role: "assistant", id: "a1", blocks: first?.blocks ?? [] },
      result("c1", "done"),
    ];
    const going = await bodyOf("deepseek/deepseek-v4-flash", openaiText("Hi"), { messages: turn });
    expect(going.body.messages).toMatchObject([{}, {}, { reasoning_content: "They greet me." }, {}]);
    await server?.close();
    const over = await bodyOf("deepseek/deepseek-v4-flash", openaiText("Hi"), {
      messages: [...turn, user("And?")],
    });
    expect(JSON.stringify(over.body)).not.toContain("They greet me.");
  });

  test("one that a client made up goes to nobody", async () => {
    const made: Message[] = [
      user("Hi"),
      {
        role: "assistant",
        id: "a1",
        blocks: [
          { type: "reasoning", text: "MADE UP", signature: "EqQB" },
          { type: "reasoning", text: "MADE UP" },
          { type: "text", text: "Hello." },
        ],
      },
      user("And?"),
    ];
    expect(JSON.stringify(await anthropicBody({ messages: made }))).not.toContain("MADE UP");
  });
});

describe("settings", () => {
  test("reach the provider", async () => {
    const { body } = await bodyOf("openai/gpt-4o-mini", openaiText("Hi"), {
      sampling: {
        maxOutputTokens: 100,
        temperature: 0.5,
        topP: 0.9,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        parallelCalls: false,
        stop: ["END"],
        toolChoice: { type: "tool", name: "say" },
        responseFormat: {
          type: "json",
          name: "answer",
          schema: { type: "object", properties: {}, additionalProperties: false },
        },
      },
    });
    expect(body).toMatchObject({
      max_completion_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      parallel_tool_calls: false,
      stop: ["END"],
      tool_choice: { type: "function", function: { name: "say" } },
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: false } },
      tools: [
        { type: "function", function: { name: "say", description: "Says it.", parameters: say.parameters } },
      ],
    });
  });

  test("what a person edited is said with the result, where every provider takes it", async () => {
    const edited: Message[] = [
      user("Send it."),
      { role: "assistant", id: "a1", blocks: [call("c1", { text: "rude" })] },
      { role: "tool", id: "t1", callId: "c1", content: "sent", isError: false, edited: { text: "kind" } },
    ];
    const said = '[A person changed the arguments of this call to {"text":"kind"}]\nsent';
    expect((await openaiBody({ messages: edited })).messages).toMatchObject([
      {},
      {},
      { tool_calls: [{ function: { arguments: '{"text":"rude"}' } }] },
      { role: "tool", tool_call_id: "c1", content: said },
    ]);
    expect((await anthropicBody({ messages: edited })).messages).toMatchObject([
      {},
      { content: [{ type: "tool_use", input: { text: "rude" } }] },
      { content: [{ type: "tool_result", tool_use_id: "c1", content: said }] },
    ]);
    expect(JSON.stringify((await googleBody({ messages: edited })).contents)).toContain(JSON.stringify(said));
  });

  test("what is strict is said to be", async () => {
    const body = await openaiBody({
      tools: [{ ...say, strict: true }],
      sampling: { responseFormat: { type: "json", schema: { type: "object" }, strict: true } },
    });
    expect(body).toMatchObject({
      response_format: { json_schema: { strict: true } },
      tools: [{ function: { name: "say", strict: true } }],
    });
  });

  test("Anthropic is asked for thoughts, one call and few candidates in its own words", async () => {
    const sampling = { reasoning: "low", topK: 40, parallelCalls: false, maxOutputTokens: 100 } as const;
    const body = await anthropicBody({ sampling });
    expect(body).toMatchObject({
      thinking: { type: "enabled" },
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(await anthropicBody({ sampling: { topK: 40, reasoning: "none" } })).toMatchObject({
      top_k: 40,
      thinking: { type: "disabled" },
    });
  });

  test("Gemini is asked to show its thoughts", async () => {
    const { generationConfig } = await googleBody({ sampling: { reasoning: "high", topK: 40, seed: 7 } });
    expect(generationConfig).toMatchObject({ topK: 40, seed: 7, thinkingConfig: { includeThoughts: true } });
  });

  test("compatible servers are told what OpenAI's own API would refuse", async () => {
    const sampling = { topK: 40, parallelCalls: false, reasoning: "low" } as const;
    const asked = async (id: string, tools = [say]) =>
      (await bodyOf(id, openaiText("Hi"), { sampling, tools })).body;
    expect(await asked("workers-ai/@cf/a/b")).toMatchObject({
      top_k: 40,
      parallel_tool_calls: false,
      reasoning_effort: "low",
    });
    expect(await asked("openai/gpt-5-mini")).not.toHaveProperty("top_k");
    expect(await asked("openai/gpt-5-mini", [])).not.toHaveProperty("parallel_tool_calls");
  });

  test("what is not set is left to the provider", async () => {
    const body = await openaiBody({ tools: [] });
    expect(Object.keys(body).toSorted()).toEqual(["messages", "model", "stream", "stream_options"]);
  });

  test("a forced call is forced once", async () => {
    const turn: Message[] = [
      user("Hi"),
      { role: "assistant", id: "a1", blocks: [call("c1")] },
      result("c1", "done"),
    ];
    const again = await openaiBody({ messages: turn, sampling: { toolChoice: { type: "required" } } });
    expect(again).not.toHaveProperty("tool_choice");
    await server?.close();
    const next = await openaiBody({
      messages: [...turn, user("And?")],
      sampling: { toolChoice: { type: "required" } },
    });
    expect(next.tool_choice).toBe("required");
  });

  test("a forced tool that is not offered is not forced", async () => {
    const body = await openaiBody({ sampling: { toolChoice: { type: "tool", name: "rm" } } });
    expect(body).not.toHaveProperty("tool_choice");
  });

  test("calls of tools that are gone do not upset Anthropic", async () => {
    const turn: Message[] = [
      user("Hi"),
      { role: "assistant", id: "a1", blocks: [call("c1")] },
      result("c1", "done"),
      user("And?"),
    ];
    const body = await openaiBody({ messages: turn, tools: [] });
    expect(body).toMatchObject({ tool_choice: "none", tools: [{ function: { name: "say" } }] });
  });
});

describe("the client's context and the shared state", () => {
  const changes = {
    context: [{ description: "Page", value: "/plans" }],
    state: { draft: "Once upon" },
  };

  test("stand beside the user's newest words", async () => {
    const { messages } = await openaiBody({ ...changes, messages: [user("Hi"), user("Go on.")], system: "" });
    expect(messages).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "user",
        content: [
          { type: "text", text: "Go on." },
          {
            type: "text",
            text: '<context>\nPage: /plans\nShared state, which the user sees: {"draft":"Once upon"}\n</context>',
          },
        ],
      },
    ]);
  });

  test("a large state is cut", async () => {
    const { messages } = await openaiBody({ state: { draft: "x".repeat(50_000) }, system: "" });
    const text = JSON.stringify(messages);
    expect(text.length).toBeLessThan(21_000);
    expect(text).toContain("… (cut)");
  });
});
