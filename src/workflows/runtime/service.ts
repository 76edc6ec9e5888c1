import type { Sender } from "../../../objects/workflow-run-hooks.ts";
import type { Env } from "../../env.ts";
import { inDatabase } from "../../store/in-database.ts";
import { workflowRunObject } from "../../store/objects.ts";
import { type ListedRun, listAllRuns } from "../../store/run-list.ts";
import { findToken } from "../../store/workflow-hooks.ts";
import { findWorkflowRun, workspaceOwner } from "../../store/workflow-runs.ts";
import type { Json } from "../../turn/json.ts";
import { findWorkflow, workflowNames } from "../registry.ts";
import { describeWorkflow, schemaOf } from "./definition.ts";
import { startRun } from "./start-run.ts";
import type {
  CancelOutcome,
  Page,
  ResumeOutcome,
  RetryOutcome,
  RunDetail,
  RunFilter,
  WorkflowDescription,
  WorkflowSchema,
} from "./types.ts";

/*
 * What routes ask of workflows. An owner is the credential's hash; runs of declared schedules belong to the workspace,
 * and every owner sees them. A database that is away throws `HttpError` 503.
 */

/** Every workflow that can be started, by name. */
export function describeWorkflows(): WorkflowDescription[] {
  return workflowNames.flatMap((name) => {
    const definition = findWorkflow(name);
    return definition === undefined ? [] : [describeWorkflow(definition)];
  });
}

/** What a workflow takes and gives; `null` when there is none of that name. */
export function workflowSchema(name: string): WorkflowSchema | null {
  const definition = findWorkflow(name);
  return definition === undefined ? null : schemaOf(definition);
}

/** A run with its steps and waits; `null` when the owner has none of that id. */
export async function getRun(env: Env, owner: string, runId: string): Promise<RunDetail | null> {
  const object = await runOf(env, owner, runId);
  const detail = await object?.detail();
  return detail === null || detail === undefined ? null : (JSON.parse(detail) as RunDetail);
}

/** Runs of workflows and turns of agents in one list, newest first. */
export function listRuns(env: Env, owner: string, filter: RunFilter, page: Page): Promise<ListedRun[]> {
  return inDatabase(listAllRuns(env.DB, owner, filter, page));
}

/** Cancels a run that has not ended. Steps under way are not waited for; its hooks and its token are free. */
export async function cancelRun(env: Env, owner: string, runId: string): Promise<CancelOutcome> {
  const object = await runOf(env, owner, runId);
  return object === null ? { kind: "unknown" } : object.cancel();
}

/** Starts a run that has ended anew, from the input it was started with, under a new id. */
export async function retryRun(env: Env, owner: string, runId: string): Promise<RetryOutcome> {
  const found = await inDatabase(findWorkflowRun(env.DB, owner, runId));
  if (found === null) return { kind: "unknown" };
  const text = await workflowRunObject(env, found.owner, runId).detail();
  if (text === null) return { kind: "unknown" };
  const { workflowName, input, status, conversation } = JSON.parse(text) as RunDetail;
  if (status === "running" || status === "waiting") {
    return { kind: "running", message: `The run has not ended: it is ${status}. Cancel it first.` };
  }
  return startRun(
    env,
    owner,
    {
      workflow: workflowName,
      input,
      trigger: "manual",
      ...(conversation === null ? {} : { conversation }),
    },
    { retryOf: runId },
  );
}

/**
 * Hands a payload to the hook a token names: for an approval a decision (see `readDecision`), else what the hook takes.
 * `key`: the sender's name for this very payload; without one, saying the same again to a hook that takes one payload
 * is the same, and changes nothing.
 */
export async function resumeHook(
  env: Env,
  owner: string,
  token: string,
  payload: Json,
  { key = null }: { key?: string | null } = {},
): Promise<ResumeOutcome> {
  const place = await inDatabase(findToken(env.DB, owner, token));
  if (place === null) return { kind: "unknown" };
  return resume(env, place.owner, place.runId, { hookId: place.hookId }, payload, { key, by: "hook" });
}

/** Decides a question of the inbox: as `resumeHook`, by the item's id and its run's. */
export async function decideApproval(
  env: Env,
  place: { owner: string; runId: string; approvalId: string },
  decision: Json,
): Promise<ResumeOutcome> {
  const { owner, runId, approvalId } = place;
  return resume(env, owner, runId, { approvalId }, decision, { key: null, by: "inbox" });
}

/**
 * The run's events as server-sent events, from after a number on, to its end: `run` first, `message` for what happens,
 * `done` or `error` last. `null`: the owner has no such run.
 */
export async function watchRun(
  env: Env,
  owner: string,
  runId: string,
  after: number,
): Promise<Response | null> {
  for (const one of [owner, workspaceOwner]) {
    const response = await workflowRunObject(env, one, runId).fetch(`https://run/events?after=${after}`);
    if (response.status !== 404) return response;
    await response.body?.cancel();
  }
  return null;
}

async function resume(
  env: Env,
  owner: string,
  runId: string,
  ref: { hookId: string } | { approvalId: string },
  body: Json,
  sender: Sender,
): Promise<ResumeOutcome> {
  const order = JSON.stringify({ ref, body, sender });
  return JSON.parse(await inDatabase(workflowRunObject(env, owner, runId).resume(order))) as ResumeOutcome;
}

async function runOf(env: Env, owner: string, runId: string) {
  const found = await inDatabase(findWorkflowRun(env.DB, owner, runId));
  return found === null ? null : workflowRunObject(env, found.owner, runId);
}
