import type { CollectedBlock, CollectedTurn } from "../collect-turn.ts";
import { finishReason } from "./finish-reason.ts";
import { openaiUsage } from "./usage.ts";

/** What identifies a reply, whole or streamed. */
export interface ReplyIdentity {
  /** `chatcmpl-…` */
  id: string;
  /** Seconds since 1970. */
  created: number;
  /** The agent, as the client named it. */
  agent: string;
}

/** Between what the model said before its tools ran and after: one text on this wire, two messages in truth. */
export const messageBreak = "\n\n";

/** The `chat.completion` of a turn that replied. */
export function encodeReply({ id, created, agent }: ReplyIdentity, turn: CollectedTurn) {
  const { blocks, usage, outcome } = turn;
  const calls = blocks.filter((block) => block.type === "call");
  const content = textOf(blocks, "text");
  const reasoning = textOf(blocks, "reasoning");
  return {
    id,
    object: "chat.completion" as const,
    created,
    model: agent,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant" as const,
          content: content === "" && calls.length > 0 ? null : content,
          refusal: null,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ callId, name, args }) => ({
                  id: callId,
                  type: "function" as const,
                  function: { name, arguments: JSON.stringify(args) },
                })),
              }),
        },
        logprobs: null,
        finish_reason: finishReason(outcome, calls.length > 0),
      },
    ],
    usage: openaiUsage(usage),
  };
}

function textOf(blocks: CollectedBlock[], type: "text" | "reasoning"): string {
  let text = "";
  let messageId: string | null = null;
  for (const block of blocks) {
    if (block.type !== type || block.text === "") continue;
    if (messageId !== null && messageId !== block.messageId) text += messageBreak;
    messageId = block.messageId;
    text += block.text;
  }
  return text;
}
