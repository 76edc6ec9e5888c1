import type { JsonObject } from "../../turn/json.ts";
import type { RuleOutcome } from "../report/results.ts";

/** What checking one rule finds: an outcome without the rule's name. `null`: the rule does not apply. */
export type RuleVerdict = Omit<RuleOutcome, "rule">;

export const kept: RuleVerdict = { outcome: "kept" };

/** A breach; `message` is one sentence fit to be shown to a customer. */
export function broken(message: string, evidence: JsonObject): RuleVerdict {
  return { outcome: "broken", message, evidence };
}

/** A rule that could not be evaluated, and why. */
export function unchecked(message: string, evidence?: JsonObject): RuleVerdict {
  return evidence === undefined
    ? { outcome: "unchecked", message }
    : { outcome: "unchecked", message, evidence };
}
