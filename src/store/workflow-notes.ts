import type { HookDecision, RunSummary, WorkflowApproval } from "../workflows/runtime/types.ts";
import { noteAnswered } from "./inbox.ts";
import { freeTokens } from "./workflow-hooks.ts";
import { putWorkflowRun } from "./workflow-runs.ts";

/** Something that happened in a run and that the database is told: the run is the truth, the database an index. */
export type Note =
  | { kind: "run"; owner: string; run: RunSummary }
  | {
      kind: "answered";
      id: string;
      status: Exclude<WorkflowApproval["status"], "pending">;
      decision: HookDecision | null;
      by: WorkflowApproval["decidedBy"];
      at: string;
    }
  /** `hookId` null: all hooks of the run. */
  | { kind: "free"; runId: string; hookId: string | null };

/** Tells the database, all or nothing. Telling it again changes nothing. */
export async function tellOfRun(db: D1Database, notes: Note[]): Promise<void> {
  await db.batch(notes.map((note) => statement(db, note)));
}

function statement(db: D1Database, note: Note): D1PreparedStatement {
  switch (note.kind) {
    case "run":
      return putWorkflowRun(db, note.owner, note.run);
    case "answered":
      return noteAnswered(db, note);
    case "free":
      return freeTokens(db, note.runId, note.hookId);
  }
}
