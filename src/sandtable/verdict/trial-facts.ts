import type { Rule } from "../domain/types.ts";
import type { EndedBy, TrialResult, TrialVerdict, Usage } from "../report/results.ts";

/** The little of a finished trial that a summary is made from, so that summing up holds no transcript. */
export interface TrialFacts {
  taskId: string;
  /** From 0. */
  trial: number;
  verdict: TrialVerdict;
  endedBy: EndedBy;
  /** The agent gave at least one well-formed answer: a reply or tool calls. */
  agentAnswered: boolean;
  /** Rules that had something to say, in the domain's order; so the next two, which are parts of it. */
  rulesInPlay: string[];
  rulesBroken: string[];
  /** Broken, and the trial failed for it. */
  rulesCaught: string[];
  callerUsage: Usage;
}

/**
 * Reads a trial's facts off its result. A rule is in play when an outcome of it is listed: the trial called a tool
 * the rule guards, or the agent replied after it was shown a value the rule keeps secret.
 */
export function trialFacts(rules: Pick<Rule, "id">[], result: TrialResult): TrialFacts {
  const inPlay = new Set<string>();
  const broken = new Set<string>();
  let agentAnswered = false;
  for (const entry of result.transcript) {
    if (entry.kind !== "call" && entry.kind !== "agent") continue;
    agentAnswered = true;
    for (const { rule, outcome } of entry.rules) {
      inPlay.add(rule);
      if (outcome === "broken") broken.add(rule);
    }
  }
  const caught = new Set<string>();
  for (const reason of result.why)
    if (result.verdict === "failed" && reason.kind === "rule" && reason.severity === "hard")
      caught.add(reason.rule);
  const inOrder = (ids: Set<string>) => rules.map(({ id }) => id).filter((id) => ids.has(id));
  return {
    taskId: result.taskId,
    trial: result.trial,
    verdict: result.verdict,
    endedBy: result.endedBy,
    agentAnswered,
    rulesInPlay: inOrder(inPlay),
    rulesBroken: inOrder(broken),
    rulesCaught: inOrder(caught),
    callerUsage: result.callerUsage,
  };
}
