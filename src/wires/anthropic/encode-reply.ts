import type { CollectedBlock, CollectedTurn } from "../collect-turn.ts";
import { unsigned } from "./signature.ts";
import { stopOf } from "./stop-reason.ts";
import { anthropicUsage } from "./usage.ts";

/** What identifies a reply, whole or streamed, and what it needs of its request. */
export interface ReplyIdentity {
  /** `msg_…` */
  id: string;
  /** The agent, as the client named it. */
  agent: string;
  /** Tokens of the request by estimate: what a stream says until the model has counted. */
  estimatedInput: number;
  stopSequences: readonly string[];
}

/** The `message` of a turn that replied. */
export function encodeReply({ id, agent, stopSequences }: ReplyIdentity, turn: CollectedTurn) {
  const { reason, sequence } = stopOf(turn.outcome, stopSequences);
  return {
    id,
    type: "message" as const,
    role: "assistant" as const,
    model: agent,
    content: turn.blocks.map(contentBlock),
    stop_reason: reason,
    stop_sequence: sequence,
    usage: anthropicUsage(turn.usage),
  };
}

function contentBlock(block: CollectedBlock) {
  switch (block.type) {
    case "text":
      return { type: "text" as const, text: block.text };
    case "call":
      return { type: "tool_use" as const, id: block.callId, name: block.name, input: block.args };
    case "reasoning":
      return block.redacted !== undefined && block.text === ""
        ? { type: "redacted_thinking" as const, data: block.redacted }
        : { type: "thinking" as const, thinking: block.text, signature: block.signature ?? unsigned };
  }
}
