import { mintId } from "../../agents/runtime/mint-id.ts";
import type { Env } from "../../env.ts";
import { workflowRunObject } from "../../store/objects.ts";
import type { Json } from "../../turn/json.ts";
import { findWorkflow, workflowNames } from "../registry.ts";
import { sameJson } from "./json-value.ts";
import { readInput } from "./read-input.ts";
import type { RunSpec, StartAnswer } from "./run-protocol.ts";
import type { StartOutcome, StartRequest } from "./types.ts";

/** What only the engine says of a start. */
interface Origin {
  parent?: RunSpec["parent"];
  waiters?: string[];
  retryOf?: string;
}

/**
 * Starts a run of a workflow for an owner. The input is checked first: what does not fit starts nothing. With an
 * idempotency key the same start is done once, however often and whenever it is asked for. A serial workflow's run waits
 * in line when another one runs.
 */
export async function startRun(
  env: Env,
  owner: string,
  { workflow, input, trigger, idempotencyKey, conversation }: StartRequest,
  { parent = null, waiters = [], retryOf }: Origin = {},
): Promise<StartOutcome> {
  const definition = findWorkflow(workflow);
  if (definition === undefined) return { kind: "unknown_workflow", message: unknownWorkflow(workflow) };
  const read = readInput(definition, input);
  if (!read.ok) return { kind: "invalid", issues: read.issues };
  const runId =
    idempotencyKey === undefined ? mintId("run_") : await keyedRunId(owner, workflow, idempotencyKey);
  const spec: RunSpec = {
    runId,
    owner,
    workflow,
    trigger,
    input: read.input,
    ...(sameJson(read.input, input) ? {} : { rawInput: input }),
    conversation: conversation ?? null,
    parent,
    retryOf: retryOf ?? null,
    startedAt: new Date().toISOString(),
    serial: definition.serial,
    waiters,
  };
  const answer = JSON.parse(
    await workflowRunObject(env, owner, runId).start(JSON.stringify(spec)),
  ) as StartAnswer;
  if (!answer.same) {
    const message = "The idempotency key has started a run with another input; use another key.";
    return { kind: "key_reused", runId, message };
  }
  return {
    kind: "started",
    run: { workflowName: workflow, runId, worldRunId: runId, trigger },
    status: answer.status,
    position: answer.position,
    repeated: answer.repeated,
  };
}

/** Says which workflows there are when one is not. */
export function unknownWorkflow(name: string): string {
  const known = workflowNames.length === 0 ? "there is none" : `there are: ${workflowNames.join(", ")}`;
  return `There is no workflow "${name}"; ${known}.`;
}

/** The id of the run a key starts: whoever asks again asks the same object. */
async function keyedRunId(owner: string, workflow: string, key: string): Promise<string> {
  const named: Json = [owner, workflow, key];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(named)));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `run_k${hex.slice(0, 40)}`;
}
