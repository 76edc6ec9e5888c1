import type { DecidedBy } from "../agents/runtime/session-store.ts";
import type { Decision, Interrupt } from "../turn/index.ts";

/** A call that waits for a person, or waited, as the inbox shows it. */
export interface Approval {
  id: string;
  agent: string;
  session: string;
  runId: string;
  status: "pending" | "approved" | "rejected" | "cancelled";
  interrupt: Interrupt;
  decision: Decision | null;
  decidedBy: DecidedBy | null;
  createdAt: string;
  decidedAt: string | null;
}

/** Puts pending approvals in the inbox, all or none; one that is there already stays as it is. */
export async function putApprovals(
  db: D1Database,
  place: { owner: string; objectId: string; agent: string; session: string; runId: string },
  interrupts: Interrupt[],
): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO approvals (id, owner, object_id, agent, session, run_id, status, interrupt, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const { owner, objectId, agent, session, runId } = place;
  await db.batch(
    interrupts.map((one) =>
      insert.bind(one.id, owner, objectId, agent, session, runId, JSON.stringify(one), one.createdAt),
    ),
  );
}

/** Notes a decision that the session's object has taken; the first one noted stays. */
export function noteDecided(
  db: D1Database,
  { id, decision, by, at }: { id: string; decision: Decision; by: DecidedBy; at: string },
): D1PreparedStatement {
  return db
    .prepare(
      "UPDATE approvals SET status = ?, decision = ?, decided_by = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
    )
    .bind(decision.kind === "reject" ? "rejected" : "approved", JSON.stringify(decision), by, at, id);
}

/** Notes that a call waits no more, because its turn failed. */
export function noteCancelled(db: D1Database, { id, at }: { id: string; at: string }): D1PreparedStatement {
  return db
    .prepare("UPDATE approvals SET status = 'cancelled', decided_at = ? WHERE id = ? AND status = 'pending'")
    .bind(at, id);
}

/** Deletes what a session has in the inbox, decided or not: a row holds what the conversation said. */
export async function deleteApprovals(db: D1Database, objectId: string): Promise<void> {
  await db.prepare("DELETE FROM approvals WHERE object_id = ?").bind(objectId).run();
}

/** The inbox of an owner, newest first, after the place `before` names. */
export async function listApprovals(
  db: D1Database,
  owner: string,
  page: { status: Approval["status"] | null; limit: number; before: { at: string; id: string } | null },
): Promise<Approval[]> {
  const { status, limit, before } = page;
  const filters = ["kind = 'tool'", "owner = ?"];
  const bound: (string | number)[] = [owner];
  if (status !== null) {
    filters.push("status = ?");
    bound.push(status);
  }
  if (before !== null) {
    filters.push("(created_at, id) < (?, ?)");
    bound.push(before.at, before.id);
  }
  const { results } = await db
    .prepare(
      `SELECT * FROM approvals WHERE ${filters.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .bind(...bound, limit)
    .all<StoredApproval>();
  return results.map(fromStored);
}

/** One approval of an owner, and the object that holds its session. */
export async function findApproval(
  db: D1Database,
  owner: string,
  id: string,
): Promise<{ approval: Approval; objectId: string } | null> {
  const row = await db
    .prepare("SELECT * FROM approvals WHERE id = ? AND owner = ? AND kind = 'tool'")
    .bind(id, owner)
    .first<StoredApproval>();
  return row === null ? null : { approval: fromStored(row), objectId: row.object_id };
}

interface StoredApproval {
  id: string;
  object_id: string;
  agent: string;
  session: string;
  run_id: string;
  status: string;
  interrupt: string;
  decision: string | null;
  decided_by: string | null;
  created_at: string;
  decided_at: string | null;
}

function fromStored(row: StoredApproval): Approval {
  return {
    id: row.id,
    agent: row.agent,
    session: row.session,
    runId: row.run_id,
    status: row.status as Approval["status"],
    interrupt: JSON.parse(row.interrupt) as Interrupt,
    decision: row.decision === null ? null : (JSON.parse(row.decision) as Decision),
    decidedBy: row.decided_by as Approval["decidedBy"],
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  };
}
