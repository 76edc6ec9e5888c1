import type {
  CallStatus,
  DecidedBy,
  SessionStore,
  StoredCall,
  StoredInterrupt,
} from "../src/agents/runtime/session-store.ts";
import { mainFrame, tailWeight, weightOf } from "../src/agents/runtime/session-store.ts";
import { taskToolName } from "../src/agents/runtime/task-tool.ts";
import type { Note } from "../src/store/notes.ts";
import type { Decision, Interrupt, JsonObject, Message } from "../src/turn/index.ts";
import { chunkText } from "./chunked-text.ts";
import { RecentMessages } from "./recent-messages.ts";
import { StoredEvents } from "./stored-events.ts";
import type { StoredTurn, TurnWork } from "./stored-turn.ts";

const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (seq INTEGER PRIMARY KEY, frame TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, body TEXT NOT NULL);
CREATE UNIQUE INDEX messages_by_frame ON messages (frame, n);
CREATE INDEX instructions ON messages (frame, n) WHERE role = 'system';
CREATE TABLE more (seq INTEGER NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, part)) WITHOUT ROWID;
CREATE TABLE calls (pos INTEGER PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, frame TEXT NOT NULL, message_id TEXT NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL, status TEXT NOT NULL, invalid TEXT);
CREATE INDEX calls_open ON calls (frame, pos) WHERE status <> 'done';
CREATE TABLE interrupts (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, call_id TEXT NOT NULL UNIQUE, status TEXT NOT NULL, body TEXT NOT NULL, decision TEXT);
CREATE INDEX interrupts_pending ON interrupts (pos) WHERE status = 'pending';
${StoredEvents.schema}
CREATE TABLE notes (pos INTEGER PRIMARY KEY, body TEXT NOT NULL);
`;

/** Messages read at once. */
const pageSize = 50;

/** What every turn reads, and what is small enough to stay in memory. */
const kept: ReadonlySet<string> = new Set(["owner", "state", "turn"]);

/**
 * A session in its object's SQLite. Rows are only ever added, a call's and an interrupt's status apart, so that a turn
 * costs what it brings and not what the session holds. But for `exists` and `turn`, nothing may be asked before
 * `create`.
 */
export class SessionStorage implements SessionStore {
  private readonly storage: DurableObjectStorage;
  private readonly sql: SqlStorage;
  private there: boolean;
  /** The tail of the agent's own conversation, once it was asked for: every answer of the model reads it. */
  private recent: RecentMessages | null = null;
  /** What is stored of `kept`, once it was asked for: a query costs more than all that is done with its answer. */
  private readonly metas = new Map<string, string | null>();
  /** It is known that no call is open, or no interrupt pending, as is so in most turns. */
  private noOpenCalls = false;
  private noPending = false;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
    this.sql = storage.sql;
    this.there = this.rows("SELECT 1 FROM sqlite_master WHERE name = 'messages'").length > 0;
  }

  /** Whether there is a session. An object that is asked about one that is not there stores nothing. */
  get exists(): boolean {
    return this.there;
  }

  create(owner: string, state: JsonObject): void {
    this.sql.exec(schema);
    this.there = true;
    this.setMeta("owner", owner);
    this.setState(state);
  }

  async deleteAll(): Promise<void> {
    await this.storage.deleteAll();
    this.there = false;
    this.forget();
  }

  /** Does all of `work` or, when it throws, nothing. */
  transaction<Result>(work: () => Result): Result {
    const before = this.there;
    try {
      return this.storage.transactionSync(work);
    } catch (error) {
      this.there = before;
      this.forget();
      throw error;
    }
  }

  owner(): string {
    return this.meta("owner") ?? "";
  }

  tail(frame: string): { messages: Message[]; omitted: number } {
    const recent = (frame === mainFrame ? this.recent : null) ?? this.readRecent(frame);
    if (frame === mainFrame) this.recent = recent;
    const before = recent.first;
    const older = before === 1 ? [] : this.instructionsBefore(frame, before);
    return { messages: [...older, ...recent.messages()], omitted: before - 1 - older.length };
  }

  /**
   * The conversation as it was when `through` was the last message, as a JSON array: the agent's own, with what its
   * subagents said, each stretch behind the answer that called them and its results. There a client that heard it has
   * it. The task itself is left out, for the call shows it.
   */
  conversation(through = this.newestSeq()): string {
    const tasks = new Map<string, string[]>();
    for (const row of this.rows(
      "SELECT * FROM calls WHERE name = ? AND frame = ?",
      taskToolName,
      mainFrame,
    )) {
      const { messageId, callId, args } = callOf(row);
      const subagent = JSON.stringify({ id: callId, name: String(args.subagent) });
      const said = this.bodies(callId, through).slice(1);
      const marked = said.map(({ body }) => `${body.slice(0, -1)},"subagent":${subagent}}`);
      tasks.set(messageId, [...(tasks.get(messageId) ?? []), ...marked]);
    }
    const whole: string[] = [];
    let inner: string[] = [];
    for (const { id, role, body } of this.bodies(mainFrame, through)) {
      if (role !== "tool") {
        whole.push(...inner);
        inner = tasks.get(id) ?? [];
      }
      whole.push(body);
    }
    return `[${[...whole, ...inner].join(",")}]`;
  }

  /** Place of the newest message of all. */
  newestSeq(): number {
    return Number(this.rows("SELECT MAX(seq) AS seq FROM messages")[0]?.seq ?? 0);
  }

  /** The newest messages of the agent's own conversation, oldest first, as a JSON array. */
  newestMessages(count: number): string {
    const rows = this.rows(
      "SELECT seq, body FROM messages WHERE frame = ? ORDER BY n DESC LIMIT ?",
      ...[mainFrame, count],
    );
    return `[${rows
      .reverse()
      .map((row) => this.whole(Number(row.seq), String(row.body)))
      .join(",")}]`;
  }

  /** The agent's own conversation as it is now, some messages at a time, each as JSON. No page is empty. */
  *pages(): Generator<string[]> {
    const last = this.newestSeq();
    for (let after = 0; ; ) {
      const rows = this.rows(
        "SELECT seq, body FROM messages WHERE frame = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        ...[mainFrame, after, last, pageSize],
      );
      if (rows.length === 0) return;
      yield rows.map((row) => this.whole(Number(row.seq), String(row.body)));
      after = Number(rows.at(-1)?.seq ?? last);
    }
  }

  lastMessage(frame: string): Message | undefined {
    const recent = frame === mainFrame ? this.recent : null;
    return recent !== null
      ? recent.newest()
      : this.newest("SELECT seq, body FROM messages WHERE frame = ? ORDER BY n DESC LIMIT 1", frame);
  }

  hasMessage(id: string): boolean {
    return this.rows("SELECT 1 FROM messages WHERE id = ?", id).length > 0;
  }

  append(frame: string, message: Message): void {
    const body = JSON.stringify(message);
    const [first = "", ...rest] = chunkText(body);
    const { seq = 0, n } = this.sql
      .exec(
        `INSERT INTO messages (frame, n, id, role, body)
         VALUES (?1, (SELECT COALESCE(MAX(n), 0) + 1 FROM messages WHERE frame = ?1), ?2, ?3, ?4) RETURNING seq, n`,
        ...[frame, message.id, message.role, first],
      )
      .one();
    for (const [part, piece] of rest.entries()) {
      this.sql.exec("INSERT INTO more (seq, part, body) VALUES (?, ?, ?)", seq, part, piece);
    }
    if (frame === mainFrame)
      this.recent?.push({ n: Number(n), weight: weightOf(message, body.length), message });
  }

  addCalls(calls: StoredCall[]): void {
    if (calls.length > 0) this.noOpenCalls = false;
    for (const { callId, frame, messageId, name, args, status, invalid } of calls) {
      this.sql.exec(
        "INSERT INTO calls (call_id, frame, message_id, name, args, status, invalid) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ...[callId, frame, messageId, name, JSON.stringify(args), status, invalid],
      );
    }
  }

  openCalls(frame: string): StoredCall[] {
    if (this.noOpenCalls) return [];
    this.noOpenCalls = this.rows("SELECT 1 FROM calls WHERE status <> 'done' LIMIT 1").length === 0;
    if (this.noOpenCalls) return [];
    return this.rows("SELECT * FROM calls WHERE frame = ? AND status <> 'done' ORDER BY pos", frame).map(
      callOf,
    );
  }

  call(callId: string): StoredCall | undefined {
    return this.rows("SELECT * FROM calls WHERE call_id = ?", callId).map(callOf)[0];
  }

  setCall(callId: string, { status, args }: { status: CallStatus; args?: JsonObject }): void {
    this.noOpenCalls = false;
    if (args === undefined) this.sql.exec("UPDATE calls SET status = ? WHERE call_id = ?", status, callId);
    else
      this.sql.exec(
        "UPDATE calls SET status = ?, args = ? WHERE call_id = ?",
        ...[status, JSON.stringify(args), callId],
      );
  }

  addInterrupt(interrupt: Interrupt): void {
    this.noPending = false;
    const { id, callId } = interrupt;
    this.sql.exec(
      "INSERT INTO interrupts (id, call_id, status, body) VALUES (?, ?, 'pending', ?)",
      ...[id, callId, JSON.stringify(interrupt)],
    );
    this.setCall(callId, { status: "waiting" });
  }

  interrupt(id: string): StoredInterrupt | undefined {
    return this.rows("SELECT * FROM interrupts WHERE id = ?", id).map(interruptOf)[0];
  }

  interruptOfCall(callId: string): StoredInterrupt | undefined {
    return this.rows("SELECT * FROM interrupts WHERE call_id = ?", callId).map(interruptOf)[0];
  }

  pendingInterrupts(): Interrupt[] {
    if (this.noPending) return [];
    const rows = this.rows("SELECT body FROM interrupts WHERE status = 'pending' ORDER BY pos");
    this.noPending = rows.length === 0;
    return rows.map((row) => JSON.parse(String(row.body)) as Interrupt);
  }

  decide(id: string, decision: Decision, by: DecidedBy): void {
    const [row] = this.rows(
      "UPDATE interrupts SET status = 'decided', decision = ? WHERE id = ? AND status = 'pending' RETURNING call_id",
      ...[JSON.stringify(decision), id],
    );
    if (row === undefined) return;
    this.setCall(String(row.call_id), { status: "decided" });
    this.addNote({ kind: "decided", id, decision, by, at: new Date().toISOString() });
  }

  cancelInterrupt(callId: string): void {
    const [row] = this.rows(
      "UPDATE interrupts SET status = 'cancelled' WHERE call_id = ? AND status = 'pending' RETURNING id",
      callId,
    );
    if (row !== undefined)
      this.addNote({ kind: "cancelled", id: String(row.id), at: new Date().toISOString() });
  }

  state(): JsonObject {
    return JSON.parse(this.meta("state") ?? "{}") as JsonObject;
  }

  setState(state: JsonObject): void {
    this.setMeta("state", JSON.stringify(state));
  }

  /** `null`: there is no session. */
  turn(): StoredTurn | null {
    const text = this.there ? this.meta("turn") : null;
    return text === null ? null : (JSON.parse(text) as StoredTurn);
  }

  setTurn(turn: StoredTurn): void {
    this.setMeta("turn", JSON.stringify(turn));
  }

  /** The work of the last turn a request began. */
  work(): TurnWork {
    return JSON.parse(this.meta("work") ?? "null") as TurnWork;
  }

  setWork(work: TurnWork): void {
    this.setMeta("work", JSON.stringify(work));
  }

  /** Notes something the database has to be told; it is kept until that is done. */
  addNote(note: Note): void {
    this.sql.exec("INSERT INTO notes (body) VALUES (?)", JSON.stringify(note));
  }

  notes(limit: number): { pos: number; note: Note }[] {
    const rows = this.rows("SELECT pos, body FROM notes ORDER BY pos LIMIT ?", limit);
    return rows.map((row) => ({ pos: Number(row.pos), note: JSON.parse(String(row.body)) as Note }));
  }

  dropNotes(through: number): void {
    this.sql.exec("DELETE FROM notes WHERE pos <= ?", through);
  }

  private meta(name: string): string | null {
    const known = this.metas.get(name);
    if (known !== undefined) return known;
    const row = this.rows("SELECT value FROM meta WHERE name = ?", name)[0];
    const value = row === undefined ? null : String(row.value);
    if (kept.has(name)) this.metas.set(name, value);
    return value;
  }

  private setMeta(name: string, value: string): void {
    this.sql.exec("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, value);
    if (kept.has(name)) this.metas.set(name, value);
  }

  /** What is in memory may no longer be what is stored. */
  private forget(): void {
    this.recent = null;
    this.metas.clear();
    this.noOpenCalls = false;
    this.noPending = false;
  }

  private rows(query: string, ...bindings: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.sql.exec(query, ...bindings).toArray();
  }

  private readRecent(frame: string): RecentMessages {
    const newest: ConstructorParameters<typeof RecentMessages>[0] = [];
    let sum = 0;
    for (const row of this.sql.exec("SELECT * FROM messages WHERE frame = ? ORDER BY n DESC", frame)) {
      if (sum >= tailWeight) break;
      const body = this.whole(Number(row.seq), String(row.body));
      const message = JSON.parse(body) as Message;
      const weight = weightOf(message, body.length);
      newest.push({ n: Number(row.n), weight, message });
      sum += weight;
    }
    return new RecentMessages(newest.reverse());
  }

  private instructionsBefore(frame: string, n: number): Message[] {
    return this.rows(
      "SELECT seq, body FROM messages WHERE frame = ? AND role = 'system' AND n < ? ORDER BY n",
      ...[frame, n],
    ).map((row) => this.message(row));
  }

  private message({ seq, body }: Record<string, SqlStorageValue>): Message {
    return JSON.parse(this.whole(Number(seq), String(body))) as Message;
  }

  private bodies(frame: string, through: number): { id: string; role: string; body: string }[] {
    return this.rows(
      "SELECT seq, id, role, body FROM messages WHERE frame = ? AND seq <= ? ORDER BY n",
      ...[frame, through],
    ).map((row) => ({
      id: String(row.id),
      role: String(row.role),
      body: this.whole(Number(row.seq), String(row.body)),
    }));
  }

  private newest(query: string, frame: string): Message | undefined {
    const row = this.rows(query, frame)[0];
    return row === undefined ? undefined : this.message(row);
  }

  private whole(seq: number, first: string): string {
    // Only a full first piece can have others.
    if (first.length < 499_999) return first;
    const rest = this.rows("SELECT body FROM more WHERE seq = ? ORDER BY part", seq);
    return first + rest.map((row) => String(row.body)).join("");
  }
}

function callOf(row: Record<string, SqlStorageValue>): StoredCall {
  return {
    callId: String(row.call_id),
    frame: String(row.frame),
    messageId: String(row.message_id),
    name: String(row.name),
    args: JSON.parse(String(row.args)) as JsonObject,
    status: String(row.status) as CallStatus,
    invalid: row.invalid === null ? null : String(row.invalid),
  };
}

function interruptOf(row: Record<string, SqlStorageValue>): StoredInterrupt {
  return {
    interrupt: JSON.parse(String(row.body)) as Interrupt,
    status: String(row.status) as StoredInterrupt["status"],
    decision: row.decision === null ? null : (JSON.parse(String(row.decision)) as Decision),
  };
}
