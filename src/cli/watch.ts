import { createParser } from "eventsource-parser";
import type { RehearsalEvent } from "../sandtable/rehearsal/events.ts";
import { type ApiClient, Unreachable } from "./api-client.ts";
import { streamText } from "./stream-text.ts";

/** Longest line of an event stream, in characters: an event is a few hundred. */
const maxEventChars = 1_000_000;

/** A stream says something at least every five seconds; one that says nothing for this long is dead, whoever holds it open. */
const silenceMs = 20_000;

export interface WatchOptions {
  api: ApiClient;
  runId: string;
  onEvent: (event: RehearsalEvent) => void;
  /** Stops watching; `watch` then throws the signal's reason. */
  signal: AbortSignal;
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  sleep: (ms: number) => Promise<void>;
  /** Attempts in a row without a single event before giving up. */
  attempts?: number;
}

/**
 * Follows a rehearsal to its end, telling each event once and in order. A stream that breaks is taken up again after
 * the last event seen, waiting longer each time; throws `Unreachable` when that did not help, and whatever else the
 * endpoint refuses with at once. A stream that ends although the rehearsal does not counts as broken.
 */
export async function watch(options: WatchOptions): Promise<void> {
  const { api, runId, signal, sleep, attempts = 8 } = options;
  let lastEventId: string | null = null;
  let failures = 0;
  for (;;) {
    let ended = false;
    let failure: unknown;
    const silence = new AbortController();
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new Unreachable("the event stream fell silent")), silenceMs);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      heard();
      const either = AbortSignal.any([signal, silence.signal]);
      const response = await api.events(runId, lastEventId, either);
      const parser = createParser({
        maxBufferSize: maxEventChars,
        onEvent: ({ id, data }) => {
          const event = JSON.parse(data) as RehearsalEvent;
          if (id !== undefined) lastEventId = id;
          failures = 0;
          options.onEvent(event);
          if (event.type === "ended") ended = true;
        },
      });
      for await (const text of streamText(response, either)) {
        heard();
        parser.feed(text);
        if (ended) return;
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!silence.signal.aborted && !isBrokenStream(error)) throw error;
      failure = error;
    } finally {
      clearTimeout(timer);
    }
    failures += 1;
    if (failures > attempts) {
      if (failure === undefined && (await api.status(runId)).status !== "running") return;
      throw failure instanceof Unreachable
        ? failure
        : new Unreachable("the connection to the rehearsal was lost");
    }
    await sleep(Math.min(200 * 2 ** (failures - 1), 5_000));
    signal.throwIfAborted();
  }
}

/** Undici reports a connection that breaks while a body is read as a `TypeError` ("terminated"). */
function isBrokenStream(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof TypeError;
}
