import { mintId } from "../../agents/runtime/mint-id.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { answerTurn } from "../../wires/answer-turn.ts";
import { decodeChat } from "../../wires/openai/decode.ts";
import { encodeReply } from "../../wires/openai/encode-reply.ts";
import { ChatStreamEncoder } from "../../wires/openai/encode-stream.ts";
import { openaiFailure } from "../../wires/openai/errors.ts";
import { chatRequestSchema } from "../../wires/openai/schema.ts";
import { sessionKeys } from "../../wires/session-headers.ts";
import { startVendorTurn } from "../vendor-turn.ts";

export const createChatCompletion: Route = {
  access: "credential",
  summary: "Ask an agent, as an OpenAI chat completion.",
  description:
    "`model` names the agent. With `stream` the reply is `chat.completion.chunk` events that end with `data: [DONE]`, or with an `error` event when the turn fails. `x-stackbone-session` makes the conversation durable: send only the new message. `x-greenroom-model` tells the model that answered, `scripted` when none is configured.",
  wire: "openai.chat-completions",
  request: chatRequestSchema,
  responses: { 200: { description: "The agent's reply.", contentType: "application/json" } },
  async handle(context) {
    const keys = sessionKeys(context.request.headers);
    const body = await readJson(context, chatRequestSchema);
    const { request, stream, includeUsage } = decodeChat(body, keys, mintId);
    const started = await startVendorTurn(context, request, { whole: !stream });
    if (!started.ok) return openaiFailure(started.failure, true);
    const identity = {
      id: mintId("chatcmpl-"),
      created: Math.floor(Date.now() / 1000),
      agent: request.agent,
    };
    return answerTurn(context, started.events, {
      stream,
      durable: request.session !== null,
      headers: {},
      heartbeat: ": ping\n\n",
      failure: openaiFailure,
      body: (turn) => encodeReply(identity, turn),
      encoder: () => new ChatStreamEncoder(identity, includeUsage),
    });
  },
};
