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
