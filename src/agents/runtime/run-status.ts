import type { AgentRun } from "../../store/agent-runs.ts";
import type { TurnOutcome } from "../../turn/index.ts";

/** How a run's record calls the way its turn ended. */
export function runStatus(outcome: TurnOutcome): Exclude<AgentRun["status"], "running"> {
  return outcome.type === "success" ? "done" : outcome.type === "interrupt" ? "interrupted" : outcome.type;
}
