/*
 * The line of a workflow whose runs go one at a time. The first in line is the one that may run; a run leaves when it
 * has ended. One statement after another, the database decides who is first, so no two runs ever think they are.
 */

/** Puts a run at the end of its workflow's line, once, and says how many are before it. */
export async function joinLine(
  db: D1Database,
  run: { workflow: string; owner: string; runId: string },
): Promise<number> {
  const { workflow, owner, runId } = run;
  const [, counted] = await db.batch<{ before: number }>([
    db
      .prepare(
        "INSERT INTO workflow_line (workflow, owner, run_id) VALUES (?, ?, ?) ON CONFLICT (run_id) DO NOTHING",
      )
      .bind(workflow, owner, runId),
    countBefore(db, workflow, runId),
  ]);
  return counted?.results[0]?.before ?? 0;
}

/** How many are before a run in its line; 0 also when it is not in it. */
export async function placeInLine(db: D1Database, workflow: string, runId: string): Promise<number> {
  const row = await countBefore(db, workflow, runId).first<{ before: number }>();
  return row?.before ?? 0;
}

/** Takes a run out of the line and answers who is first now. */
export async function leaveLine(
  db: D1Database,
  workflow: string,
  runId: string,
): Promise<{ owner: string; runId: string } | null> {
  const [, first] = await db.batch<{ owner: string; run_id: string }>([
    db.prepare("DELETE FROM workflow_line WHERE run_id = ?").bind(runId),
    db
      .prepare("SELECT owner, run_id FROM workflow_line WHERE workflow = ? ORDER BY seq LIMIT 1")
      .bind(workflow),
  ]);
  const row = first?.results[0];
  return row === undefined ? null : { owner: row.owner, runId: row.run_id };
}

function countBefore(db: D1Database, workflow: string, runId: string): D1PreparedStatement {
  return db
    .prepare(
      `SELECT COUNT(*) AS before FROM workflow_line
       WHERE workflow = ? AND seq < (SELECT seq FROM workflow_line WHERE run_id = ?)`,
    )
    .bind(workflow, runId);
}
