import { currentScope, stepOps } from "../runtime/scope.ts";

/** The run the caller belongs to, in a body or a step. Throws outside of one. */
export function getWorkflowMetadata(): { workflowName: string; workflowRunId: string } {
  const scope = currentScope();
  if (scope === undefined) throw new Error("getWorkflowMetadata() was called outside of a workflow");
  return { workflowName: scope.ops.workflowName, workflowRunId: scope.ops.runId };
}

/** The step that calls. `stepId` with the run's id is the same in every attempt: an idempotency key. */
export function getStepMetadata(): { stepId: string; attempt: number; idempotencyKey: string } {
  const { runId, stepId, attempt } = stepOps("getStepMetadata()");
  return { stepId, attempt, idempotencyKey: `${runId}/${stepId}` };
}
