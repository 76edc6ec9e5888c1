import type { Json, JsonObject } from "../src/turn/index.ts";
import type { RunEnd, RunSpec, Settled } from "../src/workflows/runtime/run-protocol.ts";
import type {
  HookStatus,
  RunEvent,
  RunFailure,
  RunStatus,
  StepRecord,
  WaitRecord,
  WorkflowQuestion,
} from "../src/workflows/runtime/types.ts";
import type { StoredEvent } from "./event-feed.ts";

const schema = `
CREATE TABLE run (one INTEGER PRIMARY KEY CHECK (one = 1), spec TEXT NOT NULL, status TEXT NOT NULL, phase TEXT NOT NULL, next_order INTEGER NOT NULL DEFAULT 0, wakes INTEGER NOT NULL DEFAULT 0, ended_at TEXT, result TEXT);
CREATE TABLE steps (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, lost INTEGER NOT NULL DEFAULT 0, started_at TEXT NOT NULL, ended_at TEXT, failure TEXT, settled TEXT);
CREATE TABLE waits (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, hook TEXT, place INTEGER, opened_at TEXT NOT NULL, due INTEGER, unsent INTEGER NOT NULL DEFAULT 0, settled_at TEXT, settled TEXT);
CREATE INDEX waits_open ON waits (due) WHERE settled IS NULL;
CREATE INDEX waits_unsent ON waits (n) WHERE unsent = 1;
CREATE TABLE hooks (id TEXT PRIMARY KEY, token TEXT NOT NULL, many INTEGER NOT NULL, schema TEXT, approval_id TEXT, question TEXT, status TEXT NOT NULL, due INTEGER, listening INTEGER NOT NULL, decided_at TEXT) WITHOUT ROWID;
CREATE TABLE payloads (hook TEXT NOT NULL, place INTEGER NOT NULL, sender_key TEXT, at TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (hook, place)) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE notes (pos INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE errands (pos INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE raw_input (body TEXT NOT NULL);
`;

/** `queued`: to be put in its line, or in it. `launching`: the engine is to be told. `launched`: it has been. */
export type RunPhase = "queued" | "launching" | "launched";

export interface StoredStep {
  id: string;
  name: string;
  status: Exclude<StepRecord["status"], "interrupted">;
  attempts: number;
  lost: number;
  startedAt: string;
  endedAt: string | null;
  failure: RunFailure | null;
  settled: Settled | null;
}

/** `retry`: between two attempts of a step, under the step's id. */
type WaitKind = WaitRecord["kind"] | "retry";

export interface StoredWait {
  n: number;
  id: string;
  kind: WaitKind;
  hook: string | null;
  place: number | null;
  openedAt: string;
  due: number | null;
  settledAt: string | null;
  settled: Settled | null;
}

export interface StoredHook {
  id: string;
  token: string;
  many: boolean;
  schema: JsonObject | null;
  approvalId: string | null;
  question: WorkflowQuestion | null;
  status: HookStatus;
  due: number | null;
  /** Takes payloads still. */
  listening: boolean;
  decidedAt: string | null;
}

/** What somebody handed over for a hook. `place`: from 0 on, in the order they came. */
export interface StoredPayload {
  place: number;
  body: Json;
  at: string;
}

/** A run in its object's SQLite. But for `exists`, nothing may be asked before `create`. */
export class WorkflowRunStorage {
  private readonly storage: DurableObjectStorage;
  private readonly sql: SqlStorage;
  private there: boolean;
  private held: RunSpec | null = null;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
    this.sql = storage.sql;
    this.there = this.hasTables();
  }

  /** Whether a run was started here. An object asked about one that was not stores nothing. */
  get exists(): boolean {
    return this.there;
  }

  create({ rawInput, ...spec }: RunSpec): void {
    this.storage.transactionSync(() => {
      this.sql.exec(schema);
      // In a row of its own, for a row has two megabytes at most.
      if (rawInput !== undefined)
        this.sql.exec("INSERT INTO raw_input (body) VALUES (?)", JSON.stringify(rawInput));
      const [status, phase] = spec.serial ? ["waiting", "queued"] : ["running", "launching"];
      this.sql.exec(
        "INSERT INTO run (one, spec, status, phase) VALUES (1, ?, ?, ?)",
        JSON.stringify(spec),
        status,
        phase,
      );
    });
    this.there = true;
  }

  /** Deletes everything. */
  async deleteAll(): Promise<void> {
    this.there = false;
    this.held = null;
    try {
      await this.storage.deleteAll();
    } catch (error) {
      this.there = this.hasTables();
      throw error;
    }
  }

  spec(): RunSpec {
    this.held ??= JSON.parse(String(this.sql.exec("SELECT spec FROM run").one().spec)) as RunSpec;
    return this.held;
  }

  /** The input as it came. */
  rawInput(): Json {
    const row = this.rows("SELECT body FROM raw_input")[0];
    return row === undefined ? this.spec().input : (JSON.parse(String(row.body)) as Json);
  }

  status(): RunStatus {
    return String(this.run().status) as RunStatus;
  }

  get ended(): boolean {
    return this.run().ended_at !== null;
  }

  endedAt(): string | null {
    return textOrNull(this.run().ended_at);
  }

  phase(): RunPhase {
    return String(this.run().phase) as RunPhase;
  }

  setPhase(phase: RunPhase): void {
    const status = phase === "queued" ? "waiting" : "running";
    this.sql.exec("UPDATE run SET phase = ?, status = ? WHERE ended_at IS NULL", phase, status);
  }

  /** What it ended with: its output, or why it failed; `null` while it goes on and after it was cancelled. */
  result(): RunEnd | null {
    const { result } = this.sql.exec("SELECT result FROM run").one();
    return result === null ? null : (JSON.parse(String(result)) as RunEnd);
  }

  /** Ends the run. `null`: cancelled. */
  end(result: RunEnd | null, endedAt: string): void {
    this.sql.exec(
      "UPDATE run SET status = ?, ended_at = ?, result = ?",
      result?.status ?? "interrupted",
      endedAt,
      result === null ? null : JSON.stringify(result),
    );
    this.sql.exec("UPDATE waits SET unsent = 0");
    // Code that was cancelled while it waited is told so, by one of its waits.
    if (result === null)
      this.sql.exec("UPDATE waits SET unsent = 1 WHERE n = (SELECT MIN(n) FROM waits WHERE settled IS NULL)");
  }

  nextOrder(): number {
    return Number(
      this.sql.exec("UPDATE run SET next_order = next_order + 1 RETURNING next_order - 1 AS taken").one()
        .taken,
    );
  }

  /** Times the engine was woken since it was last heard of. */
  wakes(): number {
    return Number(this.run().wakes);
  }

  setWakes(wakes: number): void {
    this.sql.exec("UPDATE run SET wakes = ?", wakes);
  }

  step(id: string): StoredStep | null {
    const row = this.rows("SELECT * FROM steps WHERE id = ?", id)[0];
    return row === undefined ? null : stepOf(row);
  }

  /** Every step, oldest first; without what it came to where that has more than so many characters of JSON. */
  steps(maxSettled: number): StoredStep[] {
    return this.rows(
      `SELECT id, name, status, attempts, lost, started_at, ended_at, failure,
         CASE WHEN length(settled) <= ? THEN settled END AS settled FROM steps ORDER BY pos`,
      maxSettled,
    ).map(stepOf);
  }

  stepsInFlight(): number {
    return Number(this.sql.exec("SELECT COUNT(*) AS n FROM steps WHERE status = 'running'").one().n);
  }

  putStep(step: StoredStep): void {
    const { id, name, status, attempts, lost, startedAt, endedAt, failure, settled } = step;
    this.sql.exec(
      `INSERT INTO steps (id, name, status, attempts, lost, started_at, ended_at, failure, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, attempts = excluded.attempts, lost = excluded.lost, ended_at = excluded.ended_at, failure = excluded.failure, settled = excluded.settled`,
      ...[id, name, status, attempts, lost, startedAt, endedAt],
      failure === null ? null : JSON.stringify(failure),
      settled === null ? null : JSON.stringify(settled),
    );
  }

  wait(id: string): StoredWait | null {
    const row = this.rows("SELECT * FROM waits WHERE id = ?", id)[0];
    return row === undefined ? null : waitOf(row);
  }

  waitNumber(n: number): StoredWait | null {
    const row = this.rows("SELECT * FROM waits WHERE n = ?", n)[0];
    return row === undefined ? null : waitOf(row);
  }

  /** Every wait the code opened, oldest first, without what it came to; `token`: that of its hook. */
  waits(): (Omit<StoredWait, "settled"> & { token: string | null })[] {
    return this.rows(
      `SELECT n, waits.id AS id, kind, hook, place, opened_at, waits.due AS due, settled_at, hooks.token AS token
       FROM waits LEFT JOIN hooks ON hooks.id = waits.hook WHERE kind <> 'retry' ORDER BY n`,
    ).map((row) => ({ ...waitHead(row), token: textOrNull(row.token) }));
  }

  /** Opens a wait, once, and returns it. */
  openWait(wait: Pick<StoredWait, "id" | "kind" | "hook" | "place" | "openedAt" | "due">): StoredWait {
    const { id, kind, hook, place, openedAt, due } = wait;
    this.sql.exec(
      "INSERT INTO waits (id, kind, hook, place, opened_at, due) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      ...[id, kind, hook, place, openedAt, due],
    );
    return waitOf(this.sql.exec("SELECT * FROM waits WHERE id = ?", id).one());
  }

  /** Settles a wait that is open, and keeps it until the engine has been told. */
  settleWait(n: number, settled: Settled, at: string): void {
    this.sql.exec(
      "UPDATE waits SET settled = ?, settled_at = ?, unsent = 1 WHERE n = ? AND settled IS NULL",
      JSON.stringify(settled),
      at,
      n,
    );
  }

  /** Waits the engine has not been told the end of, in the order they came to it. */
  unsent(): StoredWait[] {
    return this.rows("SELECT * FROM waits WHERE unsent = 1 ORDER BY n").map(waitOf);
  }

  setSent(n: number): void {
    this.sql.exec("UPDATE waits SET unsent = 0 WHERE n = ?", n);
  }

  /** Has the engine told once more of a payload. */
  sendAgain(hook: string, place: number): void {
    this.sql.exec(
      "UPDATE waits SET unsent = 1 WHERE hook = ? AND place = ? AND settled IS NOT NULL",
      hook,
      place,
    );
  }

  openWaits(): number {
    return Number(this.sql.exec("SELECT COUNT(*) AS n FROM waits WHERE settled IS NULL").one().n);
  }

  dueWaits(now: number): StoredWait[] {
    return this.rows(
      "SELECT * FROM waits WHERE settled IS NULL AND due IS NOT NULL AND due <= ? ORDER BY due, n",
      now,
    ).map(waitOf);
  }

  /** When the next deadline is, milliseconds since the epoch. */
  nextDue(): number | null {
    const { due } = this.sql.exec("SELECT MIN(due) AS due FROM waits WHERE settled IS NULL").one();
    return due === null ? null : Number(due);
  }

  /** The open wait for a payload of a hook. */
  waitForPayload(hook: string, place: number): StoredWait | null {
    const row = this.rows(
      "SELECT * FROM waits WHERE hook = ? AND place = ? AND settled IS NULL",
      hook,
      place,
    )[0];
    return row === undefined ? null : waitOf(row);
  }

  hook(id: string): StoredHook | null {
    const row = this.rows("SELECT * FROM hooks WHERE id = ?", id)[0];
    return row === undefined ? null : hookOf(row);
  }

  hookOfApproval(approvalId: string): StoredHook | null {
    const row = this.rows("SELECT * FROM hooks WHERE approval_id = ?", approvalId)[0];
    return row === undefined ? null : hookOf(row);
  }

  hooks(): StoredHook[] {
    return this.rows("SELECT * FROM hooks").map(hookOf);
  }

  putHook(hook: StoredHook): void {
    const { id, token, many, schema, approvalId, question, status, due, listening, decidedAt } = hook;
    this.sql.exec(
      `INSERT INTO hooks (id, token, many, schema, approval_id, question, status, due, listening, decided_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, listening = excluded.listening, decided_at = excluded.decided_at`,
      id,
      token,
      many ? 1 : 0,
      schema === null ? null : JSON.stringify(schema),
      approvalId,
      question === null ? null : JSON.stringify(question),
      status,
      due,
      listening ? 1 : 0,
      decidedAt,
    );
  }

  payload(hook: string, place: number): StoredPayload | null {
    const row = this.rows("SELECT * FROM payloads WHERE hook = ? AND place = ?", hook, place)[0];
    return row === undefined ? null : payloadOf(row);
  }

  payloadOfKey(hook: string, key: string): StoredPayload | null {
    const row = this.rows("SELECT * FROM payloads WHERE hook = ? AND sender_key = ?", hook, key)[0];
    return row === undefined ? null : payloadOf(row);
  }

  payloadCount(hook: string): number {
    return Number(this.sql.exec("SELECT COUNT(*) AS n FROM payloads WHERE hook = ?", hook).one().n);
  }

  addPayload(hook: string, place: number, body: Json, key: string | null, at: string): void {
    this.sql.exec(
      "INSERT INTO payloads (hook, place, body, sender_key, at) VALUES (?, ?, ?, ?, ?)",
      ...[hook, place, JSON.stringify(body), key, at],
    );
  }

  /** Whether there is something to tell that has not been told. */
  get untold(): boolean {
    return (
      Number(
        this.sql.exec("SELECT EXISTS (SELECT 1 FROM notes) OR EXISTS (SELECT 1 FROM errands) AS u").one().u,
      ) === 1
    );
  }

  appendEvent(event: RunEvent): void {
    this.sql.exec("INSERT INTO events (body) VALUES (?)", JSON.stringify(event));
  }

  /** Events after a number, which start at 1, oldest first. */
  eventsAfter(seq: number, limit: number): StoredEvent[] {
    if (!this.there) return [];
    return this.rows("SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit).map(
      (row) => ({ seq: Number(row.seq), body: String(row.body) }),
    );
  }

  /** Puts something in an outbox: `notes` for the database, `errands` for other objects and the engine. */
  addTo(box: "notes" | "errands", body: object): void {
    this.sql.exec(`INSERT INTO ${box} (body) VALUES (?)`, JSON.stringify(body));
  }

  /** The oldest of an outbox. */
  firstOf<Body>(box: "notes" | "errands", limit: number): { pos: number; body: Body }[] {
    return this.rows(`SELECT * FROM ${box} ORDER BY pos LIMIT ?`, limit).map((row) => ({
      pos: Number(row.pos),
      body: JSON.parse(String(row.body)) as Body,
    }));
  }

  dropThrough(box: "notes" | "errands", pos: number): void {
    this.sql.exec(`DELETE FROM ${box} WHERE pos <= ?`, pos);
  }

  private hasTables(): boolean {
    return this.rows("SELECT 1 FROM sqlite_master WHERE name = 'run'").length > 0;
  }

  private run() {
    // Not the spec and the result: they can be large, and this is asked often.
    return this.sql.exec("SELECT status, phase, wakes, ended_at FROM run").one();
  }

  private rows(query: string, ...bound: (string | number | null)[]) {
    return this.sql.exec(query, ...bound).toArray();
  }
}

type Row = { [column: string]: SqlStorageValue };

function textOrNull(value: SqlStorageValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function jsonOrNull<Value>(value: SqlStorageValue | undefined): Value | null {
  const text = textOrNull(value);
  return text === null ? null : (JSON.parse(text) as Value);
}

function stepOf(row: Row): StoredStep {
  return {
    id: String(row.id),
    name: String(row.name),
    status: String(row.status) as StoredStep["status"],
    attempts: Number(row.attempts),
    lost: Number(row.lost),
    startedAt: String(row.started_at),
    endedAt: textOrNull(row.ended_at),
    failure: jsonOrNull<RunFailure>(row.failure),
    settled: jsonOrNull<Settled>(row.settled),
  };
}

function payloadOf(row: Row): StoredPayload {
  return {
    place: Number(row.place),
    body: JSON.parse(String(row.body)) as Json,
    at: String(row.at),
  };
}

function waitOf(row: Row): StoredWait {
  return { ...waitHead(row), settled: jsonOrNull<Settled>(row.settled) };
}

function waitHead(row: Row): Omit<StoredWait, "settled"> {
  return {
    n: Number(row.n),
    id: String(row.id),
    kind: String(row.kind) as WaitKind,
    hook: textOrNull(row.hook),
    place: row.place === null ? null : Number(row.place),
    openedAt: String(row.opened_at),
    due: row.due === null ? null : Number(row.due),
    settledAt: textOrNull(row.settled_at),
  };
}

function hookOf(row: Row): StoredHook {
  return {
    id: String(row.id),
    token: String(row.token),
    many: row.many === 1,
    schema: jsonOrNull<JsonObject>(row.schema),
    approvalId: textOrNull(row.approval_id),
    question: jsonOrNull<WorkflowQuestion>(row.question),
    status: String(row.status) as HookStatus,
    due: row.due === null ? null : Number(row.due),
    listening: row.listening === 1,
    decidedAt: textOrNull(row.decided_at),
  };
}
