/** First wait before a retry, in milliseconds; it doubles with each. */
const firstDelayMs = 1_000;

/** Longest wait before a retry, in milliseconds, whatever the provider asks for: a caller is waiting. */
const longestDelayMs = 30_000;

/**
 * Milliseconds to wait before retry number `retry` (from 1): what the provider asked for, else a random part of a
 * doubling ceiling ("full jitter"), so that many trials that failed together do not come back together.
 */
export function retryDelay(retry: number, askedMs: number | null, random: () => number): number {
  if (askedMs !== null) return Math.min(askedMs, longestDelayMs);
  return Math.floor(random() * Math.min(firstDelayMs * 2 ** (retry - 1), longestDelayMs));
}

/** Reads `retry-after-ms` and `retry-after` (seconds or a date) into milliseconds from `now`; `null` when unreadable. */
export function retryAfter(headers: Record<string, string>, now: number): number | null {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (ms >= 0) return ms;
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number.parseFloat(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
