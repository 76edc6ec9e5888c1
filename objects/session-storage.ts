import type {
  CallStatus,
  SessionStore,
  StoredCall,
  StoredInterrupt,
} from "../src/agents/runtime/session-store.ts";
import type { Decision, Interrupt, JsonObject, Message, TurnEvent, TurnRequest } from "../src/turn/index.ts";
import { chunkText } from "./chunked-text.ts";

const schema = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, frame TEXT NOT NULL, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS messages_by_frame ON messages (frame, seq);
CREATE TABLE IF NOT EXISTS more (seq INTEGER NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq, part)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (pos INTEGER PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, frame TEXT NOT NULL, message_id TEXT NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL, status TEXT NOT NULL, invalid TEXT);
CREATE INDEX IF NOT EXISTS calls_open ON calls (frame, pos) WHERE status <> 'done';
CREATE TABLE IF NOT EXISTS interrupts (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, call_id TEXT NOT NULL UNIQUE, status TEXT NOT NULL, body TEXT NOT NULL, decision TEXT);
CREATE INDEX IF NOT EXISTS interrupts_pending ON interrupts (pos) WHERE status = 'pending';
CREATE TABLE IF NOT EXISTS events (first INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, body TEXT NOT NULL);
`;

/** A numbered event of a session. */
export interface NumberedEvent {
  seq: number;
  event: TurnEvent;
}

/** The turn a session is in or was in last. */
export interface StoredTurn {
  /** Raised for each turn and each time one goes on after a restart: event numbers start anew in it, above all before. */
  epoch: number;
  status: "running" | "interrupted" | "ended";
  /** What the loop needs to go on. */
  request: Omit<TurnRequest, "messages" | "resume" | "state">;
  known: boolean;
  startedAt: string;
}

/** Numbers of one epoch: more than a turn ever has events. */
const epochLength = 1_000_000;

/** Events of older turns than this are dropped: a client that comes back later gets the messages instead. */
const keptEpochs = 20;

/**
 * A session in its object's SQLite. Rows are only ever added, a call's and an interrupt's status apart, so that a turn
 * costs what it brings and not what the session holds.
 */
export class SessionStorage implements SessionStore {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** Creates the tables. Apart from the constructor, so that an object asked about a session that is not there stores nothing. */
  prepare(): void {
    this.sql.exec(schema);
  }

  get exists(): boolean {
    return (
      this.sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'messages'").toArray()
        .length > 0
    );
  }

  tail(frame: string, maxChars: number): { messages: Message[]; omitted: number } {
    const messages: Message[] = [];
    let chars = 0;
    let oldest = 0;
    for (const row of this.sql.exec(
      "SELECT seq, body FROM messages WHERE frame = ? ORDER BY seq DESC",
      frame,
    )) {
      if (chars >= maxChars) break;
      const body = this.whole(Number(row.seq), String(row.body));
      chars += body.length;
      oldest = Number(row.seq);
      messages.push(JSON.parse(body) as Message);
    }
    const omitted =
      chars < maxChars
        ? 0
        : Number(
            this.sql
              .exec("SELECT COUNT(*) AS n FROM messages WHERE frame = ? AND seq < ?", frame, oldest)
              .one().n,
          );
    return { messages: messages.reverse(), omitted };
  }

  messages(frame: string): Message[] {
    return this.tail(frame, Number.POSITIVE_INFINITY).messages;
  }

  lastMessage(frame: string): Message | undefined {
    const row = this.sql
      .exec("SELECT seq, body FROM messages WHERE frame = ? ORDER BY seq DESC LIMIT 1", frame)
      .toArray()[0];
    return row === undefined
      ? undefined
      : (JSON.parse(this.whole(Number(row.seq), String(row.body))) as Message);
  }

  hasMessage(id: string): boolean {
    return this.sql.exec("SELECT 1 FROM messages WHERE id = ?", id).toArray().length > 0;
  }

  append(frame: string, message: Message): void {
    const [first = "", ...rest] = chunkText(JSON.stringify(message));
    const row = this.sql
      .exec(
        "INSERT INTO messages (frame, id, role, body) VALUES (?, ?, ?, ?) RETURNING seq",
        frame,
        message.id,
        message.role,
        first,
      )
      .one();
    for (const [part, body] of rest.entries()) {
      this.sql.exec("INSERT INTO more (seq, part, body) VALUES (?, ?, ?)", row.seq, part, body);
    }
  }

  addCalls(calls: StoredCall[]): void {
    for (const { callId, frame, messageId, name, args, status, invalid } of calls) {
      this.sql.exec(
        "INSERT INTO calls (call_id, frame, message_id, name, args, status, invalid) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ...[callId, frame, messageId, name, JSON.stringify(args), status, invalid],
      );
    }
  }

  openCalls(frame: string): StoredCall[] {
    const rows = this.sql
      .exec("SELECT * FROM calls WHERE frame = ? AND status <> 'done' ORDER BY pos", frame)
      .toArray();
    return rows.map(callOf);
  }

  call(callId: string): StoredCall | undefined {
    const row = this.sql.exec("SELECT * FROM calls WHERE call_id = ?", callId).toArray()[0];
    return row === undefined ? undefined : callOf(row);
  }

  setCall(callId: string, { status, args }: { status: CallStatus; args?: JsonObject }): void {
    if (args === undefined) this.sql.exec("UPDATE calls SET status = ? WHERE call_id = ?", status, callId);
    else
      this.sql.exec(
        "UPDATE calls SET status = ?, args = ? WHERE call_id = ?",
        status,
        JSON.stringify(args),
        callId,
      );
  }

  addInterrupt(interrupt: Interrupt): void {
    this.sql.exec(
      "INSERT INTO interrupts (id, call_id, status, body) VALUES (?, ?, 'pending', ?)",
      interrupt.id,
      interrupt.callId,
      JSON.stringify(interrupt),
    );
  }

  interrupt(id: string): StoredInterrupt | undefined {
    return this.interruptWhere("id", id);
  }

  interruptOfCall(callId: string): StoredInterrupt | undefined {
    return this.interruptWhere("call_id", callId);
  }

  pendingInterrupts(): Interrupt[] {
    const rows = this.sql.exec("SELECT body FROM interrupts WHERE status = 'pending' ORDER BY pos").toArray();
    return rows.map((row) => JSON.parse(String(row.body)) as Interrupt);
  }

  decide(id: string, decision: Decision): void {
    this.sql.exec(
      "UPDATE interrupts SET status = 'decided', decision = ? WHERE id = ? AND status = 'pending'",
      JSON.stringify(decision),
      id,
    );
  }

  state(): JsonObject {
    return JSON.parse(this.meta("state") ?? "{}") as JsonObject;
  }

  setState(state: JsonObject): void {
    this.setMeta("state", JSON.stringify(state));
  }

  turn(): StoredTurn | null {
    const text = this.meta("turn");
    return text === null ? null : (JSON.parse(text) as StoredTurn);
  }

  setTurn(turn: StoredTurn): void {
    this.setMeta("turn", JSON.stringify(turn));
  }

  /** Number of an epoch's first event. */
  static firstSeq(epoch: number): number {
    return epoch * epochLength;
  }

  /** Stores a run of events with consecutive numbers. */
  putEvents(epoch: number, first: number, events: TurnEvent[]): void {
    let seq = first;
    for (const piece of pieces(events)) {
      this.sql.exec(
        "INSERT INTO events (first, epoch, body) VALUES (?, ?, ?)",
        seq,
        epoch,
        JSON.stringify(piece),
      );
      seq += piece.length;
    }
    this.sql.exec("DELETE FROM events WHERE epoch <= ?", epoch - keptEpochs);
  }

  /** Stored events after a number, in order, a row's worth at least. */
  eventsAfter(after: number): NumberedEvent[] {
    const found: NumberedEvent[] = [];
    const from =
      this.sql.exec("SELECT MAX(first) AS first FROM events WHERE first <= ?", after).one().first ?? 0;
    for (const row of this.sql.exec("SELECT first, body FROM events WHERE first >= ? ORDER BY first", from)) {
      const events = JSON.parse(String(row.body)) as TurnEvent[];
      for (const [at, event] of events.entries()) {
        const seq = Number(row.first) + at;
        if (seq > after) found.push({ seq, event });
      }
      if (found.length >= 200) break;
    }
    return found;
  }

  meta(name: string): string | null {
    const row = this.sql.exec("SELECT value FROM meta WHERE name = ?", name).toArray()[0];
    return row === undefined ? null : String(row.value);
  }

  setMeta(name: string, value: string): void {
    this.sql.exec(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }

  private interruptWhere(column: "id" | "call_id", value: string): StoredInterrupt | undefined {
    const row = this.sql
      .exec(`SELECT status, body, decision FROM interrupts WHERE ${column} = ?`, value)
      .toArray()[0];
    if (row === undefined) return undefined;
    return {
      interrupt: JSON.parse(String(row.body)) as Interrupt,
      status: row.status === "pending" ? "pending" : "decided",
      decision: row.decision === null ? null : (JSON.parse(String(row.decision)) as Decision),
    };
  }

  private whole(seq: number, first: string): string {
    // Only a full first piece can have others.
    if (first.length < 499_999) return first;
    const rest = this.sql.exec("SELECT body FROM more WHERE seq = ? ORDER BY part", seq).toArray();
    return first + rest.map((row) => String(row.body)).join("");
  }
}

/** Events in runs that fit a row each. */
function* pieces(events: TurnEvent[]): Iterable<TurnEvent[]> {
  let piece: TurnEvent[] = [];
  let length = 0;
  for (const event of events) {
    const size = JSON.stringify(event).length;
    if (length + size > 400_000 && piece.length > 0) {
      yield piece;
      piece = [];
      length = 0;
    }
    piece.push(event);
    length += size;
  }
  if (piece.length > 0) yield piece;
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
