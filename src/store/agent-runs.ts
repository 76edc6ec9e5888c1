import type { TurnFailure, TurnUsage, Wire } from "../turn/index.ts";

/** The record of one turn of an agent: who, when, how it ended, what it cost; none of what was said. */
export interface AgentRun {
  runId: string;
  agent: string;
  wire: Wire;
  session: string | null;
  conversation: string | null;
  status: "running" | "done" | "interrupted" | "failed" | "cancelled";
  model: string;
  startedAt: string;
  /** `null` while it runs. */
  endedAt: string | null;
  usage: TurnUsage;
  failure: TurnFailure | null;
}

/**
 * Stores runs, or their new ends where they had waited and went on, as one statement: in D1 a statement costs far more
 * than a row.
 */
export function putRuns(
  db: D1Database,
  runs: readonly { owner: string; run: AgentRun }[],
): D1PreparedStatement {
  const rows = runs.map(({ owner, run }) => [
    ...[run.runId, owner, run.agent, run.wire, run.session, run.conversation, run.status, run.model],
    ...[run.startedAt, run.endedAt ?? run.startedAt, JSON.stringify(run.usage)],
    run.failure === null ? null : JSON.stringify(run.failure),
  ]);
  return db.prepare(putRunsSql).bind(JSON.stringify(rows));
}

const columns = [
  ...["run_id", "owner", "agent", "wire", "session", "conversation", "status", "model"],
  ...["started_at", "ended_at", "usage", "failure"],
];

// Without the condition SQLite takes ON for a part of a join.
const putRunsSql = `INSERT INTO agent_runs (${columns.join(", ")})
  SELECT ${columns.map((_, at) => `value ->> ${at}`).join(", ")} FROM json_each(?) WHERE true
  ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, model = excluded.model, ended_at = excluded.ended_at, usage = excluded.usage, failure = excluded.failure`;

/**
 * Stores one round of a turn that takes several requests: the first is its beginning, the last its end, and what they cost
 * is added up.
 */
export function putRound(db: D1Database, owner: string, run: AgentRun): D1PreparedStatement {
  const { runId, agent, wire, session, conversation, status, model, startedAt, endedAt, usage, failure } =
    run;
  return db
    .prepare(putRoundSql)
    .bind(
      ...[runId, owner, agent, wire, session, conversation, status, model, startedAt, endedAt ?? startedAt],
      ...[JSON.stringify(usage), failure === null ? null : JSON.stringify(failure)],
    );
}

const counts = ["inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens"];
const sums = counts.map((name) => `'${name}', (usage ->> '${name}') + (excluded.usage ->> '${name}')`);

const putRoundSql = `INSERT INTO agent_runs (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
  ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, model = excluded.model, ended_at = excluded.ended_at,
    usage = json_object(${sums.join(", ")}), failure = excluded.failure`;

/** A run of an owner, or `null`. A turn under way is there once it has lasted a second. */
export async function findAgentRun(db: D1Database, owner: string, runId: string): Promise<AgentRun | null> {
  const row = await db
    .prepare("SELECT * FROM agent_runs WHERE owner = ? AND run_id = ?")
    .bind(owner, runId)
    .first<StoredRun>();
  return row === null ? null : runOf(row);
}

function runOf(row: StoredRun): AgentRun {
  return {
    runId: row.run_id,
    agent: row.agent,
    wire: row.wire as Wire,
    session: row.session,
    conversation: row.conversation,
    status: row.status as AgentRun["status"],
    model: row.model,
    startedAt: row.started_at,
    endedAt: row.status === "running" ? null : row.ended_at,
    usage: JSON.parse(row.usage) as TurnUsage,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as TurnFailure),
  };
}

interface StoredRun {
  run_id: string;
  agent: string;
  wire: string;
  session: string | null;
  conversation: string | null;
  status: string;
  model: string;
  started_at: string;
  ended_at: string;
  usage: string;
  failure: string | null;
}
