/** How long the code of a run may be silent before somebody looks after it, milliseconds. */
export const lookAfterMs = 5_000;

/** Longest time between two looks at a step that takes its time. */
const longestLookMs = 300_000;

/** Longest time between two wake-ups of an engine that does not answer. */
const longestWakeMs = 600_000;

/** A run that waits and whose code says nothing after being woken this often has nothing to say. */
const enoughWakes = 3;

export type Recovery =
  /** Nothing to do until something happens. */
  | { kind: "rest" }
  /** Look again then. */
  | { kind: "look"; at: number }
  /** Wake the engine, and look again then. */
  | { kind: "wake"; at: number };

/**
 * What to do for a run that goes on. `heardAt` and `pokedAt`: when its code was last heard of and when the engine was
 * last told something, in this life of the run's object; `null`, not in it: then the runtime may have been killed, and an
 * engine that forgot the run must be woken. `waiting`: its code has nothing to do, as far as is written down. `wakes`:
 * times the engine was woken since the code was last heard of.
 */
export function recovery({
  now,
  heardAt,
  pokedAt,
  waiting,
  wakes,
}: {
  now: number;
  heardAt: number | null;
  pokedAt: number | null;
  waiting: boolean;
  wakes: number;
}): Recovery {
  if (heardAt !== null && heardAt >= (pokedAt ?? 0)) {
    const silent = now - heardAt;
    if (silent < lookAfterMs) return { kind: "look", at: heardAt + lookAfterMs };
    if (waiting) return { kind: "rest" };
    return { kind: "look", at: now + Math.min(Math.max(silent, lookAfterMs), longestLookMs) };
  }
  if (pokedAt !== null && now - pokedAt < lookAfterMs) return { kind: "look", at: pokedAt + lookAfterMs };
  if (waiting && wakes >= enoughWakes) return { kind: "rest" };
  return { kind: "wake", at: now + Math.min(lookAfterMs * 3 ** wakes, longestWakeMs) };
}
