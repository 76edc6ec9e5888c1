/** An idle stream's heartbeat: it keeps proxies from closing it, and a write is what notices a client that left. */
const heartbeatMs = 5_000;

/** Events sent as one chunk at most, so that a long history is read as the client takes it. */
const batchSize = 100;

export interface StoredEvent {
  seq: number;
  body: string;
}

/**
 * Server-sent event streams over a stored, numbered list of events. A stream reads the list at its client's pace, so
 * a slow client costs no memory and one that reconnects with the last number it saw misses nothing.
 */
export class EventFeed {
  private readonly stored: (after: number, limit: number) => StoredEvent[];
  /** Whether no further event will come. */
  private readonly ended: () => boolean;
  private readonly streams = new Set<() => void>();

  constructor(stored: (after: number, limit: number) => StoredEvent[], ended: () => boolean) {
    this.stored = stored;
    this.ended = ended;
  }

  /** Tells the open streams that the list, or its end, has changed. */
  wake(): void {
    for (const send of [...this.streams]) send();
  }

  /** A stream of the events after a number; it closes after the last one. */
  open(after: number): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let last = after;
    let heartbeat: ReturnType<typeof setInterval> | null = null;
    let send: () => void = () => undefined;
    const leave = () => {
      clearInterval(heartbeat);
      this.streams.delete(send);
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = () => {
          while ((controller.desiredSize ?? 0) > 0) {
            const events = this.stored(last, batchSize);
            const end = events.at(-1);
            if (end === undefined) {
              if (!this.ended()) return;
              leave();
              return controller.close();
            }
            last = end.seq;
            controller.enqueue(
              encoder.encode(events.map((e) => `id: ${e.seq}\ndata: ${e.body}\n\n`).join("")),
            );
          }
        };
        heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": still here\n\n"));
        }, heartbeatMs);
        this.streams.add(send);
      },
      pull: () => send(),
      cancel: leave,
    });
  }
}
