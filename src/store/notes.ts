import type { DecidedBy } from "../agents/runtime/session-store.ts";
import type { Decision } from "../turn/index.ts";
import { type AgentRun, putRuns } from "./agent-runs.ts";
import { noteCancelled, noteDecided } from "./approvals.ts";

/** Something that happened in a session and that the database is told: the session is the truth, the database an index. */
export type Note =
  | { kind: "run"; owner: string; run: AgentRun }
  | { kind: "decided"; id: string; decision: Decision; by: DecidedBy; at: string }
  | { kind: "cancelled"; id: string; at: string };

type Run = Extract<Note, { kind: "run" }>;

/** Tells the database, all or nothing. Telling it again changes nothing. */
export async function tell(db: D1Database, notes: Note[]): Promise<void> {
  const runs = notes.filter((note): note is Run => note.kind === "run");
  const statements = notes.flatMap((note) => (note.kind === "run" ? [] : [statement(db, note)]));
  if (runs.length > 0) statements.push(putRuns(db, runs));
  await db.batch(statements);
}

function statement(db: D1Database, note: Exclude<Note, Run>): D1PreparedStatement {
  return note.kind === "decided" ? noteDecided(db, note) : noteCancelled(db, note);
}
