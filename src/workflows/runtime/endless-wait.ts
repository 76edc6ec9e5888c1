import { FatalError } from "../authoring/errors.ts";
import type { WorkflowDefinition } from "./definition.ts";

/** Runs that wait for each other, one in the other, at most: further ones are a cycle that has no end. */
const deepestWait = 32;

/**
 * Throws `FatalError` for a run that would be waited for without end. `waiters`: the workflows of the runs that would
 * wait for it, the first of them first.
 */
export function refuseEndlessWait(
  child: Pick<WorkflowDefinition, "name" | "serial"> | undefined,
  waiters: readonly string[],
): void {
  if (child === undefined) return;
  const { name, serial } = child;
  if (serial && waiters.includes(name)) {
    const message = `Runs of "${name}" go one at a time, and one of them waits for this one's end: it would wait for itself.`;
    throw new FatalError(message, { code: "workflow_waits_for_itself" });
  }
  if (waiters.length <= deepestWait) return;
  const message = `More than ${deepestWait} runs would wait for each other: ${waiters.slice(-2).join(", ")}, then "${name}". Use startWorkflow(), which does not wait.`;
  throw new FatalError(message, { code: "workflow_nested_too_deep" });
}
