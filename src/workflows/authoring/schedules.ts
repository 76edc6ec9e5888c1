import type { Json } from "../../turn/json.ts";
import { readJsonValue } from "../runtime/json-value.ts";
import { bodyOps, currentScope, type StepOps, stepOps } from "../runtime/scope.ts";
import type { ScheduleRecord } from "../runtime/types.ts";
import { FatalError } from "./errors.ts";
import { runStep } from "./step.ts";

/**
 * Starts a workflow by a cron expression of five fields, UTC, under a name; the same name again replaces it. From a body
 * or a step. Throws when the expression, the workflow or its input is not right.
 */
export function scheduleWorkflow(
  name: string,
  { workflow, cron, input = {} }: { workflow: string; cron: string; input?: unknown },
): Promise<ScheduleRecord> {
  return asStep("scheduleWorkflow", async ({ services }) => {
    const json = readJsonValue(input, "input");
    if (!json.ok) throw new FatalError(json.message, { code: "workflow_input_invalid" });
    const outcome = await services.putSchedule({ name, workflow, cron, input: json.value });
    if (outcome.kind === "scheduled") return outcome.schedule;
    const message =
      outcome.kind === "invalid"
        ? outcome.issues.map((issue) => `${issue.path}: ${issue.message}`).join("; ")
        : outcome.message;
    throw new FatalError(`scheduleWorkflow(): ${message}`, { code: "schedule_invalid" });
  });
}

/** Ends a schedule that was made by name. False: there was none. */
export function unscheduleWorkflow(name: string): Promise<boolean> {
  return asStep("unscheduleWorkflow", ({ services }) => services.removeSchedule(name));
}

/** The schedules of this owner, declared ones included. */
export function listSchedules(): Promise<ScheduleRecord[]> {
  return asStep("listSchedules", ({ services }) => services.listSchedules());
}

/** Does it at once in a step, in a step of its own in a body. */
async function asStep<Result extends Json | ScheduleRecord | ScheduleRecord[]>(
  name: string,
  work: (ops: StepOps) => Promise<Result>,
): Promise<Result> {
  if (currentScope()?.kind === "step") return work(stepOps(`${name}()`));
  bodyOps(`${name}()`);
  return runStep({ name }, name, () => work(stepOps(`${name}()`)));
}
