import type { TurnFailure, TurnOutcome } from "../turn/index.ts";

/** How a turn ended of which no end was heard. */
export const brokenOff: TurnFailure = {
  code: "interrupted",
  message: "The turn broke off before it was finished.",
  retryable: true,
};

const cancelled: TurnFailure = { code: "interrupted", message: "The turn was cancelled.", retryable: false };

/** Why an outcome is no reply, for wires on which a turn either replies or fails; `null` when it is one. */
export function failureOf(outcome: TurnOutcome): TurnFailure | null {
  if (outcome.type === "failed") return outcome.failure;
  return outcome.type === "cancelled" ? cancelled : null;
}
