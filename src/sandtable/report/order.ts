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
