import type { DecidedBy } from "../agents/runtime/session-store.ts";
import type { Decision } from "../turn/index.ts";
import { type AgentRun, putRun } from "./agent-runs.ts";
import { noteCancelled, noteDecided } from "./approvals.ts";

/** Something that happened in a session and that the database is told: the session is the truth, the database an index. */
export type Note =
  | { kind: "run"; owner: string; run: AgentRun }
  | { kind: "decided"; id: string; decision: Decision; by: DecidedBy; at: string }
  | { kind: "cancelled"; id: string; at: string };

/** Tells the database, all or nothing. Telling it again changes nothing. */
export async function tell(db: D1Database, notes: Note[]): Promise<void> {
  await db.batch(notes.map((note) => statement(db, note)));
}

function statement(db: D1Database, note: Note): D1PreparedStatement {
  switch (note.kind) {
    case "run":
      return putRun(db, note.owner, note.run);
    case "decided":
      return noteDecided(db, note);
    case "cancelled":
      return noteCancelled(db, note);
  }
}
