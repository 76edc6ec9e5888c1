import type { TurnEvent } from "../src/turn/index.ts";
import { EventFeed, lineFormat, type StoredEvent } from "./event-feed.ts";
import type { SessionStorage } from "./session-storage.ts";
import { firstSeq, StoredEvents } from "./stored-events.ts";

/** Stands in the log for the conversation up to a message, which is read when somebody reads the event. */
const snapshotMark = "messages ";

/**
 * The events of a session's turns as its watchers see them: those of the newest turn in memory, older ones in storage.
 * Numbers only rise, across restarts too. What is emitted within one macrotask goes out as one chunk, since a chunk
 * costs far more than the text in it.
 */
export class TurnLog {
  private readonly storage: SessionStorage;
  private readonly stored: StoredEvents;
  private readonly feed: EventFeed;
  private epoch = 0;
  /** The events of `epoch`, as JSON. */
  private live: string[] = [];
  private running = false;
  /** Resolved when the turn of `epoch` runs no longer. */
  private over = Promise.withResolvers<void>();
  private waking = false;

  constructor(storage: SessionStorage, sql: SqlStorage) {
    this.storage = storage;
    this.stored = new StoredEvents(sql);
    this.feed = new EventFeed(
      (after, limit) => this.after(after, limit).map(({ seq, body }) => ({ seq, body: this.readable(body) })),
      () => !this.running,
      lineFormat,
    );
  }

  /** A turn begins, or goes on, in an epoch of its own. */
  begin(epoch: number): void {
    this.epoch = epoch;
    this.live = [];
    this.over = Promise.withResolvers();
    this.running = true;
  }

  emit(event: TurnEvent): void {
    this.add(JSON.stringify(event));
  }

  /** Emits the conversation as it stands, without holding it. */
  emitSnapshot(): void {
    this.add(`${snapshotMark}${this.storage.newestSeq()}`);
  }

  /** Stores the turn's events; what comes after this needs another `begin`. */
  end(): void {
    this.stored.put(this.epoch, this.live);
    this.breakOff();
  }

  /** Ends the streams of a turn that came to no end. */
  breakOff(): void {
    this.running = false;
    this.over.resolve();
    this.wake();
  }

  /** The events of one turn, from its first. */
  openTurn(epoch: number): ReadableStream<Uint8Array> {
    return this.feed.open(firstSeq(epoch) - 1, firstSeq(epoch + 1));
  }

  /** The events of the turn under way as a JSON array, once it is over or broke off. */
  async untilOver(): Promise<string> {
    const { live, over } = this;
    await over.promise;
    return `[${live.map((body) => this.readable(body)).join(",")}]`;
  }

  /** All events after a number, to the end of the turn under way. */
  openAfter(after: number): ReadableStream<Uint8Array> {
    return this.feed.open(after);
  }

  private add(body: string): void {
    this.live.push(body);
    this.wake();
  }

  private wake(): void {
    if (this.waking || !this.feed.isWatched) return;
    this.waking = true;
    setTimeout(() => {
      this.waking = false;
      this.feed.wake();
    }, 0);
  }

  private after(after: number, limit: number): StoredEvent[] {
    const first = firstSeq(this.epoch);
    if (after < first - 1 || this.live.length === 0) {
      const stored = this.stored.after(after).filter(({ seq }) => !this.running || seq < first);
      if (stored.length > 0) return stored;
    }
    const from = Math.max(0, after - first + 1);
    return this.live.slice(from, from + limit).map((body, at) => ({ seq: first + from + at, body }));
  }

  private readable(body: string): string {
    if (!body.startsWith(snapshotMark)) return body;
    const messages = this.storage.conversation(Number(body.slice(snapshotMark.length)));
    return `{"type":"messages-snapshot","messages":${messages}}`;
  }
}
