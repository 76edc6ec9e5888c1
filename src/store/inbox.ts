import type { Decision, Interrupt } from "../turn/index.ts";
import type { HookDecision, Page, WorkflowApproval, WorkflowQuestion } from "../workflows/runtime/types.ts";
import type { Approval } from "./approvals.ts";
import { workspaceOwner } from "./workflow-runs.ts";

/** What waits for a person, or waited: a call of an agent, or a question of a workflow. */
export type InboxItem = ({ kind: "tool" } & Approval) | WorkflowApproval;

/** Puts a workflow's question in the inbox; one that is there already stays as it is. */
export async function putQuestion(
  db: D1Database,
  place: { id: string; owner: string; objectId: string; workflow: string; token: string; runId: string },
  question: WorkflowQuestion,
  { createdAt, expiresAt }: { createdAt: string; expiresAt: string | null },
): Promise<void> {
  const { id, owner, objectId, workflow, token, runId } = place;
  await db
    .prepare(
      `INSERT INTO approvals (id, owner, kind, object_id, workflow, token, run_id, status, interrupt, created_at, expires_at)
       VALUES (?, ?, 'workflow', ?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .bind(id, owner, objectId, workflow, token, runId, JSON.stringify(question), createdAt, expiresAt)
    .run();
}

/** Notes how a workflow's question ended, as its run has taken it; the first end noted stays. */
export function noteAnswered(
  db: D1Database,
  answer: {
    id: string;
    status: Exclude<WorkflowApproval["status"], "pending">;
    decision: HookDecision | null;
    by: WorkflowApproval["decidedBy"];
    at: string;
  },
): D1PreparedStatement {
  const { id, status, decision, by, at } = answer;
  return db
    .prepare(
      "UPDATE approvals SET status = ?, decision = ?, decided_by = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
    )
    .bind(status, decision === null ? null : JSON.stringify(decision), by, at, id);
}

/** Characters of what is asked and decided that one page holds, or one item of more. */
const maxPage = 4_194_304;

/**
 * The inbox an owner sees, newest first, after the place `before` names: a page ends early when what its items ask is
 * large. `more`: there may be further ones.
 */
export async function listInboxItems(
  db: D1Database,
  owner: string,
  filter: { kind: InboxItem["kind"] | null; status: WorkflowApproval["status"] | null },
  { limit, before }: Page,
): Promise<{ items: InboxItem[]; more: boolean }> {
  const filters = ["owner IN (?, ?)"];
  const bound: (string | number)[] = [owner, workspaceOwner];
  for (const [column, value] of Object.entries({ kind: filter.kind, status: filter.status })) {
    if (value === null) continue;
    filters.push(`${column} = ?`);
    bound.push(value);
  }
  if (before !== null) {
    filters.push("(created_at, id) < (?, ?)");
    bound.push(before.at, before.id);
  }
  const { results } = await db
    .prepare(
      `WITH page AS (SELECT * FROM approvals WHERE ${filters.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT ?),
         sized AS (SELECT *, COUNT(*) OVER () AS found, ROW_NUMBER() OVER newest AS place,
           SUM(length(interrupt) + coalesce(length(decision), 0)) OVER newest AS size
           FROM page WINDOW newest AS (ORDER BY created_at DESC, id DESC))
       SELECT * FROM sized WHERE size <= ? OR place = 1 ORDER BY place`,
    )
    .bind(...bound, limit, maxPage)
    .all<StoredItem & { found: number }>();
  const found = results[0]?.found ?? 0;
  return { items: results.map(itemOf), more: found === limit || found > results.length };
}

/** One item of the inbox an owner sees, whose it is, and the object that holds its truth; `null` when there is none. */
export async function findInboxItem(
  db: D1Database,
  owner: string,
  id: string,
): Promise<{ item: InboxItem; owner: string; objectId: string } | null> {
  const row = await db
    .prepare("SELECT * FROM approvals WHERE id = ? AND owner IN (?, ?)")
    .bind(id, owner, workspaceOwner)
    .first<StoredItem>();
  return row === null ? null : { item: itemOf(row), owner: row.owner, objectId: row.object_id };
}

interface StoredItem {
  id: string;
  owner: string;
  kind: InboxItem["kind"];
  object_id: string;
  agent: string | null;
  session: string | null;
  workflow: string | null;
  token: string | null;
  run_id: string;
  status: string;
  interrupt: string;
  decision: string | null;
  decided_by: string | null;
  created_at: string;
  expires_at: string | null;
  decided_at: string | null;
}

function itemOf(row: StoredItem): InboxItem {
  const { id, run_id: runId, created_at: createdAt, decided_at: decidedAt } = row;
  if (row.kind === "tool") {
    return {
      kind: "tool",
      id,
      agent: row.agent ?? "",
      session: row.session ?? "",
      runId,
      status: row.status as Approval["status"],
      interrupt: JSON.parse(row.interrupt) as Interrupt,
      decision: row.decision === null ? null : (JSON.parse(row.decision) as Decision),
      decidedBy: row.decided_by as Approval["decidedBy"],
      createdAt,
      decidedAt,
    };
  }
  const { topic, title, payload, fallback } = JSON.parse(row.interrupt) as WorkflowQuestion;
  return {
    kind: "workflow",
    id,
    runId,
    workflowName: row.workflow ?? "",
    token: row.token ?? "",
    topic,
    title,
    payload,
    status: row.status as WorkflowApproval["status"],
    fallback,
    decision: row.decision === null ? null : (JSON.parse(row.decision) as HookDecision),
    decidedBy: row.decided_by as WorkflowApproval["decidedBy"],
    createdAt,
    expiresAt: row.expires_at,
    decidedAt,
  };
}
