import type { EndedBy, TaskVerdict, TrialVerdict } from "../../../../src/sandtable/report/results.ts";
import type { RehearsalRow } from "../../api/rehearsals.ts";
import type { Tone } from "../../ui/badge.tsx";
import type { IconName } from "../../ui/icon.tsx";

/** How a verdict looks; the word goes with it everywhere. */
export const verdictLook: Record<TrialVerdict | TaskVerdict, { tone: Tone; icon: IconName }> = {
  passed: { tone: "ok", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
  flaky: { tone: "warn", icon: "alert" },
  errored: { tone: "warn", icon: "alert" },
  cancelled: { tone: "plain", icon: "dash" },
  skipped: { tone: "plain", icon: "dash" },
};

export const endedByWords: Record<EndedBy, string> = {
  caller_hung_up: "the caller hung up",
  patience: "the caller’s patience ran out",
  max_turns: "the limit of turns was reached",
  agent_error: "the agent’s answer could not be used",
  killed: "the runtime stopped inside a step",
  caller_error: "the caller’s model failed",
  cancelled: "it was cancelled",
};

/** An agent under test as a person names it. */
export function agentText({ kind, name }: RehearsalRow["agent"]): string {
  if (kind === "agent") return `agent:${name}`;
  return kind === "builtin" ? `builtin ${name}` : name;
}
