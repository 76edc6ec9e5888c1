import type { TurnFailure, TurnUsage, Wire } from "../turn/index.ts";

/** The record of one turn of an agent: who, when, how it ended, what it cost; none of what was said. */
export interface AgentRun {
  runId: string;
  agent: string;
  wire: Wire;
  session: string | null;
  conversation: string | null;
  status: "done" | "interrupted" | "failed" | "cancelled";
  model: string;
  startedAt: string;
  endedAt: string;
  usage: TurnUsage;
  failure: TurnFailure | null;
}

/** Stores a run, or its new end when it had waited and went on. */
export async function putAgentRun(db: D1Database, owner: string, run: AgentRun): Promise<void> {
  const { runId, agent, wire, session, conversation, status, model, startedAt, endedAt, usage, failure } =
    run;
  await db
    .prepare(
      `INSERT INTO agent_runs (run_id, owner, agent, wire, session, conversation, status, model, started_at, ended_at, usage, failure)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, usage = excluded.usage, failure = excluded.failure`,
    )
    .bind(
      ...[runId, owner, agent, wire, session, conversation, status, model, startedAt, endedAt],
      JSON.stringify(usage),
      failure === null ? null : JSON.stringify(failure),
    )
    .run();
}
