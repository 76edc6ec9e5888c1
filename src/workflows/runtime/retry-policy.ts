/** Attempts of a step after the first, unless the step says otherwise. */
export const defaultMaxRetries = 3;

/** Delay before the second attempt, milliseconds; each further one is twice as long. */
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/** A step the runtime dies in again and again may be what kills it. */
const maxLost = 20;

/**
 * Whether a step is tried again, given how many attempts failed and how many were under way when the runtime stopped.
 * Those do not count as failures; but a step that is not to be tried again (`maxRetries` 0) is not tried after them
 * either, so that it runs at most once.
 */
export function triesAgain(
  { maxRetries, failed, lost }: { maxRetries: number; failed: number; lost: number },
  last: "failed" | "lost",
): boolean {
  if (last === "lost") return maxRetries > 0 && lost <= maxLost;
  return failed <= maxRetries;
}

/** Milliseconds before the attempt that follows this many failed ones. */
export function retryDelayMs(failed: number): number {
  return Math.min(firstDelayMs * 2 ** Math.max(failed - 1, 0), longestDelayMs);
}
