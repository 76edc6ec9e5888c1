/** An idle stream's heartbeat: it keeps proxies from closing it, and a write is what notices a client that left. */
const heartbeatMs = 5_000;

/** Events sent as one chunk at most, so that a long history is read as the client takes it. */
const batchSize = 100;

export interface StoredEvent {
  seq: number;
  /** JSON. */
  body: string;
}

/** How events look on the stream; what `heartbeat` writes means nothing to a reader. */
export interface FeedFormat {
  encode(event: StoredEvent): string;
  heartbeat: string;
}

/** Server-sent events, with the number as `id`. */
const sseFormat: FeedFormat = {
  encode: ({ seq, body }) => `id: ${seq}\ndata: ${body}\n\n`,
  heartbeat: ": still here\n\n",
};

/** A line an event: number, space, JSON. */
export const lineFormat: FeedFormat = { encode: ({ seq, body }) => `${seq} ${body}\n`, heartbeat: "\n" };

/**
 * Streams over a stored, numbered list of events. A stream reads the list at its client's pace, so
 * a slow client costs no memory and one that reconnects with the last number it saw misses nothing.
 */
export class EventFeed {
  private readonly stored: (after: number, limit: number) => StoredEvent[];
  /** Whether no further event will come. */
  private readonly ended: () => boolean;
  private readonly format: FeedFormat;
  private readonly streams = new Set<() => void>();

  constructor(
    stored: (after: number, limit: number) => StoredEvent[],
    ended: () => boolean,
    format: FeedFormat = sseFormat,
  ) {
    this.stored = stored;
    this.ended = ended;
    this.format = format;
  }

  /** Whether a stream is open. */
  get isWatched(): boolean {
    return this.streams.size > 0;
  }

  /** Tells the open streams that the list, or its end, has changed. */
  wake(): void {
    for (const send of [...this.streams]) send();
  }

  /** A stream of the events after a number and before another; it closes after the last one. */
  open(after: number, before = Number.POSITIVE_INFINITY): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let last = after;
    let stopHeartbeat: () => void = () => undefined;
    let send: () => void = () => undefined;
    const leave = () => {
      stopHeartbeat();
      this.streams.delete(send);
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = () => {
          while ((controller.desiredSize ?? 0) > 0) {
            const stored = this.stored(last, batchSize);
            const events = stored.filter(({ seq }) => seq < before);
            const end = events.at(-1);
            if (end === undefined) {
              if (stored.length === 0 && !this.ended()) return;
              leave();
              return controller.close();
            }
            last = end.seq;
            controller.enqueue(encoder.encode(events.map(this.format.encode).join("")));
          }
        };
        const heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(this.format.heartbeat));
        }, heartbeatMs);
        stopHeartbeat = () => clearInterval(heartbeat);
        this.streams.add(send);
      },
      pull: () => send(),
      cancel: leave,
    });
  }
}
