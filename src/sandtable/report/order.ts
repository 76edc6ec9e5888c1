import { reasonText } from "./evidence.ts";
import type { Results, TaskResult, TaskVerdict, TrialResult } from "./results.ts";

/** What needs a reader first. */
const verdictRank: Record<TaskVerdict, number> = { failed: 0, flaky: 1, errored: 2, passed: 3, skipped: 4 };

/** Tasks for reading: critical ones first, then by what went worst, else as in the domain. */
export function orderTasks(tasks: TaskResult[]): TaskResult[] {
  return [...tasks].sort(
    (a, b) => Number(b.critical) - Number(a.critical) || verdictRank[a.verdict] - verdictRank[b.verdict],
  );
}

/** Trials of each task by trial number; tasks without one have an empty list. */
export function trialsByTask(results: Pick<Results, "tasks" | "trials">): Map<string, TrialResult[]> {
  const byTask = new Map<string, TrialResult[]>(results.tasks.map((task) => [task.id, []]));
  for (const trial of results.trials) {
    const list = byTask.get(trial.taskId);
    if (list === undefined) byTask.set(trial.taskId, [trial]);
    else list.push(trial);
  }
  for (const list of byTask.values()) list.sort((a, b) => a.trial - b.trial);
  return byTask;
}

/** Trials of one task with something to tell, for the same reasons. */
export interface FindingGroup {
  /** The one to show. */
  trial: TrialResult;
  /** Numbers of all of them, ascending. */
  numbers: number[];
}

/**
 * The trials of a task that have reasons: failed ones first, then errored, then passed ones in which a soft rule was
 * broken. Those with the same reasons are together.
 */
export function groupFindings(trials: TrialResult[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const trial of trials) {
    if (trial.verdict === "cancelled" || (trial.verdict === "passed" && trial.why.length === 0)) continue;
    const key = JSON.stringify([trial.verdict, trial.why.map(reasonText)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { trial, numbers: [trial.trial] });
    else group.numbers.push(trial.trial);
  }
  return [...groups.values()].sort((a, b) => trialRank[a.trial.verdict] - trialRank[b.trial.verdict]);
}

const trialRank = { failed: 0, errored: 1, passed: 2, cancelled: 3 } as const;

/** `trial 2`, `trials 0, 1 and 3`, `trials 0, 1, 2 and 7 more`. */
export function trialNumbers(numbers: number[]): string {
  if (numbers.length === 1) return `trial ${numbers[0]}`;
  const shown = numbers.length > 4 ? numbers.slice(0, 3) : numbers.slice(0, -1);
  const last = numbers.length > 4 ? `${numbers.length - 3} more` : String(numbers.at(-1));
  return `trials ${shown.join(", ")} and ${last}`;
}
