import type { Operation } from "fast-json-patch";
import type { TranscriptEntry } from "../src/sandtable/report/results.ts";
import type { TrialState, TrialStore } from "../src/sandtable/trial/trial-store.ts";
import { rowChanges } from "../src/sandtable/world/row-changes.ts";
import type { WorldStore } from "../src/sandtable/world/world.ts";
import type { JsonObject } from "../src/turn/json.ts";
import { chunkText } from "./chunked-text.ts";

const schema = `
CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, entries TEXT NOT NULL, state TEXT);
CREATE TABLE IF NOT EXISTS rows (pos INTEGER PRIMARY KEY, tbl TEXT NOT NULL, key TEXT NOT NULL, doc TEXT NOT NULL, UNIQUE (tbl, key));
CREATE TABLE IF NOT EXISTS touched (pos INTEGER PRIMARY KEY, tbl TEXT NOT NULL, key TEXT NOT NULL, before TEXT, UNIQUE (tbl, key));
CREATE TABLE IF NOT EXISTS counters (tbl TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
`;

/**
 * A trial's store in its object's SQLite. A lookup or keyed write costs the same in a table of any length.
 *
 * The journal has a row for each time the state was saved with new entries: those entries, JSON of a list, and the state after
 * them. A list too long for a row is spread over several, of which the last has the state. A step writes one page.
 */
export class TrialStorage implements TrialStore {
  readonly world: SqlWorld;
  private readonly sql: SqlStorage;
  private state: TrialState | null = null;
  private readonly transcript: TranscriptEntry[] = [];
  /** Whether the base world stands complete. */
  planted = false;
  /** JSON of entries that the next save stores. */
  private unsaved: string[] = [];
  private lastSeq = -1;

  constructor(sql: SqlStorage) {
    this.sql = sql;
    sql.exec(schema);
    this.world = new SqlWorld(sql);
    let entries = "";
    for (const row of sql.exec("SELECT seq, entries, state FROM journal ORDER BY seq")) {
      this.planted = true;
      this.lastSeq = Number(row.seq);
      entries += String(row.entries);
      if (row.state === null) continue;
      this.state = JSON.parse(String(row.state)) as TrialState | null;
      if (entries !== "") this.transcript.push(...(JSON.parse(entries) as TranscriptEntry[]));
      entries = "";
    }
  }

  /** Adds base rows, before the trial begins; adding the same rows again changes nothing. `chunk` is one of `plantingChunks`. */
  plant(chunk: string): void {
    this.sql.exec(
      `INSERT INTO rows (tbl, key, doc) SELECT t.key, r.key, r.value FROM json_each(?) AS t, json_each(t.value) AS r WHERE true
       ON CONFLICT (tbl, key) DO UPDATE SET doc = excluded.doc`,
      chunk,
    );
  }

  /** Applies a task's `given` over the base rows and declares the world complete: changes count from here. */
  finishPlanting(apply: (world: WorldStore) => void): void {
    apply(this.world);
    this.sql.exec("DELETE FROM touched");
    this.insert("", "null");
    this.planted = true;
  }

  loadState(): TrialState | null {
    return this.state;
  }

  /** Stores the state, and with it the entries appended since it was last saved. */
  saveState(state: TrialState): void {
    const text = JSON.stringify(state);
    if (this.unsaved.length === 0) {
      this.sql.exec("UPDATE journal SET state = ? WHERE seq = ?", text, this.lastSeq);
      return;
    }
    const chunks = chunkText(`[${this.unsaved.join(",")}]`);
    for (const [part, chunk] of chunks.entries()) {
      this.insert(chunk, part === chunks.length - 1 ? text : null);
    }
    this.unsaved = [];
  }

  loadTranscript(): TranscriptEntry[] {
    return this.transcript;
  }

  /** Keeps an entry for the next save. */
  appendEntry(entry: TranscriptEntry): number {
    const text = JSON.stringify(entry);
    this.unsaved.push(text);
    return text.length;
  }

  private insert(entries: string, state: string | null): void {
    this.lastSeq += 1;
    this.sql.exec("INSERT INTO journal (seq, entries, state) VALUES (?, ?, ?)", this.lastSeq, entries, state);
  }
}

/** The world of one trial in SQLite. */
class SqlWorld implements WorldStore {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  get(table: string, key: string): JsonObject | undefined {
    const text = this.doc(table, key);
    return text === null ? undefined : (JSON.parse(text) as JsonObject);
  }

  *scan(table: string): Iterable<JsonObject> {
    for (const row of this.sql.exec("SELECT doc FROM rows WHERE tbl = ? ORDER BY pos", table)) {
      yield JSON.parse(String(row.doc)) as JsonObject;
    }
  }

  put(table: string, key: string, row: JsonObject): void {
    this.touch(table, key);
    this.sql.exec(
      "INSERT INTO rows (tbl, key, doc) VALUES (?, ?, ?) ON CONFLICT (tbl, key) DO UPDATE SET doc = excluded.doc",
      table,
      key,
      JSON.stringify(row),
    );
  }

  remove(table: string, key: string): void {
    this.touch(table, key);
    this.sql.exec("DELETE FROM rows WHERE tbl = ? AND key = ?", table, key);
  }

  peekNumber(table: string, start: number): number {
    const row = this.sql.exec("SELECT n FROM counters WHERE tbl = ?", table).toArray()[0];
    return row === undefined ? start : Number(row.n) + 1;
  }

  nextNumber(table: string, start: number): number {
    return Number(
      this.sql
        .exec(
          "INSERT INTO counters (tbl, n) VALUES (?, ?) ON CONFLICT (tbl) DO UPDATE SET n = n + 1 RETURNING n",
          table,
          start,
        )
        .one().n,
    );
  }

  /** Difference between the planted world and now, in the order rows were first touched. */
  changesSinceStart(): Operation[] {
    const changes: Operation[] = [];
    for (const row of this.sql.exec("SELECT tbl, key, before FROM touched ORDER BY pos").toArray()) {
      const [table, key] = [String(row.tbl), String(row.key)];
      const before = row.before === null ? undefined : (JSON.parse(String(row.before)) as JsonObject);
      changes.push(...rowChanges(table, key, before, this.get(table, key)));
    }
    return changes;
  }

  private doc(table: string, key: string): string | null {
    const row = this.sql.exec("SELECT doc FROM rows WHERE tbl = ? AND key = ?", table, key).toArray()[0];
    return row === undefined ? null : String(row.doc);
  }

  private touch(table: string, key: string): void {
    this.sql.exec(
      `INSERT INTO touched (tbl, key, before) VALUES (?1, ?2, (SELECT doc FROM rows WHERE tbl = ?1 AND key = ?2))
       ON CONFLICT (tbl, key) DO NOTHING`,
      table,
      key,
    );
  }
}
