import type { Task } from "../domain/types.ts";
import type { TaskResult, TaskVerdict } from "../report/results.ts";
import { passHatKs } from "./pass-hat-k.ts";
import type { TrialFacts } from "./trial-facts.ts";

/**
 * One task's line of the summary from the facts of its trials. Errored and cancelled trials are not graded: they count
 * neither for nor against the agent.
 */
export function taskResult(
  task: Pick<Task, "id" | "description" | "tags" | "critical">,
  trials: Pick<TrialFacts, "verdict">[],
  passesDoingNothing: boolean,
): TaskResult {
  const count = (verdict: TrialFacts["verdict"]) => trials.filter((t) => t.verdict === verdict).length;
  const passed = count("passed");
  const graded = passed + count("failed");
  const errored = count("errored");
  return {
    id: task.id,
    ...(task.description === undefined ? {} : { description: task.description }),
    tags: task.tags,
    critical: task.critical,
    verdict: taskVerdict(passed, graded, errored),
    passed,
    graded,
    errored,
    passHatK: passHatKs(graded, passed),
    passesDoingNothing,
  };
}

/** `flaky`: some graded trials passed and some failed. Without a graded trial: `errored` if any errored, else `skipped`. */
function taskVerdict(passed: number, graded: number, errored: number): TaskVerdict {
  if (graded === 0) return errored > 0 ? "errored" : "skipped";
  if (passed === graded) return "passed";
  return passed === 0 ? "failed" : "flaky";
}

/**
 * Mean pass^k over the tasks that have a graded trial; `null` when there are none, or when one of them has fewer than
 * `k` graded trials and so no pass^k.
 */
export function meanPassHatK(tasks: Pick<TaskResult, "graded" | "passHatK">[], k: number): number | null {
  const values = tasks.filter((task) => task.graded > 0).map((task) => task.passHatK[k - 1]);
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum / values.length;
}
