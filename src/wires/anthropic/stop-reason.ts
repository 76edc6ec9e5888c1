import type { TurnOutcome } from "../../turn/index.ts";

export interface Stop {
  reason: string;
  sequence: string | null;
}

/** Words of providers for an end by a stop sequence. */
const stopSequence = "stop_sequence";

/** Reasons of this wire that a provider may give and the unified ones do not tell. */
const passedOn: ReadonlySet<string> = new Set(["pause_turn", "model_context_window_exceeded"]);

/**
 * Why a turn ended, in this wire's words. `tool_use` only while a call is left open, for the client or for a person:
 * tools that ran here are answered already. `stopSequences` are those the client sent: where a provider says that it was
 * one of them and not which, it is known when there was one.
 */
export function stopOf(outcome: TurnOutcome, stopSequences: readonly string[]): Stop {
  if (outcome.type !== "success" || outcome.pendingCallIds.length > 0) {
    return { reason: "tool_use", sequence: null };
  }
  const { unified, raw, sequence } = outcome.finish;
  if (sequence !== undefined) return { reason: stopSequence, sequence };
  if (raw !== null && passedOn.has(raw)) return { reason: raw, sequence: null };
  if (unified === "length") return { reason: "max_tokens", sequence: null };
  if (unified === "content_filter") return { reason: "refusal", sequence: null };
  if (raw === stopSequence && stopSequences.length > 0) {
    const [only] = stopSequences;
    return { reason: stopSequence, sequence: stopSequences.length === 1 ? (only ?? null) : null };
  }
  return { reason: "end_turn", sequence: null };
}
