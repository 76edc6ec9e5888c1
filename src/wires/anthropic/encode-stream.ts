import type { TurnEvent, TurnFailure, TurnOutcome } from "../../turn/index.ts";
import { noUsage } from "../collect-turn.ts";
import { jsonLine } from "../json-line.ts";
import type { TurnEncoder } from "../sse-turn.ts";
import { brokenOff, failureOf } from "../turn-failure.ts";
import type { ReplyIdentity } from "./encode-reply.ts";
import { failureBody } from "./errors.ts";
import { unsigned } from "./signature.ts";
import { stopOf } from "./stop-reason.ts";
import { anthropicUsage } from "./usage.ts";

/** A frame that says nothing. */
export const ping = frame({ type: "ping" });

/**
 * Writes a turn as this wire's events: `message_start`, the blocks of what the agent itself thinks, says and calls, one
 * after another, `message_delta`, `message_stop`. A text block begins with its first piece, so none is empty. A turn
 * that fails ends with an `error` event instead, so that it never looks complete.
 */
export class MessageStreamEncoder implements TurnEncoder {
  private readonly identity: ReplyIdentity;
  private readonly requestId: string;
  /** Of the next block. */
  private index = 0;
  /** The text or reasoning under way whose block has begun. */
  private begun: string | null = null;
  /** The call under way has arguments. */
  private argued = false;
  private usage = noUsage;

  constructor(identity: ReplyIdentity, requestId: string) {
    this.identity = identity;
    this.requestId = requestId;
  }

  encode(event: TurnEvent): string {
    if ("subagent" in event && event.subagent !== undefined) return "";
    switch (event.type) {
      case "turn-start":
        return this.start();
      case "text-delta":
        if (event.delta === "") return "";
        return (
          this.begin(event.messageId, { type: "text", text: "" }) +
          this.delta({ type: "text_delta", text: event.delta })
        );
      case "text-end":
        return this.endBegun(event.messageId);
      case "reasoning-delta":
        if (event.delta === "") return "";
        return (
          this.begin(event.id, { type: "thinking", thinking: "", signature: "" }) +
          this.delta({ type: "thinking_delta", thinking: event.delta })
        );
      case "reasoning-end":
        return this.endReasoning(event);
      case "call-start":
        this.argued = false;
        return this.block({ type: "tool_use", id: event.callId, name: event.name, input: {} });
      case "call-args":
        return event.delta === "" ? "" : this.args(event.delta);
      case "call-end":
        return (this.argued ? "" : this.args("{}")) + this.stop();
      case "usage":
        this.usage = event.usage;
        return "";
      case "turn-end":
        return this.end(event.outcome);
      default:
        return "";
    }
  }

  breakOff(): string {
    return this.error(brokenOff);
  }

  private start(): string {
    const { id, agent, estimatedInput } = this.identity;
    return frame({
      type: "message_start",
      message: {
        id,
        type: "message",
        role: "assistant",
        model: agent,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: anthropicUsage({ ...noUsage, inputTokens: estimatedInput }),
      },
    });
  }

  private endReasoning(event: Extract<TurnEvent, { type: "reasoning-end" }>): string {
    const { id, signature, redacted } = event;
    if (this.begun !== id) {
      if (redacted !== undefined) {
        return this.block({ type: "redacted_thinking", data: redacted }) + this.stop();
      }
      if (signature === undefined) return "";
    }
    return (
      this.begin(id, { type: "thinking", thinking: "", signature: "" }) +
      this.delta({ type: "signature_delta", signature: signature ?? unsigned }) +
      this.endBegun(id)
    );
  }

  /** Begins the block of a text or a reasoning unless it has begun. */
  private begin(id: string, block: object): string {
    if (this.begun === id) return "";
    this.begun = id;
    return this.block(block);
  }

  private endBegun(id: string): string {
    if (this.begun !== id) return "";
    this.begun = null;
    return this.stop();
  }

  private block(block: object): string {
    return frame({ type: "content_block_start", index: this.index, content_block: block });
  }

  private delta(delta: object): string {
    return frame({ type: "content_block_delta", index: this.index, delta });
  }

  private args(text: string): string {
    this.argued = true;
    return this.delta({ type: "input_json_delta", partial_json: text });
  }

  private stop(): string {
    const stopped = frame({ type: "content_block_stop", index: this.index });
    this.index += 1;
    return stopped;
  }

  private end(outcome: TurnOutcome): string {
    const failure = failureOf(outcome);
    if (failure !== null) return this.error(failure);
    const { reason, sequence } = stopOf(outcome, this.identity.stopSequences);
    return (
      frame({
        type: "message_delta",
        delta: { stop_reason: reason, stop_sequence: sequence },
        usage: anthropicUsage(this.usage),
      }) + frame({ type: "message_stop" })
    );
  }

  private error(failure: TurnFailure): string {
    return frame(failureBody(failure, this.requestId));
  }
}

function frame(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${jsonLine(data)}\n\n`;
}
