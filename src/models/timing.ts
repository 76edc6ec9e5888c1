/** Time and chance, passed in so that tests decide both. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The real clock, real randomness and real timers. A pending sleep leaves nothing behind when its signal aborts. */
export function systemTiming(): Timing {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        signal.addEventListener("abort", wake);
      }),
  };
}
