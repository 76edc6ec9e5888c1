import type { RunFailure, RunStatus, RunSummary, Trigger } from "../workflows/runtime/types.ts";

/**
 * The owner of what nobody's credential started: runs of declared schedules. Every credential of the deployment sees
 * them. No credential's hash reads like this.
 */
export const workspaceOwner = "workspace";

/** Stores a run, or where it stands by now. Telling it again changes nothing; an end that was told stays. */
export function putWorkflowRun(db: D1Database, owner: string, run: RunSummary): D1PreparedStatement {
  const { runId, workflowName, trigger, status, conversation, parentRunId, retryOf, startedAt } = run;
  return db
    .prepare(
      `INSERT INTO workflow_runs (run_id, owner, workflow, started_by, status, conversation, parent_run_id, retry_of, started_at, ended_at, failure)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, failure = excluded.failure
       WHERE workflow_runs.ended_at IS NULL`,
    )
    .bind(
      ...[runId, owner, workflowName, trigger, status, conversation, parentRunId, retryOf, startedAt],
      run.endedAt,
      run.failure === null ? null : JSON.stringify(run.failure),
    );
}

/** One run that an owner may see, and whose it is; `null` when there is none. */
export async function findWorkflowRun(
  db: D1Database,
  owner: string,
  runId: string,
): Promise<{ run: RunSummary; owner: string } | null> {
  const row = await db
    .prepare("SELECT * FROM workflow_runs WHERE run_id = ? AND owner IN (?, ?)")
    .bind(runId, owner, workspaceOwner)
    .first<StoredWorkflowRun>();
  return row === null ? null : { run: workflowRunOf(row), owner: row.owner };
}

interface StoredWorkflowRun {
  run_id: string;
  owner: string;
  workflow: string;
  started_by: string;
  status: string;
  conversation: string | null;
  parent_run_id: string | null;
  retry_of: string | null;
  started_at: string;
  ended_at: string | null;
  failure: string | null;
}

function workflowRunOf(row: StoredWorkflowRun): RunSummary {
  return {
    runId: row.run_id,
    workflowName: row.workflow,
    trigger: row.started_by as Trigger,
    status: row.status as RunStatus,
    conversation: row.conversation,
    parentRunId: row.parent_run_id,
    retryOf: row.retry_of,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as RunFailure),
  };
}
