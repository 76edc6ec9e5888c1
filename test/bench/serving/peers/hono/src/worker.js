import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { fixedModel } from "./fixed-model.ts";

/*
 * What most people write: hono in front, the AI SDK behind, nothing kept. It answers in the shape of OpenAI's Chat
 * Completions, whole or streamed.
 */
const app = new Hono();

const instructions = "You are the carrier desk of a freight broker. Answer in one or two short sentences.";

function modelOf(baseURL) {
  return baseURL
    ? createOpenAICompatible({ name: "bench", baseURL, includeUsage: true })("bench")
    : fixedModel;
}

app.post("/v1/chat/completions", async (c) => {
  const { model: agent, messages, stream } = await c.req.json();
  const model = modelOf(c.env.MODEL_URL);
  const id = `chatcmpl-${crypto.randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  if (!stream) {
    const { text, usage } = await generateText({ model, instructions, messages });
    return c.json({
      id,
      object: "chat.completion",
      created,
      model: agent,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.totalTokens,
      },
    });
  }
  const { textStream } = streamText({ model, instructions, messages });
  const frame = (delta, reason) => ({
    data: JSON.stringify({
      id,
      object: "chat.completion.chunk",
      created,
      model: agent,
      choices: [{ index: 0, delta, finish_reason: reason }],
    }),
  });
  return streamSSE(c, async (sse) => {
    for await (const content of textStream) await sse.writeSSE(frame({ content }, null));
    await sse.writeSSE(frame({}, "stop"));
    await sse.writeSSE({ data: "[DONE]" });
  });
});

export default app;
