import type { Operation } from "fast-json-patch";
import type { TranscriptEntry } from "../src/sandtable/report/results.ts";
import type { TrialState, TrialStore } from "../src/sandtable/trial/trial-store.ts";
import { rowChanges } from "../src/sandtable/world/row-changes.ts";
import type { WorldStore } from "../src/sandtable/world/world.ts";
import type { JsonObject } from "../src/turn/json.ts";
import { chunkText } from "./chunked-text.ts";

const schema = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (seq INTEGER NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, part)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (pos INTEGER PRIMARY KEY, tbl TEXT NOT NULL, key TEXT NOT NULL, doc TEXT NOT NULL, UNIQUE (tbl, key));
CREATE TABLE IF NOT EXISTS touched (pos INTEGER PRIMARY KEY, tbl TEXT NOT NULL, key TEXT NOT NULL, before TEXT, UNIQUE (tbl, key));
CREATE TABLE IF NOT EXISTS counters (tbl TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
`;

/** A trial's store in its object's SQLite. A lookup or keyed write costs the same in a table of any length. */
export class TrialStorage implements TrialStore {
  readonly world: SqlWorld;
  private readonly sql: SqlStorage;
  private entryCount: number;

  constructor(sql: SqlStorage) {
    this.sql = sql;
    sql.exec(schema);
    this.world = new SqlWorld(sql);
    this.entryCount = Number(sql.exec("SELECT COALESCE(MAX(seq) + 1, 0) AS n FROM entries").one().n);
  }

  /** Whether the base world stands complete. */
  get planted(): boolean {
    return this.meta("planted") !== null;
  }

  /** Adds base rows, before the trial begins; adding the same rows again changes nothing. `rows` is JSON of `PlantedRow[]`. */
  plant(rows: string): void {
    this.sql.exec(
      `INSERT INTO rows (tbl, key, doc) SELECT value ->> 0, value ->> 1, value -> 2 FROM json_each(?) WHERE true
       ON CONFLICT (tbl, key) DO UPDATE SET doc = excluded.doc`,
      rows,
    );
  }

  /** Applies a task's `given` over the base rows and declares the world complete: changes count from here. */
  finishPlanting(apply: (world: WorldStore) => void): void {
    apply(this.world);
    this.sql.exec("DELETE FROM touched");
    this.setMeta("planted", "1");
  }

  loadState(): TrialState | null {
    const text = this.meta("state");
    return text === null ? null : (JSON.parse(text) as TrialState);
  }

  saveState(state: TrialState): void {
    this.setMeta("state", JSON.stringify(state));
  }

  loadTranscript(): TranscriptEntry[] {
    const texts: string[] = [];
    for (const row of this.sql.exec("SELECT seq, body FROM entries ORDER BY seq, part")) {
      const seq = Number(row.seq);
      texts[seq] = (texts[seq] ?? "") + String(row.body);
    }
    return texts.map((text) => JSON.parse(text) as TranscriptEntry);
  }

  appendEntry(entry: TranscriptEntry): number {
    const seq = this.entryCount;
    this.entryCount += 1;
    const text = JSON.stringify(entry);
    for (const [part, body] of chunkText(text).entries()) {
      this.sql.exec("INSERT INTO entries (seq, part, body) VALUES (?, ?, ?)", seq, part, body);
    }
    return text.length;
  }

  private meta(name: string): string | null {
    const row = this.sql.exec("SELECT value FROM meta WHERE name = ?", name).toArray()[0];
    return row === undefined ? null : String(row.value);
  }

  private setMeta(name: string, value: string): void {
    this.sql.exec(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
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
      "INSERT INTO touched (tbl, key, before) VALUES (?, ?, ?) ON CONFLICT (tbl, key) DO NOTHING",
      table,
      key,
      this.doc(table, key),
    );
  }
}
