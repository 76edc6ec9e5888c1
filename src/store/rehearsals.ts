import type { AgentLabel, Results } from "../sandtable/report/results.ts";

/** Everything of results.json but the trials. */
export type ResultsHead = Omit<Results, "trials">;

/** A line of the rehearsals list. */
export interface RehearsalRow {
  runId: string;
  domain: string;
  agent: AgentLabel;
  status: Results["status"];
  planned: number;
  startedAt: string;
  endedAt: string | null;
}

const columns = "run_id, domain, agent_kind, agent_name, status, planned, started_at, ended_at";

export async function insertRehearsal(db: D1Database, owner: string, row: RehearsalRow): Promise<void> {
  await db
    .prepare(`INSERT INTO rehearsals (owner, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .bind(
      owner,
      row.runId,
      row.domain,
      row.agent.kind,
      row.agent.name,
      row.status,
      row.planned,
      row.startedAt,
      row.endedAt,
    )
    .run();
}

/** Stores a finished trial, whole or not at all. Storing the same trial again changes nothing. */
export async function putTrialBody(
  db: D1Database,
  runId: string,
  seq: number,
  parts: string[],
): Promise<void> {
  const insert = db.prepare(
    "INSERT OR REPLACE INTO trial_bodies (run_id, seq, part, body) VALUES (?, ?, ?, ?)",
  );
  await db.batch(parts.map((body, part) => insert.bind(runId, seq, part, body)));
}

export async function endRehearsal(db: D1Database, head: ResultsHead): Promise<void> {
  await db
    .prepare("UPDATE rehearsals SET status = ?, ended_at = ?, head = ? WHERE run_id = ?")
    .bind(head.status, head.endedAt, JSON.stringify(head), head.runId)
    .run();
}

/** One rehearsal of this owner, with its head once it has ended. */
export async function findRehearsal(
  db: D1Database,
  owner: string,
  runId: string,
): Promise<(RehearsalRow & { head: ResultsHead | null }) | null> {
  const row = await db
    .prepare(`SELECT ${columns}, head FROM rehearsals WHERE run_id = ? AND owner = ?`)
    .bind(runId, owner)
    .first<StoredRow & { head: string | null }>();
  if (row === null) return null;
  return { ...fromStored(row), head: row.head === null ? null : (JSON.parse(row.head) as ResultsHead) };
}

/** Newest first, after the row `before` names; at most `limit`. */
export async function listRehearsals(
  db: D1Database,
  owner: string,
  page: { limit: number; before: { at: string; id: string } | null },
): Promise<RehearsalRow[]> {
  const { before, limit } = page;
  const after = before === null ? "" : "AND (started_at, run_id) < (?, ?)";
  const bound = before === null ? [owner, limit] : [owner, before.at, before.id, limit];
  const { results } = await db
    .prepare(
      `SELECT ${columns} FROM rehearsals WHERE owner = ? ${after} ORDER BY started_at DESC, run_id DESC LIMIT ?`,
    )
    .bind(...bound)
    .all<StoredRow>();
  return results.map(fromStored);
}

/** Texts of a run's stored trials in plan order, a few at a time so that a long run is never held whole. */
export async function* trialBodies(db: D1Database, runId: string): AsyncIterable<string> {
  let last = -1;
  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT seq, body FROM trial_bodies WHERE run_id = ?1 AND seq > ?2 AND seq <= COALESCE(
           (SELECT MAX(seq) FROM (SELECT DISTINCT seq FROM trial_bodies WHERE run_id = ?1 AND seq > ?2 ORDER BY seq LIMIT 20)), -1)
         ORDER BY seq, part`,
      )
      .bind(runId, last)
      .all<{ seq: number; body: string }>();
    if (results.length === 0) return;
    let text = "";
    let seq = results[0]?.seq ?? last;
    for (const row of results) {
      if (row.seq !== seq) {
        yield text;
        text = "";
        seq = row.seq;
      }
      text += row.body;
    }
    yield text;
    last = seq;
  }
}

interface StoredRow {
  run_id: string;
  domain: string;
  agent_kind: string;
  agent_name: string;
  status: string;
  planned: number;
  started_at: string;
  ended_at: string | null;
}

function fromStored(row: StoredRow): RehearsalRow {
  return {
    runId: row.run_id,
    domain: row.domain,
    agent: { kind: row.agent_kind as AgentLabel["kind"], name: row.agent_name },
    status: row.status as Results["status"],
    planned: row.planned,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
