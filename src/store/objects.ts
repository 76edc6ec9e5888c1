import type { RehearsalObject } from "../../objects/rehearsal.ts";
import type { SessionObject } from "../../objects/session.ts";
import type { TableObject } from "../../objects/table.ts";
import type { WorkflowRunObject } from "../../objects/workflow-run.ts";
import type { WorkflowSchedulerObject } from "../../objects/workflow-scheduler.ts";
import type { Env } from "../env.ts";

/** The object of a rehearsal. Its name holds the owner, so that a guessed run id of somebody else finds nothing. */
export function rehearsalObject(env: Env, owner: string, runId: string): DurableObjectStub<RehearsalObject> {
  return env.REHEARSAL.get(env.REHEARSAL.idFromName(`${owner}:${runId}`));
}

/** The object of a session, which belongs to a credential, an agent and a key: each alone finds nothing. */
export function sessionObject(
  env: Env,
  owner: string,
  agent: string,
  key: string,
): DurableObjectStub<SessionObject> {
  return env.SESSION.get(env.SESSION.idFromName(JSON.stringify([owner, agent, key])));
}

/** The object that keeps the pins of an owner's tables. */
export function tableObject(env: Env, owner: string): DurableObjectStub<TableObject> {
  return env.TABLE.get(env.TABLE.idFromName(owner));
}

/** The object of a workflow's run. Its name holds the owner, so that a guessed run id of somebody else finds nothing. */
export function workflowRunObject(
  env: Env,
  owner: string,
  runId: string,
): DurableObjectStub<WorkflowRunObject> {
  return env.WORKFLOW_RUN.get(env.WORKFLOW_RUN.idFromName(`${owner}:${runId}`));
}

/** The one object that starts runs when their time has come. */
export function schedulerObject(env: Env): DurableObjectStub<WorkflowSchedulerObject> {
  return env.WORKFLOW_SCHEDULER.get(env.WORKFLOW_SCHEDULER.idFromName("schedules"));
}
