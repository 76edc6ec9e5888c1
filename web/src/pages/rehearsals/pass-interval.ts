/** 1.96: the normal quantile of a 95 % interval. */
const z = 1.959_963_985;

/**
 * A 95 % interval of a mean of shares over `n` tasks: Wilson's, with a task as the unit, because trials of one task are
 * alike. Shares vary less than the yes-or-no that Wilson assumes, so the interval is rather too wide than too narrow, and
 * it never shrinks to a point at 0 or 1. `n` of 0 gives the whole range.
 */
export function interval(mean: number, n: number): { low: number; high: number } {
  if (n <= 0) return { low: 0, high: 1 };
  const p = Math.min(1, Math.max(0, mean));
  const spread = z * z;
  const centre = (p + spread / (2 * n)) / (1 + spread / n);
  const half = (z / (1 + spread / n)) * Math.sqrt((p * (1 - p)) / n + spread / (4 * n * n));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
