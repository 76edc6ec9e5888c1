import { createAnthropic } from "@ai-sdk/anthropic";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, SystemMessage, type ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { APICallError, generateText, isStepCount, Output, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

const session = () => ({ "x-stackbone-session": crypto.randomUUID() });

describe("the AI SDK", () => {
  function model(headers: Record<string, string> = {}) {
    return createAnthropic({ baseURL: `${engine.url}/anthropic/v1`, apiKey: engine.token, headers })(
      "playground",
    );
  }

  test("generates text, with instructions and settings", async () => {
    const { text, finishReason, usage } = await generateText({
      model: model(),
      system: "Be kind.",
      prompt: "Hello",
      maxOutputTokens: 100,
    });
    expect([text, finishReason]).toEqual(["You said: Hello", "stop"]);
    expect(usage.inputTokens).toBeGreaterThan(0);
  });

  test("streams text piece by piece, with the usage of the reply in one piece", async () => {
    const result = streamText({ model: model(), prompt: "Count to 100" });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(50);
    expect(pieces.join("")).toMatch(/^1, 2, .*99, 100\.$/);
    expect(await result.finishReason).toBe("stop");
    const whole = await generateText({ model: model(), prompt: "Count to 100" });
    const { inputTokens, outputTokens } = await result.usage;
    expect([inputTokens, outputTokens]).toEqual([whole.usage.inputTokens, whole.usage.outputTokens]);
  });

  test("shows what the agent thinks and sends it back", async () => {
    const { reasoningText, text } = await generateText({ model: model(), prompt: "Think about tea" });
    expect(reasoningText).toBe("The user wants me to think about tea I have thought about it.");
    expect(text).toBe("I thought about tea");
    const streamed = streamText({ model: model(), prompt: "Think about tea" });
    expect(await streamed.reasoningText).toBe(reasoningText);
    const again = await generateText({
      model: model(),
      messages: [
        { role: "user", content: "Think about tea" },
        ...(await streamed.response).messages,
        { role: "user", content: "Hello" },
      ],
    });
    expect(again.text).toBe("You said: Hello");
  });

  test("runs its own tools, whole and streamed, stateless and durable", async () => {
    for (const headers of [{}, session()]) {
      const asked: unknown[] = [];
      const tools = {
        open_modal: tool({
          description: "Opens a modal.",
          inputSchema: z.object({ title: z.string() }),
          execute: async (input) => {
            asked.push(input);
            return { opened: true };
          },
        }),
      };
      const settings = { model: model(headers), prompt: "Use my tool", tools, stopWhen: isStepCount(3) };
      const whole = await generateText(settings);
      expect(whole.text).toBe('open_modal says: {"opened":true}');
      expect(whole.steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
      expect(await streamText(settings).text).toBe('open_modal says: {"opened":true}');
      expect(asked).toEqual([{ title: expect.any(String) }, { title: expect.any(String) }]);
    }
  });

  test("goes on with its tools beside those that run at the server, stateless and durable", async () => {
    const tools = {
      open_modal: tool({
        description: "Opens a modal.",
        inputSchema: z.object({ title: z.string() }),
        execute: async () => "opened",
      }),
    };
    for (const headers of [{}, session()]) {
      const settings = { model: model(headers), tools, stopWhen: isStepCount(5) };
      const prompt = "What is the weather in Paris?";
      expect((await generateText({ ...settings, prompt })).text).toBe("Paris: 13 °C, sunny.");
      expect(await streamText({ ...settings, prompt }).text).toBe("Paris: 13 °C, sunny.");
    }
    const mixed = await generateText({
      model: model(session()),
      tools,
      stopWhen: isStepCount(5),
      prompt: "Use my tool and tell me the weather in Paris",
    });
    expect(mixed.text).toBe("Paris: 13 °C, sunny. open_modal says: opened");
  });

  test("sees the server's tool calls with their arguments", async () => {
    const result = streamText({ model: model(), prompt: "What is the weather in Paris and Oslo?" });
    const calls: unknown[] = [];
    for await (const part of result.stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "tool-call") calls.push([part.toolName, part.input]);
    }
    expect(calls).toEqual([
      ["weather", { city: "Paris" }],
      ["weather", { city: "Oslo" }],
    ]);
    expect(await result.text).toBe("Paris: 13 °C, sunny. Oslo: 20 °C, cloudy.");
    expect(await result.finishReason).toBe("stop");
  });

  test("gets objects of a schema", async () => {
    const { output } = await generateText({
      model: model(),
      prompt: "Hello",
      output: Output.object({ schema: z.object({ city: z.string(), count: z.number() }) }),
    });
    expect(output).toEqual({ city: expect.any(String), count: expect.any(Number) });
  });

  test("sends pictures and documents", async () => {
    const { text } = await generateText({
      model: model(),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What did I send?" },
            { type: "file", data: new Uint8Array([1, 2, 3]), mediaType: "image/png" },
            { type: "file", data: new Uint8Array([1, 2, 3]), mediaType: "application/pdf" },
          ],
        },
      ],
    });
    expect(text).toBe("You sent image (image/png), file (application/pdf).");
  });

  test("reports failures before and within a stream", async () => {
    const failing = generateText({ model: model(), prompt: "Fail as bad_request", maxRetries: 0 });
    await expect(failing).rejects.toThrow(APICallError);
    const errors: unknown[] = [];
    const result = streamText({
      model: model(),
      prompt: "Fail after some text as unavailable",
      onError: ({ error }) => void errors.push(error),
    });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.join("")).toBe("This answer begins well, ");
    expect(errors).toHaveLength(1);
  });
});

describe("LangChain", () => {
  function model(headers: Record<string, string> = {}, maxRetries = 2) {
    return new ChatAnthropic({
      model: "playground",
      apiKey: engine.token,
      anthropicApiUrl: `${engine.url}/anthropic`,
      clientOptions: { defaultHeaders: headers },
      maxTokens: 1024,
      maxRetries,
    });
  }

  test("invokes and streams", async () => {
    const answer = await model().invoke([new SystemMessage("Be kind."), new HumanMessage("Hello")]);
    expect(answer.text).toBe("You said: Hello");
    expect(answer.usage_metadata).toMatchObject({ total_tokens: expect.any(Number) });
    let whole = "";
    let chunks = 0;
    for await (const chunk of await model().stream("Count to 100")) {
      whole += chunk.text;
      chunks += 1;
    }
    expect(whole).toMatch(/^1, 2, .*99, 100\.$/);
    expect(chunks).toBeGreaterThan(50);
  });

  test("binds tools, calls them and reads the answer, whole and streamed", async () => {
    const openModal = langchainTool(async () => "opened", {
      name: "open_modal",
      description: "Opens a modal.",
      schema: z.object({ title: z.string() }),
    });
    for (const headers of [{}, session()]) {
      const bound = model(headers).bindTools([openModal]);
      const question = new HumanMessage("Use my tool");
      const call = await bound.invoke([question]);
      expect(call.tool_calls).toMatchObject([{ name: "open_modal", args: { title: expect.any(String) } }]);
      const [made] = call.tool_calls ?? [];
      if (made === undefined) throw new Error("no call");
      const result: ToolMessage = await openModal.invoke(made);
      const answer = await bound.invoke([question, call, result]);
      expect(answer.text).toBe("open_modal says: opened");
    }
    const streamed = await model().bindTools([openModal]).stream("Use my tool");
    let args = "";
    for await (const { tool_call_chunks } of streamed) {
      args += (tool_call_chunks ?? []).map((piece) => piece.args ?? "").join("");
    }
    expect(JSON.parse(args)).toEqual({ title: expect.any(String) });
  });

  test("replays a conversation", async () => {
    const answer = await model().invoke([
      new HumanMessage("Remember the word kiwi"),
      new AIMessage("I will."),
      new HumanMessage("What was the word?"),
    ]);
    expect(answer.text).toBe("The word was kiwi.");
  });

  test("fails as the model or a pending approval says", async () => {
    await expect(model({}, 0).invoke("Fail as rate_limited")).rejects.toMatchObject({ status: 429 });
    const headers = session();
    await model(headers).invoke("Delete notes.txt");
    const began = Date.now();
    await expect(model(headers).invoke("Hello")).rejects.toMatchObject({ status: 409 });
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
