import { createParser } from "eventsource-parser";
import { type CallOptions, call } from "./client.ts";
import { ApiError } from "./errors.ts";
import { pause } from "./pause.ts";

/** A live stream says something every few seconds; one silent for this long is taken up again, milliseconds. */
const silenceMs = 15_000;
/** Pauses before the stream is asked for again after it broke, milliseconds; the last one repeats. */
const pausesMs = [200, 500, 1_000, 2_000, 5_000];

export interface StreamEvent {
  /** The place in the stream, for `Last-Event-ID`; null when the stream counts nothing. */
  id: string | null;
  event: string;
  data: string;
}

export type StreamState = "connecting" | "live" | "broken";

export interface FollowOptions {
  /** Where to go on after, as an earlier event said. */
  after?: string;
  /** Returns true for the event that ends the stream for good. */
  onEvent: (event: StreamEvent) => boolean | undefined;
  onState?: (state: StreamState) => void;
  signal: AbortSignal;
}

/**
 * Follows a stream of server-sent events until the event that ends it, over as many connections as it takes: each goes
 * on after the last event seen. Rejects with `ApiError` when the Worker refuses, and with the signal's reason on abort.
 */
export async function followStream(path: string, options: FollowOptions): Promise<void> {
  const { onEvent, onState, signal } = options;
  let last = options.after ?? null;
  for (let failures = 0; ; ) {
    onState?.(failures === 0 ? "connecting" : "broken");
    try {
      const ended = await readStream(path, last === null ? {} : { "last-event-id": last }, signal, {
        onOpen: () => onState?.("live"),
        onEvent(event) {
          failures = 0;
          if (event.id !== null) last = event.id;
          return onEvent(event);
        },
      });
      if (ended) return;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiError && error.status < 500) throw error;
    }
    onState?.("broken");
    await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 1_000, signal);
    failures += 1;
  }
}

/** One connection, read to its end, to its ending event (true) or until it was silent for too long. */
async function readStream(
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  on: { onOpen: () => void; onEvent: (event: StreamEvent) => boolean | undefined },
): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  const options: CallOptions = { headers, signal: AbortSignal.any([signal, silence.signal]) };
  try {
    const response = await call(path, options);
    on.onOpen();
    for await (const event of eventsOf(response, () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    })) {
      if (on.onEvent(event) === true) return true;
    }
    return false;
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) return false;
    throw error;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** The events of one reply as they come. `onBytes` is told of every sign of life, comments included. */
export async function* eventsOf(response: Response, onBytes?: () => void): AsyncGenerator<StreamEvent> {
  if (response.body === null) return;
  const ready: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => ready.push({ id: id ?? null, event: event ?? "message", data }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes?.();
      parser.feed(value);
      yield* ready.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
