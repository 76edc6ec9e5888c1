import { type Note, tell } from "../src/store/notes.ts";
import { logFault } from "./log-fault.ts";
import type { SessionStorage } from "./session-storage.ts";

/** Notes told at once. */
const batchSize = 40;

/** What nobody waits for is told when nothing was added for so long, milliseconds: quick turns are told together. */
const quietMs = 250;

/** And at the latest so long after the first of it, milliseconds. */
const patienceMs = 2_000;

/**
 * What the database has to be told of a session: decisions and runs. A note is written with what it is about and kept
 * until it is told, so that a database that is away, or a runtime that stops, loses none.
 */
export class SessionNotes {
  private readonly storage: SessionStorage;
  private readonly db: D1Database;
  private telling: Promise<boolean> | null = null;
  private soon: Promise<boolean> | null = null;
  private askedAt = 0;

  constructor(storage: SessionStorage, db: D1Database) {
    this.storage = storage;
    this.db = db;
  }

  add(note: Note): void {
    this.storage.addNote(note);
  }

  /** Tells what there is to tell. False: the database cannot be reached, and the rest waits. */
  tell(): Promise<boolean> {
    this.telling ??= this.tellAll().finally(() => {
      this.telling = null;
    });
    return this.telling;
  }

  /** Tells it in a moment. */
  tellSoon(): Promise<boolean> {
    this.askedAt = Date.now();
    this.soon ??= this.whenQuiet().then(() => {
      this.soon = null;
      return this.tell();
    });
    return this.soon;
  }

  private async whenQuiet(): Promise<void> {
    const latest = Date.now() + patienceMs;
    for (;;) {
      const wait = Math.min(this.askedAt + quietMs, latest) - Date.now();
      if (wait <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  private async tellAll(): Promise<boolean> {
    try {
      while (this.storage.exists) {
        const notes = this.storage.notes(batchSize);
        const last = notes.at(-1);
        if (last === undefined) break;
        await tell(
          this.db,
          notes.map(({ note }) => note),
        );
        this.storage.dropNotes(last.pos);
      }
      return true;
    } catch (error) {
      logFault("session_notes_not_told", error);
      return false;
    }
  }
}
