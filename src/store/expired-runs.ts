/** Turns looked at in one statement. */
const batchSize = 1_000;

/** Statements of one sweep: what is left over is swept the next day. */
const maxBatches = 50;

/** Deletes all that is listed of a run of a workflow: its row, its tokens, what it has in the inbox. */
export async function deleteWorkflowRun(db: D1Database, runId: string, objectId: string): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM approvals WHERE object_id = ?").bind(objectId),
    db.prepare("DELETE FROM workflow_hooks WHERE run_id = ?").bind(runId),
    db.prepare("DELETE FROM workflow_line WHERE run_id = ?").bind(runId),
    db.prepare("DELETE FROM workflow_runs WHERE run_id = ?").bind(runId),
  ]);
}

/**
 * Deletes the records of agents' turns that began before `ended`; those that still wait for people, or never told of
 * their end, only when they began before `any`. ISO times. Answers how many. Rows are looked at in the order they were
 * stored, from the oldest, so that what stays costs nothing and no further index is kept.
 */
export async function deleteAgentRuns(
  db: D1Database,
  { ended, any }: { ended: string; any: string },
): Promise<number> {
  let deleted = 0;
  let last = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const found = await db
      .prepare(
        `SELECT MAX(place) AS last, COUNT(*) AS rows, SUM(started_at < ?) AS old
         FROM (SELECT rowid AS place, started_at FROM agent_runs WHERE rowid > ? ORDER BY rowid LIMIT ?)`,
      )
      .bind(ended, last, batchSize)
      .first<{ last: number | null; rows: number; old: number | null }>();
    if (found === null || found.last === null || !found.old) break;
    const { meta } = await db
      .prepare(
        `DELETE FROM agent_runs WHERE rowid > ? AND rowid <= ? AND
         (started_at < ? OR (started_at < ? AND status NOT IN ('running', 'interrupted')))`,
      )
      .bind(last, found.last, any, ended)
      .run();
    deleted += meta.changes;
    last = found.last;
    if (found.rows < batchSize) break;
  }
  return deleted;
}
