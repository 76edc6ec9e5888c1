import type { Timing } from "./timing.ts";

/** Watches the gaps of a stream. Only the time between `waiting` and `arrived` counts: a slow reader is no stall. */
export interface StallWatch {
  waiting(): void;
  arrived(): void;
  /** Ends the watch and its timer. */
  stop(): void;
}

/**
 * Calls `onStall` once when something was awaited for `stallMs` milliseconds and did not arrive. One timer serves the
 * whole stream, so a piece costs two assignments.
 */
export function watchForStall(stallMs: number, timing: Timing, onStall: () => void): StallWatch {
  const stopped = new AbortController();
  let since: number | null = null;
  const watch = async (): Promise<void> => {
    for (;;) {
      const left = since === null ? stallMs : since + stallMs - timing.now();
      if (left <= 0) return onStall();
      await timing.sleep(left, stopped.signal);
      if (stopped.signal.aborted) return;
    }
  };
  void watch();
  return {
    waiting() {
      since = timing.now();
    },
    arrived() {
      since = null;
    },
    stop() {
      stopped.abort();
    },
  };
}
