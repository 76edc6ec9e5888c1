import type { Timing } from "./timing.ts";

/** Watches the gaps of a stream. Only the time between `waiting` and `arrived` counts: a slow reader is no stall. */
export interface StallWatch {
  waiting(): void;
  arrived(): void;
}

/**
 * Calls `onStall` once when something was awaited for `stallMs` milliseconds and did not arrive. One timer serves the
 * whole stream, so a piece costs two assignments. The watch and its timer end with `signal`.
 */
export function watchForStall(
  stallMs: number,
  timing: Timing,
  signal: AbortSignal,
  onStall: () => void,
): StallWatch {
  let since: number | null = null;
  const watch = async (): Promise<void> => {
    for (;;) {
      const left = since === null ? stallMs : since + stallMs - timing.now();
      if (left <= 0) return onStall();
      await timing.sleep(left, signal);
      if (signal.aborted) return;
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
  };
}
