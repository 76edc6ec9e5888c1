import type { TurnEvent } from "../src/turn/index.ts";
import { EventFeed, lineFormat, type StoredEvent } from "./event-feed.ts";
import { SessionStorage } from "./session-storage.ts";

/**
 * The events of a session's turns as its watchers see them: those of the turn under way in memory, older ones in
 * storage. Numbers only rise, across restarts too. What is emitted within one macrotask goes out as one chunk, since a
 * chunk costs far more than the text in it.
 */
export class TurnLog {
  private readonly storage: SessionStorage;
  private readonly feed: EventFeed;
  private epoch = 0;
  /** Number of the first event in `live`. */
  private first = 0;
  private live: { event: TurnEvent; body: string }[] = [];
  private running = false;
  private waking = false;

  constructor(storage: SessionStorage) {
    this.storage = storage;
    this.feed = new EventFeed(
      (after, limit) => this.after(after, limit),
      () => !this.running,
      lineFormat,
    );
  }

  /** A turn begins, or goes on after a restart, in an epoch of its own. */
  begin(epoch: number): void {
    this.epoch = epoch;
    this.first = SessionStorage.firstSeq(epoch);
    this.live = [];
    this.running = true;
  }

  emit(event: TurnEvent): void {
    this.live.push({ event, body: JSON.stringify(event) });
    if (this.waking) return;
    this.waking = true;
    setTimeout(() => {
      this.waking = false;
      this.feed.wake();
    }, 0);
  }

  /** Stores the turn's events; what comes after this needs another `begin`. */
  end(): void {
    this.storage.putEvents(
      this.epoch,
      this.first,
      this.live.map(({ event }) => event),
    );
    this.running = false;
    setTimeout(() => this.feed.wake(), 0);
  }

  /** The events of one turn, from its first. */
  openTurn(epoch: number): ReadableStream<Uint8Array> {
    return this.feed.open(SessionStorage.firstSeq(epoch) - 1, SessionStorage.firstSeq(epoch + 1));
  }

  /** All events after a number, to the end of the turn under way. */
  openAfter(after: number): ReadableStream<Uint8Array> {
    return this.feed.open(after);
  }

  private after(after: number, limit: number): StoredEvent[] {
    if (after < this.first - 1 || this.live.length === 0) {
      const stored = this.storage.eventsAfter(after).filter(({ seq }) => !this.running || seq < this.first);
      if (stored.length > 0) {
        return stored.slice(0, limit).map(({ seq, event }) => ({ seq, body: JSON.stringify(event) }));
      }
    }
    const from = Math.max(0, after - this.first + 1);
    return this.live.slice(from, from + limit).map(({ body }, at) => ({ seq: this.first + from + at, body }));
  }
}
