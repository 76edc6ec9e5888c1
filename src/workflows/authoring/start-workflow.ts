import type { Json } from "../../turn/json.ts";
import { readJsonValue } from "../runtime/json-value.ts";
import { bodyOps, currentScope, type StepOps, stepOps } from "../runtime/scope.ts";
import type { RunHandle } from "../runtime/types.ts";
import { FatalError } from "./errors.ts";
import { runStep } from "./step.ts";

/**
 * Starts another workflow, from a body or a step, and goes on without waiting for it. It is started once, however often
 * the step is tried. Throws when there is no such workflow, or the input is not what it takes.
 */
export async function startWorkflow(name: string, input: unknown = {}): Promise<RunHandle> {
  if (currentScope()?.kind === "step") return start(stepOps("startWorkflow()"), name, input, null);
  bodyOps("startWorkflow()");
  return runStep({ name: "startWorkflow" }, "startWorkflow", () =>
    start(stepOps("startWorkflow()"), name, input, null),
  );
}

/**
 * Starts another workflow from a body and waits for its end: its output, or the error it failed with. Cancelling this
 * run leaves that one alone.
 */
export async function startAndWait<Output extends Json = Json>(
  name: string,
  input: unknown = {},
): Promise<Output> {
  const ops = bodyOps("startAndWait()");
  const wait = ops.nextId("workflow");
  await runStep({ name: "startAndWait" }, "startAndWait", () =>
    start(stepOps("startAndWait()"), name, input, wait),
  );
  return (await ops.wait({ id: wait, kind: "workflow" })) as Output;
}

async function start(ops: StepOps, name: string, input: unknown, wait: string | null): Promise<RunHandle> {
  const json = readJsonValue(input, "input");
  if (!json.ok) throw new FatalError(json.message, { code: "workflow_input_invalid" });
  const outcome = await ops.services.start({
    workflow: name,
    input: json.value,
    idempotencyKey: `${ops.runId}/${ops.stepId}/${ops.nextStart()}`,
    wait,
  });
  if (outcome.kind === "started") return outcome.run;
  if (outcome.kind === "invalid") {
    const [issue] = outcome.issues;
    const where = issue === undefined || issue.path === "" ? "" : `${issue.path}: `;
    throw new FatalError(`The workflow "${name}" does not take this input: ${where}${issue?.message}`, {
      code: "workflow_input_invalid",
    });
  }
  const code = outcome.kind === "unknown_workflow" ? "workflow_not_found" : "workflow_start_conflict";
  throw new FatalError(outcome.message, { code });
}
