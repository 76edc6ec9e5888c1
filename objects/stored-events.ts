import { chunkText } from "./chunked-text.ts";

/** Numbers of one epoch: more than a turn ever has events. */
const epochLength = 1_000_000;

/** Events of older epochs than this are dropped: a client that comes back later gets the messages instead. */
const keptEpochs = 20;

/** Events read at once, about. */
const readEvents = 200;

/** Number of an epoch's first event. */
export function firstSeq(epoch: number): number {
  return epoch * epochLength;
}

/** The events of a session's last turns, each as JSON without line breaks, numbered from its epoch's first number on. */
export class StoredEvents {
  static readonly schema =
    "CREATE TABLE events (first INTEGER NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (first, part)) WITHOUT ROWID;";
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** Stores the events of an epoch, and drops those of old epochs. */
  put(epoch: number, bodies: string[]): void {
    const first = firstSeq(epoch);
    for (const [part, body] of chunkText(bodies.join("\n")).entries())
      this.sql.exec("INSERT INTO events (first, part, body) VALUES (?, ?, ?)", first, part, body);
    if (epoch > keptEpochs)
      this.sql.exec("DELETE FROM events WHERE first <= ?", firstSeq(epoch - keptEpochs));
  }

  /** Events after a number, in order: those of whole epochs, until there are enough for one reading. */
  after(seq: number): { seq: number; body: string }[] {
    const found: { seq: number; body: string }[] = [];
    const from = Math.floor(seq / epochLength) * epochLength;
    const epochs = this.sql.exec("SELECT DISTINCT first FROM events WHERE first >= ? ORDER BY first", from);
    for (const { first } of epochs.toArray()) {
      const parts = this.sql
        .exec("SELECT body FROM events WHERE first = ? ORDER BY part", first ?? 0)
        .toArray();
      const bodies = parts
        .map(({ body }) => String(body))
        .join("")
        .split("\n");
      for (const [at, body] of bodies.entries()) {
        if (Number(first) + at > seq) found.push({ seq: Number(first) + at, body });
      }
      if (found.length >= readEvents) break;
    }
    return found;
  }
}
