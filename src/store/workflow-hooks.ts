import { workspaceOwner } from "./workflow-runs.ts";

/** Whose run listens on a token, under which id. */
export interface HookPlace {
  owner: string;
  runId: string;
  hookId: string;
  active: boolean;
}

/**
 * Takes a token for a hook of a run. Answers who holds it: the run itself, also when it had taken it before, or another
 * whose hook is active.
 */
export async function claimToken(
  db: D1Database,
  hook: { owner: string; token: string; runId: string; hookId: string; createdAt: string },
): Promise<HookPlace> {
  const { owner, token, runId, hookId, createdAt } = hook;
  const [, held] = await db.batch<StoredHook>([
    db
      .prepare(
        `INSERT INTO workflow_hooks (run_id, hook_id, owner, token, active, created_at) VALUES (?, ?, ?, ?, 1, ?)
         ON CONFLICT DO NOTHING`,
      )
      .bind(runId, hookId, owner, token, createdAt),
    db
      .prepare("SELECT * FROM workflow_hooks WHERE owner = ? AND token = ? AND active = 1")
      .bind(owner, token),
  ]);
  const row = held?.results[0];
  if (row === undefined) return { owner, runId, hookId, active: false };
  return placeOf(row);
}

/** Frees the tokens of one hook of a run, or of all. */
export function freeTokens(db: D1Database, runId: string, hookId: string | null): D1PreparedStatement {
  return hookId === null
    ? db.prepare("UPDATE workflow_hooks SET active = 0 WHERE run_id = ? AND active = 1").bind(runId)
    : db
        .prepare("UPDATE workflow_hooks SET active = 0 WHERE run_id = ? AND hook_id = ? AND active = 1")
        .bind(runId, hookId);
}

/** The hook a token names for an owner: the active one, else the newest that was. */
export async function findToken(db: D1Database, owner: string, token: string): Promise<HookPlace | null> {
  const row = await db
    .prepare(
      `SELECT * FROM workflow_hooks WHERE owner IN (?, ?) AND token = ?
       ORDER BY active DESC, created_at DESC, run_id DESC LIMIT 1`,
    )
    .bind(owner, workspaceOwner, token)
    .first<StoredHook>();
  return row === null ? null : placeOf(row);
}

interface StoredHook {
  run_id: string;
  hook_id: string;
  owner: string;
  token: string;
  active: number;
  created_at: string;
}

function placeOf(row: StoredHook): HookPlace {
  return { owner: row.owner, runId: row.run_id, hookId: row.hook_id, active: row.active === 1 };
}
