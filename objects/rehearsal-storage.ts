import type { RehearsalEvent } from "../src/sandtable/rehearsal/events.ts";
import type { RehearsalSpec } from "../src/sandtable/rehearsal/spec.ts";
import type { Results } from "../src/sandtable/report/results.ts";
import type { TrialFacts } from "../src/sandtable/verdict/trial-facts.ts";
import { chunkText } from "./chunked-text.ts";
import type { StoredEvent } from "./event-feed.ts";

const schema = `
CREATE TABLE IF NOT EXISTS spec (part INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS world (chunk INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS run (one INTEGER PRIMARY KEY CHECK (one = 1), status TEXT NOT NULL, ended_at TEXT, cancelling INTEGER NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS trials (seq INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, status TEXT NOT NULL, facts TEXT);
CREATE INDEX IF NOT EXISTS trials_by_status ON trials (status, seq);
CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
`;

export interface PlannedTrial {
  /** Place in the plan: task by task, trial by trial. */
  seq: number;
  task: string;
  trial: number;
}

/** A rehearsal's plan, progress and events in its object's SQLite. */
export class RehearsalStorage {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** Creates the tables. Apart from the constructor, so that an object asked about an unknown run stores nothing. */
  prepare(): void {
    this.sql.exec(schema);
  }

  /** Whether a rehearsal has been started in this object. */
  get exists(): boolean {
    const tables = this.sql
      .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run'")
      .toArray();
    return tables.length > 0 && this.sql.exec("SELECT 1 FROM run").toArray().length > 0;
  }

  putWorldChunk(chunk: number, body: string): void {
    this.sql.exec("INSERT OR REPLACE INTO world (chunk, body) VALUES (?, ?)", chunk, body);
  }

  worldChunk(chunk: number): string {
    return String(this.sql.exec("SELECT body FROM world WHERE chunk = ?", chunk).one().body);
  }

  /** Number of world chunks and their characters altogether. */
  worldSize(): { chunks: number; length: number } {
    const row = this.sql
      .exec("SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(body)), 0) AS length FROM world")
      .one();
    return { chunks: Number(row.n), length: Number(row.length) };
  }

  /** Stores the whole plan as one: after this the rehearsal exists, and once it is listed it goes on by itself. */
  start(spec: RehearsalSpec, trials: PlannedTrial[]): void {
    for (const [part, body] of chunkText(JSON.stringify(spec)).entries()) {
      this.sql.exec("INSERT INTO spec (part, body) VALUES (?, ?)", part, body);
    }
    for (const { seq, task, trial } of trials) {
      this.sql.exec(
        "INSERT INTO trials (seq, task, trial, status) VALUES (?, ?, ?, 'queued')",
        seq,
        task,
        trial,
      );
    }
    this.sql.exec("INSERT INTO run (one, status) VALUES (1, 'running')");
  }

  /** Whether the database knows the rehearsal, so that its owner can find it. Nothing is played before. */
  get listed(): boolean {
    return Number(this.sql.exec("SELECT listed FROM run").one().listed) === 1;
  }

  markListed(): void {
    this.sql.exec("UPDATE run SET listed = 1");
  }

  spec(): RehearsalSpec {
    const parts = this.sql.exec("SELECT body FROM spec ORDER BY part").toArray();
    return JSON.parse(parts.map((row) => String(row.body)).join("")) as RehearsalSpec;
  }

  status(): Results["status"] {
    return String(this.sql.exec("SELECT status FROM run").one().status) as Results["status"];
  }

  endedAt(): string | null {
    const value = this.sql.exec("SELECT ended_at FROM run").one().ended_at;
    return value === null ? null : String(value);
  }

  /** Remembers that the rehearsal is to stop, whatever happens to the runtime. */
  requestCancel(): void {
    this.sql.exec("UPDATE run SET cancelling = 1");
  }

  get cancelling(): boolean {
    return Number(this.sql.exec("SELECT cancelling FROM run").one().cancelling) === 1;
  }

  /** Ends the rehearsal and drops what only running trials need, the agent's headers with it. */
  end(status: Results["status"], endedAt: string, spec: RehearsalSpec): void {
    this.sql.exec("UPDATE run SET status = ?, ended_at = ?", status, endedAt);
    this.sql.exec("DELETE FROM world");
    this.sql.exec("DELETE FROM spec");
    for (const [part, body] of chunkText(JSON.stringify(spec)).entries()) {
      this.sql.exec("INSERT INTO spec (part, body) VALUES (?, ?)", part, body);
    }
  }

  /** Marks trials that an earlier life of this object left running; their own objects know how far they got. */
  leaveRunning(): void {
    this.sql.exec("UPDATE trials SET status = 'left' WHERE status = 'running'");
  }

  /** Next trial to play, now marked running: one that was left, else one that has not begun, unless none shall begin. */
  takeNext(): PlannedTrial | null {
    const trial = this.firstWith("left") ?? (this.cancelling ? null : this.firstWith("queued"));
    if (trial !== null) this.sql.exec("UPDATE trials SET status = 'running' WHERE seq = ?", trial.seq);
    return trial;
  }

  private firstWith(status: "left" | "queued"): PlannedTrial | null {
    const row = this.sql
      .exec("SELECT seq, task, trial FROM trials WHERE status = ? ORDER BY seq LIMIT 1", status)
      .toArray()[0];
    if (row === undefined) return null;
    return { seq: Number(row.seq), task: String(row.task), trial: Number(row.trial) };
  }

  finishTrial(seq: number, facts: TrialFacts): void {
    this.sql.exec("UPDATE trials SET status = 'done', facts = ? WHERE seq = ?", JSON.stringify(facts), seq);
  }

  /** Notes that a finished trial's own object holds nothing any more. */
  markForgotten(seq: number): void {
    this.sql.exec("UPDATE trials SET status = 'forgotten' WHERE seq = ?", seq);
  }

  trialsWith(status: "running" | "done"): PlannedTrial[] {
    const rows = this.sql
      .exec("SELECT seq, task, trial FROM trials WHERE status = ? ORDER BY seq", status)
      .toArray();
    return rows.map((row) => ({ seq: Number(row.seq), task: String(row.task), trial: Number(row.trial) }));
  }

  counts(): { planned: number; finished: number } {
    const row = this.sql.exec("SELECT COUNT(*) AS planned, COUNT(facts) AS finished FROM trials").one();
    return { planned: Number(row.planned), finished: Number(row.finished) };
  }

  facts(): TrialFacts[] {
    const rows = this.sql.exec("SELECT facts FROM trials WHERE facts IS NOT NULL ORDER BY seq").toArray();
    return rows.map((row) => JSON.parse(String(row.facts)) as TrialFacts);
  }

  appendEvent(event: RehearsalEvent): void {
    this.sql.exec("INSERT INTO events (body) VALUES (?)", JSON.stringify(event));
  }

  /** Events after a sequence number, which start at 1, oldest first. */
  eventsAfter(seq: number, limit: number): StoredEvent[] {
    const rows = this.sql
      .exec("SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)
      .toArray();
    return rows.map((row) => ({ seq: Number(row.seq), body: String(row.body) }));
  }
}
