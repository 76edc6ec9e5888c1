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

/** The inbox of an owner, newest first, after the place `before` names. */
export async function listApprovals(
  db: D1Database,
  owner: string,
  page: { status: Approval["status"] | null; limit: number; before: { at: string; id: string } | null },
): Promise<Approval[]> {
  const { status, limit, before } = page;
  const filters = ["owner = ?"];
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
    .prepare("SELECT * FROM approvals WHERE id = ? AND owner = ?")
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
