import type { AgentLabel, Results } from "../sandtable/report/results.ts";
import { inDatabase } from "./in-database.ts";

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

/** Lists a rehearsal. Listing it again changes nothing; throws when the run id is another's. */
export async function insertRehearsal(db: D1Database, owner: string, row: RehearsalRow): Promise<void> {
  const mine = await db
    .prepare(
      `INSERT INTO rehearsals (owner, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner WHERE owner = excluded.owner RETURNING run_id`,
    )
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
    .first();
  if (mine === null) throw new Error(`the run id ${row.runId} is taken`);
}

/** Takes a rehearsal off the list. */
export async function dropRehearsal(db: D1Database, owner: string, runId: string): Promise<void> {
  await db.prepare("DELETE FROM rehearsals WHERE run_id = ? AND owner = ?").bind(runId, owner).run();
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

/** Pieces read at once: each is some hundred thousand characters at most, and D1 answers with 50 MB at most. */
const piecesAtOnce = 20;

/** Texts of a run's stored trials in plan order, a few pieces at a time so that a long run is never held whole. */
export async function* trialBodies(db: D1Database, runId: string): AsyncIterable<string> {
  let seq = -1;
  let part = -1;
  let text = "";
  for (;;) {
    const { results } = await inDatabase(
      db
        .prepare(
          `SELECT seq, part, body FROM trial_bodies WHERE run_id = ? AND (seq, part) > (?, ?)
           ORDER BY seq, part LIMIT ${piecesAtOnce}`,
        )
        .bind(runId, seq, part)
        .all<{ seq: number; part: number; body: string }>(),
    );
    for (const row of results) {
      if (row.seq !== seq && text !== "") {
        yield text;
        text = "";
      }
      text += row.body;
      seq = row.seq;
      part = row.part;
    }
    if (results.length < piecesAtOnce) break;
  }
  if (text !== "") yield text;
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
