import type { Rule, Task } from "../domain/types.ts";
import type {
  Gate,
  RuleResult,
  Summary,
  TaskResult,
  TaskVerdict,
  TrialVerdict,
  Usage,
} from "../report/results.ts";
import { evaluateGates, type GateSpec } from "./gates.ts";
import { meanPassHatK, taskResult } from "./task-verdict.ts";
import type { TrialFacts } from "./trial-facts.ts";

/** What was planned, apart from the trials themselves. */
export interface SummaryPlan {
  /** The selected tasks, in the domain's order. */
  tasks: Pick<Task, "id" | "description" | "tags" | "critical">[];
  rules: Rule[];
  /** Trials planned for each task. */
  trials: number;
  gates: GateSpec[];
  /** Ids of tasks that an agent doing nothing passes. */
  doNothing: string[];
}

interface RunSummary {
  summary: Summary;
  tasks: TaskResult[];
  rules: RuleResult[];
  gates: Gate[];
}

/**
 * Sums a rehearsal up from the facts of the trials that have ended, in whatever order they ended; the answer does not
 * depend on that order. Can be asked at any time: trials still to come are in `planned` only.
 */
export function summarise(plan: SummaryPlan, facts: TrialFacts[]): RunSummary {
  const byTask = Map.groupBy(facts, (trial) => trial.taskId);
  const doNothing = new Set(plan.doNothing);
  const tasks = plan.tasks.map((task) => taskResult(task, byTask.get(task.id) ?? [], doNothing.has(task.id)));
  return {
    summary: summaryOf(plan, tasks, facts),
    tasks,
    rules: plan.rules.map((rule) => ruleResult(rule, facts)),
    gates: evaluateGates(plan.gates, tasks),
  };
}

function summaryOf(plan: SummaryPlan, tasks: TaskResult[], facts: TrialFacts[]): Summary {
  const trials = (verdict: TrialVerdict) => facts.filter((trial) => trial.verdict === verdict).length;
  const verdicts = (verdict: TaskVerdict) => tasks.filter((task) => task.verdict === verdict).length;
  const graded = facts.filter(({ verdict }) => verdict === "passed" || verdict === "failed");
  const idle = tasks.filter((task) => task.passesDoingNothing).map((task) => task.id);
  return {
    trials: {
      planned: plan.tasks.length * plan.trials,
      passed: trials("passed"),
      failed: trials("failed"),
      errored: trials("errored"),
      cancelled: trials("cancelled"),
    },
    tasks: {
      passed: verdicts("passed"),
      failed: verdicts("failed"),
      flaky: verdicts("flaky"),
      errored: verdicts("errored"),
      skipped: verdicts("skipped"),
    },
    passHatK: meanPassHatKs(tasks),
    doNothing: { score: tasks.length === 0 ? 0 : idle.length / tasks.length, tasks: idle },
    callerUsage: facts
      .map((trial) => trial.callerUsage)
      .reduce(addUsage, { inputTokens: 0, outputTokens: 0, costUsd: 0 }),
    agentNeverAnswered: graded.length > 0 && graded.every((trial) => !trial.agentAnswered),
  };
}

/** As long as the smallest number of graded trials of any graded task. */
function meanPassHatKs(tasks: TaskResult[]): number[] {
  const series: number[] = [];
  for (;;) {
    const mean = meanPassHatK(tasks, series.length + 1);
    if (mean === null) return series;
    series.push(mean);
  }
}

function ruleResult(rule: Rule, facts: TrialFacts[]): RuleResult {
  const trials = (ids: (trial: TrialFacts) => string[]) =>
    facts.filter((trial) => ids(trial).includes(rule.id)).length;
  return {
    id: rule.id,
    severity: rule.severity,
    ...(rule.description === undefined ? {} : { description: rule.description }),
    ...(rule.source === undefined ? {} : { quote: rule.source.quote }),
    inPlay: trials((trial) => trial.rulesInPlay),
    broken: trials((trial) => trial.rulesBroken),
    caught: trials((trial) => trial.rulesCaught),
  };
}

/** Sum of two usages; the cost is unknown as soon as one part of it is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}
