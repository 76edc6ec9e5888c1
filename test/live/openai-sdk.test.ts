import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { LiveEngine, until } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

/** The vendor's client, and how often it asked. */
function client(options: { headers?: Record<string, string>; apiKey?: string; path?: string } = {}) {
  const asked: Response[] = [];
  const openai = new OpenAI({
    apiKey: options.apiKey ?? engine.token,
    baseURL: `${engine.url}${options.path ?? "/openai/v1"}`,
    defaultHeaders: options.headers ?? {},
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      asked.push(response);
      return response;
    },
  });
  return { openai, asked };
}

const session = () => ({ "x-stackbone-session": crypto.randomUUID() });

function ask(content: string) {
  return { model: "playground", messages: [{ role: "user" as const, content }] };
}

const openModal: OpenAI.ChatCompletionFunctionTool = {
  type: "function",
  function: {
    name: "open_modal",
    description: "Opens a modal.",
    parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  },
};

describe("chat.completions.create", () => {
  test("answers in one piece, the agent as the model", async () => {
    const { openai, asked } = client();
    const made = await openai.chat.completions.create({
      model: "support",
      messages: [{ role: "user", content: "What plans do you offer?" }],
    });
    expect(made).toMatchObject({ object: "chat.completion", model: "support" });
    expect(made.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect(Math.abs(made.created - Date.now() / 1000)).toBeLessThan(60);
    expect(made.choices).toEqual([
      {
        index: 0,
        message: { role: "assistant", content: "We offer Free, Pro and Team plans.", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
    const { prompt_tokens, completion_tokens, total_tokens } = made.usage ?? {};
    expect(total_tokens).toBe((prompt_tokens ?? 0) + (completion_tokens ?? 0));
    expect(made._request_id).toBe(asked[0]?.headers.get("x-request-id"));
    expect(asked[0]?.headers.get("x-greenroom-model")).toBe("scripted");
  });

  test("replays a stateless conversation and remembers nothing of it", async () => {
    const { openai } = client();
    const first = await openai.chat.completions.create(ask("Remember the word kiwi"));
    const said = first.choices[0]?.message;
    if (said === undefined) throw new Error("no choice");
    const known = await openai.chat.completions.create({
      model: "playground",
      messages: [
        { role: "user", content: "Remember the word kiwi" },
        said,
        { role: "user", content: "What was the word?" },
      ],
    });
    expect(known.choices[0]?.message.content).toBe("The word was kiwi.");
    const unknown = await openai.chat.completions.create(ask("What was the word?"));
    expect(unknown.choices[0]?.message.content).toBe("You have not told me a word.");
  });

  test("keeps a durable conversation of which only the new message is sent", async () => {
    const headers = session();
    const { openai } = client({ headers });
    await openai.chat.completions.create(ask("Remember the word mango"));
    const known = await openai.chat.completions.create(ask("What was the word?"));
    expect(known.choices[0]?.message.content).toBe("The word was mango.");
    const stranger = client({ headers: session() }).openai;
    const unknown = await stranger.chat.completions.create(ask("What was the word?"));
    expect(unknown.choices[0]?.message.content).toBe("You have not told me a word.");
  });

  test("honours a limit, a stop sequence and a JSON format", async () => {
    const { openai } = client();
    const cut = await openai.chat.completions.create({ ...ask("Count to 100"), max_completion_tokens: 5 });
    expect(cut.choices[0]?.finish_reason).toBe("length");
    const stopped = await openai.chat.completions.create({ ...ask("Count to 100"), stop: "5" });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "1, 2, 3, 4, " } });
    const json = await openai.chat.completions.create({
      ...ask("Hello"),
      response_format: { type: "json_object" },
    });
    expect(JSON.parse(json.choices[0]?.message.content ?? "")).toEqual({ reply: "You said: Hello" });
    const schema = z.object({ city: z.string(), stops: z.array(z.number()) });
    const parsed = await openai.chat.completions.parse({
      ...ask("Hello"),
      response_format: zodResponseFormat(schema, "trip"),
    });
    expect(schema.safeParse(parsed.choices[0]?.message.parsed).success).toBe(true);
  });

  test("takes pictures, sounds and files", async () => {
    const { openai } = client();
    const data = Buffer.from("bytes").toString("base64");
    const made = await openai.chat.completions.create({
      model: "playground",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What did I send?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
            { type: "image_url", image_url: { url: "https://example.com/a.jpg", detail: "low" } },
            { type: "input_audio", input_audio: { data, format: "wav" } },
            { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` } },
          ],
        },
      ],
    });
    expect(made.choices[0]?.message.content).toBe(
      "You sent image (image/png), image (image/*), audio (audio/wav), file (application/pdf).",
    );
  });
});

describe("streams", () => {
  test("of create are chunks with one id, the role first and one finish reason", async () => {
    const { openai } = client();
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await openai.chat.completions.create({
      ...ask("Count slowly to 80"),
      stream: true,
      stream_options: { include_usage: true },
    })) {
      chunks.push(chunk);
    }
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    const pieces = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ""));
    expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThanOrEqual(80);
    expect(pieces.join("")).toMatch(/^1, 2, 3, .*79, 80\.$/);
    const reasons = chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason));
    expect(reasons.filter((reason) => reason !== null)).toEqual(["stop"]);
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  test("arrive while the agent is still speaking", async () => {
    const { openai } = client();
    const began = Date.now();
    let first: number | null = null;
    const running = await openai.chat.completions.create({ ...ask("Count slowly to 80"), stream: true });
    for await (const { choices } of running) {
      if ((choices[0]?.delta.content ?? "") !== "") first ??= Date.now() - began;
    }
    expect(first ?? Number.POSITIVE_INFINITY).toBeLessThan((Date.now() - began) / 2);
  });

  test("of the stream helper end in the same completion", async () => {
    const { openai } = client();
    const runner = openai.chat.completions.stream(
      ask("Say something first, then tell me the weather in Paris and Oslo"),
    );
    const deltas: string[] = [];
    runner.on("content", (delta) => deltas.push(delta));
    const message = await runner.finalMessage();
    const completion = await runner.finalChatCompletion();
    expect(message.content).toBe("Let me see. \n\nParis: 13 °C, sunny. Oslo: 20 °C, cloudy.");
    expect(deltas.join("")).toBe(message.content);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(
      message.tool_calls?.map((call) => (call.type === "function" ? call.function : null)),
    ).toMatchObject([
      { name: "weather", arguments: '{"city":"Paris"}' },
      { name: "weather", arguments: '{"city":"Oslo"}' },
    ]);
  });

  test("carry any text whole", async () => {
    const { openai } = client();
    const runner = openai.chat.completions.stream(ask("Unicode"));
    const whole = await openai.chat.completions.create(ask("Unicode"));
    expect(await runner.finalContent()).toBe(whole.choices[0]?.message.content);
    expect(await runner.finalContent()).toContain("👩‍👩‍👧‍👦");
  });

  test("carry thoughts beside the text, and a silent answer", async () => {
    const { openai } = client();
    const runner = openai.chat.completions.stream(ask("Think about tea"));
    const message = await runner.finalMessage();
    expect(message.content).toBe("I thought about tea");
    const whole = await openai.chat.completions.create(ask("Think about tea"));
    expect(whole.choices[0]?.message).toHaveProperty(
      "reasoning_content",
      "The user wants me to think about tea I have thought about it.",
    );
    const silent = await openai.chat.completions.stream(ask("Say nothing")).finalMessage();
    expect(silent.content ?? "").toBe("");
  });

  test.each([
    ["while it speaks", "Count slowly to 1000", "3, "],
    [
      "while a tool keeps it silent",
      "Say something first, then use the slow tool for 50000 ms",
      "Let me see. ",
    ],
  ])("that a client leaves %s give their stateless turn up", async (_, prompt, last) => {
    const conversation = crypto.randomUUID();
    const { openai } = client({ headers: { "x-stackbone-conversation": conversation } });
    const running = await openai.chat.completions.create({ ...ask(prompt), stream: true });
    for await (const { choices } of running) if (choices[0]?.delta.content === last) break;
    const statuses = async () => {
      const response = await engine.api(`/api/runs?conversation=${conversation}`);
      return ((await response.json()) as { items: { status: string }[] }).items.map(({ status }) => status);
    };
    await until(async () => (await statuses()).length > 0, 12_000);
    expect(await statuses()).toEqual(["cancelled"]);
  });
});

describe("tools", () => {
  test("of the client are called, answered and used", async () => {
    const { openai } = client();
    const first = await openai.chat.completions.create({ ...ask("Use my tool"), tools: [openModal] });
    const [choice] = first.choices;
    const calls = choice?.message.tool_calls ?? [];
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    expect(calls).toMatchObject([{ type: "function", function: { name: "open_modal" } }]);
    const [call] = calls;
    if (choice === undefined || call === undefined) throw new Error("no call");
    const second = await openai.chat.completions.create({
      model: "playground",
      tools: [openModal],
      messages: [
        { role: "user", content: "Use my tool" },
        choice.message,
        { role: "tool", tool_call_id: call.id, content: '{"opened":true}' },
      ],
    });
    expect(second.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: 'open_modal says: {"opened":true}' },
    });
  });

  test("are run by the tool runner, on a durable session as well", async () => {
    for (const headers of [{}, session()]) {
      const { openai } = client({ headers });
      const seen: unknown[] = [];
      const runner = openai.chat.completions.runTools({
        ...ask("Use my tool"),
        tools: [
          {
            type: "function",
            function: {
              name: "open_modal",
              description: "Opens a modal.",
              parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
              parse: JSON.parse,
              function: (args: object) => {
                seen.push(args);
                return "opened";
              },
            },
          },
        ],
      });
      expect(await runner.finalContent()).toBe("open_modal says: opened");
      expect(seen).toEqual([{ title: expect.any(String) }]);
    }
  });

  test("of the server do not stop the tool runner of a client that has others", async () => {
    for (const headers of [{}, session()]) {
      const { openai } = client({ headers });
      const runner = openai.chat.completions.runTools({
        ...ask("What is the weather in Paris?"),
        tools: [
          {
            type: "function",
            function: { name: "open_modal", parameters: {}, description: "", function: () => "opened" },
          },
        ],
      });
      expect(await runner.finalContent()).toBe("Paris: 13 °C, sunny.");
    }
  });

  test("of the server that a client answers by hand are asked about like any other", async () => {
    const { openai } = client();
    const call = {
      id: "call_1",
      type: "function" as const,
      function: { name: "set_color", arguments: "{}" },
    };
    const made = await openai.chat.completions.create({
      model: "playground",
      messages: [
        { role: "user", content: "Make it blue." },
        { role: "assistant", content: "Let me try.", tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "It is blue now." },
      ],
    });
    expect(made.choices[0]?.message.content).toBe("set_color says: It is blue now.");
  });

  test("are called when insisted on, and not when forbidden", async () => {
    const { openai } = client();
    const insisted = await openai.chat.completions.create({
      ...ask("Hello"),
      tools: [openModal],
      tool_choice: { type: "function", function: { name: "open_modal" } },
    });
    expect(insisted.choices[0]?.finish_reason).toBe("tool_calls");
    const forbidden = await openai.chat.completions.create({
      ...ask("Use my tool"),
      tools: [openModal],
      tool_choice: "none",
    });
    expect(forbidden.choices[0]?.message.tool_calls).toBe(undefined);
    const missing = openai.chat.completions.create({
      ...ask("Hello"),
      tools: [openModal],
      tool_choice: { type: "function", function: { name: "close_modal" } },
    });
    await expect(missing).rejects.toMatchObject({ status: 400, param: "tool_choice" });
  });

  test("are called one at a time when asked to", async () => {
    const { openai } = client();
    const prompt = { ...ask("Use my tool and tell me the weather in Paris"), tools: [openModal] };
    const names = ({ choices }: OpenAI.ChatCompletion) =>
      choices[0]?.message.tool_calls?.map((call) => (call.type === "function" ? call.function.name : ""));
    expect(names(await openai.chat.completions.create(prompt))).toEqual(["open_modal", "weather"]);
    const single = { ...prompt, parallel_tool_calls: false };
    const first = await openai.chat.completions.create(single);
    expect(names(first)).toEqual(["open_modal"]);
    const asked = first.choices[0]?.message;
    if (asked === undefined) throw new Error("no answer");
    const result = {
      role: "tool" as const,
      tool_call_id: asked.tool_calls?.[0]?.id ?? "",
      content: "opened",
    };
    const messages = [...prompt.messages, asked, result];
    const second = await openai.chat.completions.create({ ...single, messages });
    expect(names(second)).toEqual(["weather"]);
    expect(second.choices[0]?.message.content).toMatch(/^open_modal says: opened Paris: /);
  });

  test("of the agent's own name are refused by name", async () => {
    const { openai } = client();
    const tools = [{ type: "function" as const, function: { name: "weather", parameters: {} } }];
    await expect(openai.chat.completions.create({ ...ask("Hello"), tools })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"weather"'),
    });
  });
});

describe("models", () => {
  test("are the agents", async () => {
    const { openai } = client();
    const names: string[] = [];
    for await (const model of openai.models.list()) names.push(model.id);
    expect(names).toEqual(expect.arrayContaining(["freight", "planner", "playground", "support"]));
    expect(await openai.models.retrieve("support")).toEqual({
      id: "support",
      object: "model",
      created: 1_735_689_600,
      owned_by: "stackbone",
    });
    await expect(openai.models.retrieve("no/such")).rejects.toMatchObject({
      constructor: OpenAI.NotFoundError,
      code: "model_not_found",
      param: "model",
    });
  });

  test("are found at a base address that ends with a slash", async () => {
    const { openai } = client({ path: "/openai/v1/" });
    expect((await openai.chat.completions.create(ask("Hello"))).choices[0]?.message.content).toBe(
      "You said: Hello",
    );
    const response = await engine.api("/openai/v1//models");
    expect(response.status).toBe(200);
  });
});

describe("errors", () => {
  test("are typed: no credential, no such model, a wrong parameter", async () => {
    const wrong = client({ apiKey: "another" });
    await expect(wrong.openai.chat.completions.create(ask("Hello"))).rejects.toMatchObject({
      constructor: OpenAI.AuthenticationError,
      code: "invalid_api_key",
      type: "invalid_request_error",
    });
    expect(wrong.asked).toHaveLength(1);
    const { openai, asked } = client();
    for (const stream of [false, true]) {
      await expect(
        openai.chat.completions.create({ ...ask("Hello"), model: "gpt", stream }),
      ).rejects.toMatchObject({
        constructor: OpenAI.NotFoundError,
        code: "model_not_found",
        param: "model",
      });
    }
    await expect(openai.chat.completions.create({ ...ask("Hello"), n: 2 })).rejects.toMatchObject({
      constructor: OpenAI.BadRequestError,
      param: "n",
    });
    expect(asked).toHaveLength(3);
  });

  test("of a pending approval come once, at once, and change nothing", async () => {
    const { openai, asked } = client({ headers: session() });
    const paused = await openai.chat.completions.create(ask("Delete notes.txt"));
    expect(paused.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "delete_file", arguments: '{"path":"notes.txt"}' } }] },
    });
    for (const stream of [false, true]) {
      await expect(openai.chat.completions.create({ ...ask("Hello"), stream })).rejects.toMatchObject({
        constructor: OpenAI.ConflictError,
        code: "approval_pending",
        message: "409 A tool approval is pending for this session — decide it before sending a new message.",
      });
    }
    expect(asked).toHaveLength(3);
    expect(asked[2]?.headers.get("x-should-retry")).toBe("false");
    expect(asked[2]?.headers.get("content-type")).toBe("application/json");
  });

  test("of a gated tool without a session tell the header to send", async () => {
    const { openai } = client();
    await expect(openai.chat.completions.create(ask("Delete notes.txt"))).rejects.toMatchObject({
      constructor: OpenAI.BadRequestError,
      code: "session_required",
      message: expect.stringContaining("x-stackbone-session"),
    });
  });

  test("of a busy model are tried again, but not when a session has kept the message", async () => {
    const { openai, asked } = client();
    const failing = openai.chat.completions.create({ ...ask("Fail as rate_limited"), stream: true });
    await expect(failing).rejects.toMatchObject({
      constructor: OpenAI.RateLimitError,
      code: "rate_limit_exceeded",
    });
    expect(asked).toHaveLength(3);
    const durable = client({ headers: session() });
    await expect(durable.openai.chat.completions.create(ask("Fail as unavailable"))).rejects.toMatchObject({
      constructor: OpenAI.InternalServerError,
      status: 503,
      code: "model_unavailable",
    });
    expect(durable.asked).toHaveLength(1);
    const after = await durable.openai.chat.completions.create(ask("Hello"));
    expect(after.choices[0]?.message.content).toBe("You said: Hello");
  });

  test("under way end the stream", async () => {
    const { openai } = client();
    const running = await openai.chat.completions.create({
      ...ask("Fail after some text as unavailable"),
      stream: true,
    });
    const pieces: string[] = [];
    const read = async () => {
      for await (const { choices } of running) pieces.push(choices[0]?.delta.content ?? "");
    };
    await expect(read()).rejects.toMatchObject({ constructor: OpenAI.APIError, code: "model_unavailable" });
    expect(pieces.join("")).toBe("This answer begins well, ");
  });

  test("of what no agent gives name the parameter", async () => {
    const { openai, asked } = client();
    for (const [fields, param] of [
      [{ n: 2 }, "n"],
      [{ logprobs: true }, "logprobs"],
      [{ logprobs: true, top_logprobs: 3 }, "logprobs"],
    ] as const) {
      await expect(openai.chat.completions.create({ ...ask("Hello"), ...fields })).rejects.toMatchObject({
        status: 400,
        param,
        code: "invalid_body",
      });
    }
    expect(asked).toHaveLength(3);
    const told = { seed: 7, reasoning_effort: "low" as const, logprobs: false, n: 1, frequency_penalty: 0.5 };
    const made = await openai.chat.completions.create({ ...ask("Hello"), ...told });
    expect(made.choices[0]?.message.content).toBe("You said: Hello");
  });

  test("of the session headers name the header", async () => {
    const both = { "x-stackbone-session": "a", "x-stackbone-conversation": "b" };
    for (const [headers, param] of [
      [both, "x-stackbone-conversation"],
      [{ "x-stackbone-session": "" }, "x-stackbone-session"],
      [{ "x-stackbone-session": "k".repeat(513) }, "x-stackbone-session"],
    ] as const) {
      const { openai } = client({ headers });
      await expect(openai.chat.completions.create(ask("Hello"))).rejects.toMatchObject({
        status: 400,
        param,
      });
    }
  });

  test("of an orphan tool result name the call", async () => {
    const result = { role: "tool" as const, tool_call_id: "call_nobody", content: "x" };
    for (const headers of [{}, session()]) {
      const { openai } = client({ headers });
      const messages = [...ask("Hello").messages, result];
      await expect(openai.chat.completions.create({ model: "playground", messages })).rejects.toMatchObject({
        status: 400,
        code: "invalid_messages",
        message: expect.stringContaining("call_nobody"),
      });
    }
  });
});
