import type { Operation } from "fast-json-patch";
import type { Interrupt } from "./interrupt.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/** Tokens of a turn's model calls. `inputTokens` leaves the cached ones out, as Anthropic counts. */
export interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of `outputTokens`. */
  reasoningTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/** Why a reply ended: `raw` is the provider's own word, `sequence` the stop sequence it ended before, when known. */
export interface Finish {
  unified: FinishReason;
  raw: string | null;
  sequence?: string;
}

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls" | "other";

/** Why a turn could not begin, or ended without a reply. `message` is fit for the client. */
export interface TurnFailure {
  code: TurnFailureCode;
  message: string;
  /** Trying the same again may help. */
  retryable: boolean;
}

export type TurnFailureCode =
  /** Refused before any work. */
  | "approval_pending"
  | "turn_in_progress"
  | "session_required"
  | "unknown_interrupt"
  | "incomplete_resume"
  | "invalid_resume"
  | "invalid_messages"
  | "unknown_agent"
  /** Ended a turn under way. */
  | "model_not_configured"
  | "model_rate_limited"
  | "model_unavailable"
  | "model_failed"
  | "context_too_long"
  | "step_limit"
  | "interrupted"
  | "internal_error";

/** Where in the tree of agents something happened; absent on an event: the agent itself. */
export interface SubagentRef {
  /** Unique in the session. */
  id: string;
  name: string;
}

/** A message of the agent's conversation, or of the one that a subagent holds. */
type SnapshotMessage = Message & { subagent?: SubagentRef };

export type TurnOutcome =
  /** `pendingCallIds`: calls of client tools that wait for the client's results. */
  | { type: "success"; finish: Finish; pendingCallIds: string[] }
  /** The turn waits for people. Client calls may wait beside. */
  | { type: "interrupt"; interrupts: Interrupt[]; pendingCallIds: string[] }
  | { type: "cancelled" }
  | { type: "failed"; failure: TurnFailure };

/**
 * What happens in a turn, in order: `turn-start` first, `turn-end` last and exactly once. Starts and ends pair up by id;
 * deltas lie between theirs. `messageId` is the id the message is stored under.
 */
export type TurnEvent =
  | { type: "turn-start"; runId: string; session: string | null; model: string; scripted: boolean }
  /** The conversation before this turn's model calls, newest user message included; only on a session that existed. */
  | { type: "messages-snapshot"; messages: SnapshotMessage[] }
  | { type: "state-snapshot"; state: JsonObject }
  | { type: "state-delta"; patch: Operation[] }
  | { type: "step-start" | "step-end"; subagent: SubagentRef; parentCallId: string }
  | { type: "text-start" | "text-end"; messageId: string; subagent?: SubagentRef }
  | { type: "text-delta"; messageId: string; delta: string; subagent?: SubagentRef }
  | { type: "reasoning-start"; id: string; messageId: string; subagent?: SubagentRef }
  | { type: "reasoning-delta"; id: string; delta: string; subagent?: SubagentRef }
  | { type: "reasoning-end"; id: string; signature?: string; redacted?: string; subagent?: SubagentRef }
  /** `clientTool`: the client runs it. */
  | {
      type: "call-start";
      callId: string;
      name: string;
      messageId: string;
      clientTool: boolean;
      subagent?: SubagentRef;
    }
  | { type: "call-args"; callId: string; delta: string; subagent?: SubagentRef }
  | { type: "call-end"; callId: string; subagent?: SubagentRef }
  /** `messageId` is the tool message's own. A call of an earlier turn can get its result in this one. */
  | {
      type: "call-result";
      callId: string;
      messageId: string;
      content: string;
      isError: boolean;
      subagent?: SubagentRef;
    }
  /** A tool says how far it is; not kept in the conversation. */
  | { type: "custom"; name: string; value: Json }
  | { type: "usage"; usage: TurnUsage }
  | { type: "turn-end"; outcome: TurnOutcome };
