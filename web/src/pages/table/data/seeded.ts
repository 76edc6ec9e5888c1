/** A source of numbers that is the same for the same seed, in every browser. */
export interface Seeded {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** True once in `of` times, about. */
  once(of: number): boolean;
  /** A day of the last `years`, as `YYYY-MM-DD`. */
  day(years: number): string;
}

/** Mulberry32: 32 bits of state, good enough to look like people. Days are told from `today`, so that none is to come. */
export function seeded(seed: number, today: string): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
    once: (of) => next() * of < 1,
    day: (years) => dayAfter(Date.parse(today), -between(0, years * 365)),
  };
}

/** The day that is `days` after a time (UTC milliseconds), as `YYYY-MM-DD`. */
export function dayAfter(time: number, days: number): string {
  return new Date(time + days * 86_400_000).toISOString().slice(0, 10);
}
