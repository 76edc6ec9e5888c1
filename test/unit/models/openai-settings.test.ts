import { describe, expect, it } from "vitest";
import { complete } from "../../../src/models/complete.ts";
import { ModelError } from "../../../src/models/model-error.ts";
import { resolveModel } from "../../../src/models/resolve-model.ts";
import { systemTiming } from "../../../src/models/timing.ts";

const env = { OPENAI_API_KEY: "k", MODEL_PROVIDER_BASE_URL: "http://127.0.0.1:1/v1" };

async function bodySent(id: string): Promise<Record<string, unknown>> {
  let body: Record<string, unknown> = {};
  const { model } = resolveModel(id, env, async (_, init) => {
    body = JSON.parse(String(init?.body)) as Record<string, unknown>;
    return new Response("{}", { status: 400 });
  });
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const call = {
    prompt,
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    frequencyPenalty: 1,
    presencePenalty: 1,
    stopSequences: ["END"],
    seed: 7,
    reasoning: "low" as const,
    providerOptions: { openai: { parallel_tool_calls: false } },
  };
  await expect(complete(model, call, { timing: systemTiming(), retries: 0 })).rejects.toThrow(ModelError);
  return body;
}

describe("what OpenAI's models are sent", () => {
  it("names the token limit as they take it", async () => {
    expect(await bodySent("openai/gpt-4o-mini")).toMatchObject({
      max_completion_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END"],
      seed: 7,
      parallel_tool_calls: false,
    });
    expect(await bodySent("openai/gpt-4o-mini")).not.toHaveProperty("reasoning_effort");
    expect(await bodySent("openai/gpt-4o-mini")).not.toHaveProperty("max_tokens");
  });

  it.each(["openai/gpt-5-mini", "openai/o4-mini"])(
    "leaves sampling out for %s, which reasons",
    async (id) => {
      const body = await bodySent(id);
      expect(body).toMatchObject({ max_completion_tokens: 100, seed: 7, reasoning_effort: "low" });
      for (const name of ["temperature", "top_p", "stop", "frequency_penalty", "presence_penalty"])
        expect(body).not.toHaveProperty(name);
      expect("parallel_tool_calls" in body).toBe(id === "openai/gpt-5-mini");
    },
  );

  it("keeps what compatible servers know", async () => {
    expect(await bodySent("compatible/llama")).toMatchObject({ max_tokens: 100, temperature: 0.5 });
  });
});

describe("a prompt that does not fit", () => {
  it.each([
    '{"error":{"code":"context_length_exceeded","message":"This model\'s maximum context length is 8192 tokens"}}',
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    '{"error":{"message":"The input token count exceeds the maximum number of tokens allowed"}}',
  ])("is told apart: %s", async (text) => {
    const { model } = resolveModel(
      "openai/gpt-4o-mini",
      env,
      async () => new Response(text, { status: 400 }),
    );
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
    const failed = complete(model, { prompt }, { timing: systemTiming(), retries: 0 });
    await expect(failed).rejects.toMatchObject({ kind: "too_long", status: 400 });
  });
});
