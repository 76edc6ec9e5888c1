import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

/** The vendor's client, and the replies it got. */
function client(options: { headers?: Record<string, string>; apiKey?: string; bearer?: boolean } = {}) {
  const asked: Response[] = [];
  const key = options.apiKey ?? engine.token;
  const anthropic = new Anthropic({
    ...(options.bearer === true ? { apiKey: null, authToken: key } : { apiKey: key, authToken: null }),
    baseURL: `${engine.url}/anthropic`,
    defaultHeaders: options.headers ?? {},
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      asked.push(response);
      return response;
    },
  });
  return { anthropic, asked };
}

const session = () => ({ "x-stackbone-session": crypto.randomUUID() });

function ask(content: string) {
  return { model: "playground", max_tokens: 1024, messages: [{ role: "user" as const, content }] };
}

const openModal: Anthropic.Tool = {
  name: "open_modal",
  description: "Opens a modal.",
  input_schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
};

describe("messages.create", () => {
  test("answers in one piece, the agent as the model", async () => {
    const { anthropic, asked } = client();
    const made = await anthropic.messages.create({
      model: "support",
      max_tokens: 1024,
      messages: [{ role: "user", content: "What plans do you offer?" }],
    });
    expect(made).toMatchObject({
      type: "message",
      role: "assistant",
      model: "support",
      content: [{ type: "text", text: "We offer Free, Pro and Team plans." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    });
    expect(made.id).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(made.usage.input_tokens).toBeGreaterThan(0);
    expect(made._request_id).toBe(asked[0]?.headers.get("x-request-id"));
    expect(asked[0]?.headers.get("x-greenroom-model")).toBe("scripted");
  });

  test("takes a bearer credential, instructions among the messages and turns in a row", async () => {
    const { anthropic } = client({ bearer: true });
    const made = await anthropic.messages.create({
      ...ask("Remember the word kiwi"),
      system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "user", content: "Remember the word kiwi" },
        { role: "system", content: "Be brief." },
        { role: "user", content: "Please." },
        { role: "user", content: [{ type: "text", text: "What was the word?" }] },
      ],
    });
    expect(made.content).toMatchObject([{ type: "text", text: "The word was kiwi." }]);
  });

  test("keeps a durable conversation of which only the new message is sent", async () => {
    const { anthropic } = client({ headers: session() });
    await anthropic.messages.create(ask("Remember the word mango"));
    const known = await anthropic.messages.create(ask("What was the word?"));
    expect(known.content).toMatchObject([{ type: "text", text: "The word was mango." }]);
  });

  test("honours a limit, stop sequences and a JSON format", async () => {
    const { anthropic } = client();
    const cut = await anthropic.messages.create({ ...ask("Count to 100"), max_tokens: 5 });
    expect(cut.stop_reason).toBe("max_tokens");
    const stopped = await anthropic.messages.create({ ...ask("Count to 100"), stop_sequences: ["5"] });
    expect(stopped.content).toMatchObject([{ type: "text", text: "1, 2, 3, 4, " }]);
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "5" });
    const streamed = await anthropic.messages
      .stream({ ...ask("Count to 100"), stop_sequences: ["nine", "7", "8"] })
      .finalMessage();
    expect(streamed).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "7" });
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const json = await anthropic.messages.create({
      ...ask("Hello"),
      output_config: { format: { type: "json_schema", schema } },
    });
    const [block] = json.content;
    expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual({ city: expect.any(String) });
  });

  test("takes pictures and documents, in a tool's result as well", async () => {
    const { anthropic } = client();
    const data = Buffer.from("bytes!").toString("base64");
    const image: Anthropic.ImageBlockParam = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data },
    };
    const made = await anthropic.messages.create({
      ...ask(""),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What did I send?" },
            image,
            { type: "document", source: { type: "base64", media_type: "application/pdf", data } },
          ],
        },
      ],
    });
    expect(made.content).toMatchObject([
      { type: "text", text: "You sent image (image/png), file (application/pdf)." },
    ]);
    const seen = await anthropic.messages.create({
      ...ask(""),
      messages: [
        { role: "user", content: "Look." },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "shot", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: [image] },
            { type: "text", text: "What did I send?" },
          ],
        },
      ],
    });
    expect(seen.content).toMatchObject([{ type: "text", text: "You sent image (image/png)." }]);
  });
});

describe("streams", () => {
  test("of the helper end in the same message, event by event", async () => {
    const { anthropic } = client();
    const prompt = "Say something first, then tell me the weather in Paris and Oslo";
    const running = anthropic.messages.stream(ask(prompt));
    const names: string[] = [];
    const indexes: number[] = [];
    running.on("streamEvent", (event) => {
      names.push(event.type);
      if (event.type === "content_block_start") indexes.push(event.index);
    });
    const streamed = await running.finalMessage();
    const whole = await anthropic.messages.create(ask(prompt));
    const shape = (message: Anthropic.Message) =>
      message.content.map((block) => (block.type === "tool_use" ? { ...block, id: "" } : block));
    expect(shape(streamed)).toEqual(shape(whole));
    expect(streamed.content).toMatchObject([
      { type: "text", text: "Let me see. " },
      { type: "tool_use", name: "weather", input: { city: "Paris" } },
      { type: "tool_use", name: "weather", input: { city: "Oslo" } },
      { type: "text", text: "Paris: 13 °C, sunny. Oslo: 20 °C, cloudy." },
    ]);
    expect([streamed.stop_reason, streamed.usage]).toEqual([whole.stop_reason, whole.usage]);
    expect(streamed.stop_reason).toBe("end_turn");
    expect([names[0], names.at(-2), names.at(-1)]).toEqual([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
    expect(indexes).toEqual([0, 1, 2, 3]);
  });

  test("arrive in pieces while the agent is still speaking", async () => {
    const { anthropic } = client();
    const began = Date.now();
    let first: number | null = null;
    let pieces = 0;
    const running = await anthropic.messages.create({ ...ask("Count slowly to 80"), stream: true });
    for await (const event of running) {
      if (event.type !== "content_block_delta") continue;
      first ??= Date.now() - began;
      pieces += 1;
    }
    expect(pieces).toBeGreaterThanOrEqual(80);
    expect(first ?? Number.POSITIVE_INFINITY).toBeLessThan((Date.now() - began) / 2);
  });

  test("carry thoughts with a signature that is taken back", async () => {
    const { anthropic } = client();
    const made = await anthropic.messages.stream(ask("Think about tea")).finalMessage();
    expect(made.content).toEqual([
      {
        type: "thinking",
        thinking: "The user wants me to think about tea I have thought about it.",
        signature: expect.stringMatching(/./),
      },
      { type: "text", text: "I thought about tea" },
    ]);
    const again = await anthropic.messages.create({
      ...ask(""),
      thinking: { type: "enabled", budget_tokens: 1024 },
      messages: [
        { role: "user", content: "Think about tea" },
        { role: "assistant", content: made.content },
        { role: "user", content: "Hello" },
      ],
    });
    expect(again.content).toMatchObject([{ type: "text", text: "You said: Hello" }]);
  });

  test("carry any text whole, and a silent answer", async () => {
    const { anthropic } = client();
    const whole = await anthropic.messages.create(ask("Unicode"));
    expect((await anthropic.messages.stream(ask("Unicode")).finalMessage()).content).toEqual(whole.content);
    const silent = await anthropic.messages.stream(ask("Say nothing")).finalMessage();
    expect([silent.content, silent.stop_reason]).toEqual([[], "end_turn"]);
  });
});

describe("tools", () => {
  test("of the client are called, answered and used, stateless and durable", async () => {
    for (const headers of [{}, session()]) {
      const { anthropic } = client({ headers });
      const first = await anthropic.messages
        .stream({ ...ask("Use my tool"), tools: [openModal] })
        .finalMessage();
      expect(first.stop_reason).toBe("tool_use");
      expect(first.content).toMatchObject([
        { type: "tool_use", name: "open_modal", input: { title: expect.any(String) } },
      ]);
      const [call] = first.content;
      const second = await anthropic.messages.create({
        ...ask(""),
        tools: [openModal],
        messages: [
          { role: "user", content: "Use my tool" },
          { role: "assistant", content: first.content },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: call?.type === "tool_use" ? call.id : "",
                content: '{"opened":true}',
              },
            ],
          },
        ],
      });
      expect(second).toMatchObject({
        stop_reason: "end_turn",
        content: [{ type: "text", text: 'open_modal says: {"opened":true}' }],
      });
    }
  });

  test("that failed at the client are told so", async () => {
    const { anthropic } = client();
    const made = await anthropic.messages.create({
      ...ask(""),
      messages: [
        { role: "user", content: "Use my tool" },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "open_modal", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "blocked" }],
        },
      ],
    });
    expect(made.content).toMatchObject([{ type: "text", text: "open_modal failed: blocked" }]);
  });

  test("are called when insisted on, and not when forbidden", async () => {
    const { anthropic } = client();
    for (const tool_choice of [
      { type: "any" as const },
      { type: "tool" as const, name: "open_modal", disable_parallel_tool_use: true },
    ]) {
      const made = await anthropic.messages.create({ ...ask("Hello"), tools: [openModal], tool_choice });
      expect(made.content.some((block) => block.type === "tool_use")).toBe(true);
    }
    const forbidden = await anthropic.messages.create({
      ...ask("Use my tool"),
      tools: [openModal],
      tool_choice: { type: "none" },
    });
    expect(forbidden.stop_reason).toBe("end_turn");
  });

  test("are called one at a time when asked to", async () => {
    const { anthropic } = client();
    const prompt = { ...ask("Use my tool and tell me the weather in Paris"), tools: [openModal] };
    const single = { ...prompt, tool_choice: { type: "auto" as const, disable_parallel_tool_use: true } };
    const made = async (request: Anthropic.MessageCreateParamsNonStreaming) => {
      const { content } = await anthropic.messages.create(request);
      return { content, said: content.map((block) => (block.type === "tool_use" ? block.name : block.type)) };
    };
    expect((await made(prompt)).said).toEqual(["open_modal", "weather"]);
    const first = await made(single);
    expect(first.said).toEqual(["open_modal"]);
    const [call] = first.content;
    const results = [
      {
        type: "tool_result" as const,
        tool_use_id: call?.type === "tool_use" ? call.id : "",
        content: "opened",
      },
    ];
    const messages = [
      ...prompt.messages,
      { role: "assistant" as const, content: first.content },
      { role: "user" as const, content: results },
    ];
    const second = await made({ ...single, messages });
    expect(second.said).toEqual(["weather", "text"]);
    expect(second.content.at(-1)).toMatchObject({
      text: expect.stringMatching(/^open_modal says: opened Paris: /),
    });
  });

  test("that wait for a person stop the turn with the call open", async () => {
    const { anthropic, asked } = client({ headers: session() });
    const paused = await anthropic.messages.stream(ask("Delete notes.txt")).finalMessage();
    expect(paused).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "delete_file", input: { path: "notes.txt" } }],
    });
    for (const stream of [false, true]) {
      await expect(anthropic.messages.create({ ...ask("Hello"), stream })).rejects.toMatchObject({
        constructor: Anthropic.ConflictError,
        type: "invalid_request_error",
        message: expect.stringContaining("A tool approval is pending for this session"),
      });
    }
    expect(asked).toHaveLength(3);
  });
});

describe("models and tokens", () => {
  test("list the agents, page by page", async () => {
    const { anthropic } = client();
    const names: string[] = [];
    for await (const model of anthropic.models.list({ limit: 1 })) names.push(model.id);
    expect(names).toEqual(expect.arrayContaining(["freight", "planner", "playground", "support"]));
    expect(new Set(names).size).toBe(names.length);
    expect(await anthropic.models.retrieve("support")).toMatchObject({
      type: "model",
      id: "support",
      display_name: "support",
    });
    await expect(anthropic.models.retrieve("no/such")).rejects.toMatchObject({
      constructor: Anthropic.NotFoundError,
      type: "not_found_error",
    });
    await expect(anthropic.models.list({ limit: 0 })).rejects.toThrow(Anthropic.BadRequestError);
  });

  test("count more for every instruction, tool and message", async () => {
    const { anthropic } = client();
    const count = async (more: Partial<Anthropic.MessageCountTokensParams>) => {
      const { max_tokens: _, ...asked } = ask("Hello");
      return (await anthropic.messages.countTokens({ ...asked, ...more })).input_tokens;
    };
    const bare = await count({});
    expect(bare).toBeGreaterThan(0);
    expect(await count({ system: "x".repeat(400) })).toBe(bare + 104);
    expect(await count({ tools: [openModal] })).toBeGreaterThan(bare + 10);
    const long = [{ role: "user" as const, content: "x".repeat(400) }];
    expect(await count({ messages: [...long, ...long] })).toBeGreaterThan(bare + 190);
    await expect(count({ model: "gpt" })).rejects.toMatchObject({
      constructor: Anthropic.NotFoundError,
      type: "not_found_error",
    });
  });
});

describe("errors", () => {
  test("are typed and carry the request id", async () => {
    const wrong = client({ apiKey: "another" }).anthropic;
    await expect(wrong.messages.create(ask("Hello"))).rejects.toMatchObject({
      constructor: Anthropic.AuthenticationError,
      type: "authentication_error",
      requestID: expect.any(String),
    });
    const { anthropic } = client();
    for (const stream of [false, true]) {
      const unknown = anthropic.messages.create({ ...ask("Hello"), model: "gpt", stream });
      await expect(unknown).rejects.toMatchObject({
        constructor: Anthropic.NotFoundError,
        type: "not_found_error",
      });
    }
    await expect(anthropic.messages.create({ ...ask("Hello"), max_tokens: 0 })).rejects.toMatchObject({
      constructor: Anthropic.BadRequestError,
      message: expect.stringContaining("max_tokens"),
    });
    await expect(anthropic.messages.create(ask("Delete notes.txt"))).rejects.toMatchObject({
      constructor: Anthropic.BadRequestError,
      message: expect.stringContaining("x-stackbone-session"),
    });
  });

  test("of a tool result that answers no call name it", async () => {
    const { anthropic } = client();
    const messages: Anthropic.MessageParam[] = [
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_nobody", content: "x" }] },
    ];
    await expect(anthropic.messages.create({ ...ask(""), messages })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("toolu_nobody"),
    });
  });

  test("of a model before its first word have a status, whole and streamed", async () => {
    const { anthropic, asked } = client({ headers: session() });
    await expect(anthropic.messages.create(ask("Fail as rate_limited"))).rejects.toMatchObject({
      constructor: Anthropic.RateLimitError,
      type: "rate_limit_error",
    });
    await expect(anthropic.messages.stream(ask("Fail as unavailable")).finalMessage()).rejects.toMatchObject({
      status: 529,
      type: "overloaded_error",
    });
    // Kept by the session, so not to be sent again.
    expect(asked).toHaveLength(2);
  });

  test("under way end the stream", async () => {
    const { anthropic } = client();
    const running = anthropic.messages.stream(ask("Fail after some text as unavailable"));
    const pieces: string[] = [];
    running.on("text", (piece) => pieces.push(piece));
    await expect(running.finalMessage()).rejects.toMatchObject({ type: "overloaded_error" });
    expect(pieces.join("")).toBe("This answer begins well, ");
  });
});
