import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, getAgentByName } from "agents";
import { generateText, streamText } from "ai";
import { fixedModel } from "./fixed-model.ts";

/*
 * Cloudflare's `agents` SDK with the AI SDK: the conversation lies in the agent's own SQLite, the question is stored
 * before the model is asked and the answer when it is complete. It answers in the shape of OpenAI's Chat Completions.
 */
const instructions = "You are the carrier desk of a freight broker. Answer in one or two short sentences.";

function modelOf(baseURL) {
  return baseURL
    ? createOpenAICompatible({ name: "bench", baseURL, includeUsage: true })("bench")
    : fixedModel;
}

export class ChatAgent extends Agent {
  onStart() {
    this
      .sql`CREATE TABLE IF NOT EXISTS turns (seq INTEGER PRIMARY KEY, role TEXT NOT NULL, content TEXT NOT NULL)`;
  }

  async onRequest(request) {
    const { model: agent, messages: fresh, stream } = await request.json();
    for (const { role, content } of fresh)
      this.sql`INSERT INTO turns (role, content) VALUES (${role}, ${content})`;
    const messages = this.sql`SELECT role, content FROM turns ORDER BY seq`;
    const model = modelOf(this.env.MODEL_URL);
    const keep = (text) => void this.sql`INSERT INTO turns (role, content) VALUES ('assistant', ${text})`;
    const id = `chatcmpl-${crypto.randomUUID()}`;
    const created = Math.floor(Date.now() / 1000);
    if (!stream) {
      const { text, usage } = await generateText({ model, instructions, messages });
      keep(text);
      return Response.json({
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
    const { textStream } = streamText({ model, instructions, messages, onFinish: ({ text }) => keep(text) });
    const frame = (delta, reason) =>
      `data: ${JSON.stringify({
        id,
        object: "chat.completion.chunk",
        created,
        model: agent,
        choices: [{ index: 0, delta, finish_reason: reason }],
      })}\n\n`;
    const frames = new TransformStream({
      transform: (content, controller) => controller.enqueue(frame({ content }, null)),
      flush(controller) {
        controller.enqueue(frame({}, "stop"));
        controller.enqueue("data: [DONE]\n\n");
      },
    });
    const body = textStream.pipeThrough(frames).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}

export default {
  async fetch(request, env) {
    const agent = await getAgentByName(env.ChatAgent, request.headers.get("x-session"));
    return agent.fetch(request);
  },
};
