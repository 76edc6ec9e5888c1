import type { TurnEvent, TurnFailure, TurnOutcome } from "../../turn/index.ts";
import { noUsage } from "../collect-turn.ts";
import { jsonLine } from "../json-line.ts";
import type { TurnEncoder } from "../sse-turn.ts";
import { brokenOff, failureOf } from "../turn-failure.ts";
import { messageBreak, type ReplyIdentity } from "./encode-reply.ts";
import { failureBody } from "./errors.ts";
import { finishReason } from "./finish-reason.ts";
import { openaiUsage } from "./usage.ts";

/**
 * Writes a turn as `chat.completion.chunk` frames: the role first, then what the agent itself says and calls, then one
 * chunk with the finish reason, the usage when it was asked for, and `[DONE]`. A turn that fails ends with an error
 * frame instead, so that it never looks complete.
 */
export class ChatStreamEncoder implements TurnEncoder {
  private readonly identity: ReplyIdentity;
  private readonly includeUsage: boolean;
  /** Place of each call in the list of calls. */
  private readonly indexes = new Map<string, number>();
  /** Calls whose arguments have begun. */
  private readonly argued = new Set<string>();
  /** The message the newest piece of text, and of reasoning, belongs to. */
  private textOf: string | null = null;
  private reasoningOf: string | null = null;
  /** The message of each reasoning. */
  private readonly reasonings = new Map<string, string>();
  private usage = noUsage;

  constructor(identity: ReplyIdentity, includeUsage: boolean) {
    this.identity = identity;
    this.includeUsage = includeUsage;
  }

  encode(event: TurnEvent): string {
    if ("subagent" in event && event.subagent !== undefined) return "";
    switch (event.type) {
      case "turn-start":
        return this.delta({ role: "assistant", content: "", refusal: null });
      case "text-delta": {
        if (event.delta === "") return "";
        const gap = this.textOf !== null && this.textOf !== event.messageId ? messageBreak : "";
        this.textOf = event.messageId;
        return this.delta({ content: gap + event.delta });
      }
      case "reasoning-start":
        this.reasonings.set(event.id, event.messageId);
        return "";
      case "reasoning-delta": {
        if (event.delta === "") return "";
        const messageId = this.reasonings.get(event.id) ?? event.id;
        const gap = this.reasoningOf !== null && this.reasoningOf !== messageId ? messageBreak : "";
        this.reasoningOf = messageId;
        return this.delta({ reasoning_content: gap + event.delta });
      }
      case "call-start": {
        const index = this.indexes.size;
        this.indexes.set(event.callId, index);
        const opened = { name: event.name, arguments: "" };
        return this.delta({
          tool_calls: [{ index, id: event.callId, type: "function", function: opened }],
        });
      }
      case "call-args":
        return event.delta === "" ? "" : this.args(event.callId, event.delta);
      case "call-end":
        return this.argued.has(event.callId) ? "" : this.args(event.callId, "{}");
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
    return errorFrame(brokenOff);
  }

  private args(callId: string, text: string): string {
    const index = this.indexes.get(callId);
    if (index === undefined) return "";
    this.argued.add(callId);
    return this.delta({ tool_calls: [{ index, function: { arguments: text } }] });
  }

  private end(outcome: TurnOutcome): string {
    const failure = failureOf(outcome);
    if (failure !== null) return errorFrame(failure);
    const usage = this.includeUsage ? this.frame({ choices: [], usage: openaiUsage(this.usage) }) : "";
    return `${this.delta({}, finishReason(outcome, this.indexes.size > 0))}${usage}data: [DONE]\n\n`;
  }

  private delta(delta: object, reason: string | null = null): string {
    return this.frame({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(this.includeUsage ? { usage: null } : {}),
    });
  }

  private frame(content: object): string {
    const { id, created, agent } = this.identity;
    return `data: ${jsonLine({ id, object: "chat.completion.chunk", created, model: agent, ...content })}\n\n`;
  }
}

function errorFrame(failure: TurnFailure): string {
  return `data: ${jsonLine(failureBody(failure))}\n\n`;
}
