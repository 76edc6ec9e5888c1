import { bodyOps, currentScope, stepOps } from "../runtime/scope.ts";

/** The run the caller belongs to, in a body or a step. `startedAt` is ISO 8601 and only known in a body. */
export function getWorkflowMetadata(): { workflowName: string; workflowRunId: string } {
  const scope = currentScope();
  if (scope === undefined) return bodyOps("getWorkflowMetadata()") as never;
  return { workflowName: scope.ops.workflowName, workflowRunId: scope.ops.runId };
}

/** The step that calls. `stepId` with the run's id is the same in every attempt: an idempotency key. */
export function getStepMetadata(): { stepId: string; attempt: number; idempotencyKey: string } {
  const { runId, stepId, attempt } = stepOps("getStepMetadata()");
  return { stepId, attempt, idempotencyKey: `${runId}/${stepId}` };
}
