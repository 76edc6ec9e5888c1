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
  decidedBy: "wire" | "inbox" | null;
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
export async function noteDecisions(
  db: D1Database,
  decisions: { id: string; decision: Decision }[],
  decidedBy: "wire" | "inbox",
  decidedAt: string,
): Promise<void> {
  if (decisions.length === 0) return;
  const update = db.prepare(
    "UPDATE approvals SET status = ?, decision = ?, decided_by = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
  );
  await db.batch(
    decisions.map(({ id, decision }) =>
      update.bind(
        decision.kind === "reject" ? "rejected" : "approved",
        JSON.stringify(decision),
        decidedBy,
        decidedAt,
        id,
      ),
    ),
  );
}

/** Marks what waited in a session that is gone. */
export async function cancelApprovals(db: D1Database, objectId: string, at: string): Promise<void> {
  await db
    .prepare(
      "UPDATE approvals SET status = 'cancelled', decided_at = ? WHERE object_id = ? AND status = 'pending'",
    )
    .bind(at, objectId)
    .run();
}
