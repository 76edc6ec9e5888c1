import { mintId } from "../../agents/runtime/mint-id.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { answerTurn } from "../../wires/answer-turn.ts";
import { decodeRequest } from "../../wires/anthropic/decode.ts";
import { encodeReply } from "../../wires/anthropic/encode-reply.ts";
import { MessageStreamEncoder, ping } from "../../wires/anthropic/encode-stream.ts";
import { anthropicFailure } from "../../wires/anthropic/errors.ts";
import { messagesRequestSchema } from "../../wires/anthropic/schema.ts";
import { sessionKeys } from "../../wires/session-headers.ts";
import { startVendorTurn } from "../vendor-turn.ts";
import { estimateInput } from "./estimate-input.ts";

export const createMessage: Route = {
  access: "credential",
  summary: "Ask an agent, as an Anthropic message.",
  description:
    "`model` names the agent. With `stream` the reply is the events `message_start` to `message_stop`, or ends with `error` when the turn fails. `x-stackbone-session` makes the conversation durable: send only the new message. `x-greenroom-model` tells the model that answered, `scripted` when none is configured.",
  wire: "anthropic.messages",
  request: messagesRequestSchema,
  responses: { 200: { description: "The agent's reply.", contentType: "application/json" } },
  async handle(context) {
    const { requestId } = context;
    const keys = sessionKeys(context.request.headers);
    const body = await readJson(context, messagesRequestSchema);
    const { request, stream } = decodeRequest(body, keys, mintId);
    const started = await startVendorTurn(context, request, { whole: !stream });
    if (!started.ok) return anthropicFailure(started.failure, requestId, true);
    const identity = {
      id: mintId("msg_"),
      agent: request.agent,
      estimatedInput: estimateInput(request.agent, request.messages, request.clientTools) ?? 0,
      stopSequences: request.sampling.stop ?? [],
    };
    return answerTurn(context, started.events, {
      stream,
      durable: request.session !== null,
      headers: { "request-id": requestId },
      heartbeat: ping,
      failure: (failure, mayRetry) => anthropicFailure(failure, requestId, mayRetry),
      body: (turn) => encodeReply(identity, turn),
      encoder: () => new MessageStreamEncoder(identity, requestId),
    });
  },
};
