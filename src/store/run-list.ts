import type { TurnFailure, TurnUsage, Wire } from "../turn/index.ts";
import type {
  Page,
  RunFailure,
  RunFilter,
  RunStatus,
  RunSummary,
  Trigger,
} from "../workflows/runtime/types.ts";
import type { AgentRun } from "./agent-runs.ts";
import { workspaceOwner } from "./workflow-runs.ts";

/** A run in the one list: of a workflow, or a turn of an agent. */
export type ListedRun = ({ kind: "workflow" } & RunSummary) | ({ kind: "agent" } & AgentRun);

/** Runs of workflows and turns of agents that an owner may see, newest first, after the place `before` names. */
export async function listAllRuns(
  db: D1Database,
  owner: string,
  filter: RunFilter,
  page: Page,
): Promise<ListedRun[]> {
  const { kind, workflow, agent } = filter;
  const parts: { sql: string; bound: (string | number)[] }[] = [];
  if (kind !== "agent" && agent === null) parts.push(workflowPart(owner, filter, page));
  if (kind !== "workflow" && workflow === null) parts.push(agentPart(owner, filter, page));
  if (parts.length === 0) return [];
  const { results } = await db
    .prepare(
      `${parts.map(({ sql }) => `SELECT * FROM (${sql})`).join(" UNION ALL ")} ORDER BY started_at DESC, run_id DESC LIMIT ?`,
    )
    .bind(...parts.flatMap(({ bound }) => bound), page.limit)
    .all<StoredRun>();
  return results.map(listedRun);
}

function workflowPart(owner: string, filter: RunFilter, page: Page) {
  const columns = `'workflow' AS kind, run_id, workflow AS name, started_by AS via, status, conversation, parent_run_id AS a,
    retry_of AS b, started_at, ended_at, NULL AS usage, failure`;
  const equals = { workflow: filter.workflow, status: filter.status, conversation: filter.conversation };
  return part(columns, "workflow_runs", [owner, workspaceOwner], equals, page);
}

function agentPart(owner: string, filter: RunFilter, page: Page) {
  const columns = `'agent' AS kind, run_id, agent AS name, wire AS via, status, conversation, session AS a,
    model AS b, started_at, ended_at, usage, failure`;
  const equals = { agent: filter.agent, status: filter.status, conversation: filter.conversation };
  return part(columns, "agent_runs", [owner, workspaceOwner], equals, page);
}

/** One table's share: no more than the page takes. */
function part(
  columns: string,
  table: string,
  owners: [string, string],
  equals: { [column: string]: string | null },
  { limit, before }: Page,
): { sql: string; bound: (string | number)[] } {
  const filters = ["owner IN (?, ?)"];
  const bound: (string | number)[] = [...owners];
  for (const [column, value] of Object.entries(equals)) {
    if (value === null) continue;
    filters.push(`${column} = ?`);
    bound.push(value);
  }
  if (before !== null) {
    filters.push("(started_at, run_id) < (?, ?)");
    bound.push(before.at, before.id);
  }
  bound.push(limit);
  return {
    sql: `SELECT ${columns} FROM ${table} WHERE ${filters.join(" AND ")} ORDER BY started_at DESC, run_id DESC LIMIT ?`,
    bound,
  };
}

interface StoredRun {
  kind: "workflow" | "agent";
  run_id: string;
  name: string;
  via: string;
  status: string;
  conversation: string | null;
  a: string | null;
  b: string | null;
  started_at: string;
  ended_at: string | null;
  usage: string | null;
  failure: string | null;
}

function listedRun(row: StoredRun): ListedRun {
  const { run_id: runId, conversation, started_at: startedAt, ended_at: endedAt } = row;
  if (row.kind === "workflow") {
    return {
      kind: "workflow",
      runId,
      workflowName: row.name,
      trigger: row.via as Trigger,
      status: row.status as RunStatus,
      conversation,
      parentRunId: row.a,
      retryOf: row.b,
      startedAt,
      endedAt,
      failure: row.failure === null ? null : (JSON.parse(row.failure) as RunFailure),
    };
  }
  return {
    kind: "agent",
    runId,
    agent: row.name,
    wire: row.via as Wire,
    session: row.a,
    conversation,
    status: row.status as AgentRun["status"],
    model: row.b ?? "none",
    startedAt,
    endedAt: row.status === "running" ? null : endedAt,
    usage: JSON.parse(row.usage ?? "{}") as TurnUsage,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as TurnFailure),
  };
}
