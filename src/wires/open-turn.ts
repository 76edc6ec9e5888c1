import type { TurnEvent, TurnFailure } from "../turn/index.ts";
import type { AnsweredBy } from "./collect-turn.ts";
import { brokenOff, failureOf } from "./turn-failure.ts";

export type OpenedTurn =
  /** `events` begins with the first event of the turn. */
  | { ok: true; answeredBy: AnsweredBy | null; events: AsyncIterable<TurnEvent[]> }
  /** It came to nothing before anything was to be told. */
  | { ok: false; answeredBy: AnsweredBy | null; failure: TurnFailure };

/** Events after which a turn can still fail as if it had not begun. */
const silent: ReadonlySet<TurnEvent["type"]> = new Set([
  "turn-start",
  "messages-snapshot",
  "state-snapshot",
  "state-delta",
  "text-start",
  "reasoning-start",
  "usage",
]);

/**
 * Waits until a turn has something to tell, so that one that fails at once can be told by a status instead of in a
 * stream that began well: for its first event as long as it takes, and then for at most `holdMs`, because a client that
 * hears nothing cannot be noticed leaving. Throws what the events throw.
 */
export async function openTurn(events: AsyncIterable<TurnEvent[]>, holdMs: number): Promise<OpenedTurn> {
  const source = events[Symbol.asyncIterator]();
  const held: TurnEvent[][] = [];
  let answeredBy: AnsweredBy | null = null;
  let pending: Promise<IteratorResult<TurnEvent[]>> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { promise: late, resolve: expire } = Promise.withResolvers<"late">();
  try {
    for (;;) {
      pending = source.next();
      const next = await Promise.race([pending, late]);
      if (next === "late") break;
      pending = null;
      if (next.done === true) return { ok: false, answeredBy, failure: brokenOff };
      held.push(next.value);
      for (const event of next.value) {
        if (event.type === "turn-start") {
          const { model, scripted } = event;
          answeredBy = { model, scripted };
        }
      }
      const loud = next.value.find(({ type }) => !silent.has(type));
      if (loud !== undefined) {
        const failure = loud.type === "turn-end" ? failureOf(loud.outcome) : null;
        if (failure !== null) return { ok: false, answeredBy, failure };
        break;
      }
      timer ??= setTimeout(() => expire("late"), holdMs);
    }
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
  return { ok: true, answeredBy, events: resumed(held, pending, source) };
}

/** The events that were held, then the one that is awaited, then the rest. `return()` reaches the source at once. */
function resumed(
  held: TurnEvent[][],
  pending: Promise<IteratorResult<TurnEvent[]>> | null,
  source: AsyncIterator<TurnEvent[]>,
): AsyncIterable<TurnEvent[]> {
  let awaited = pending;
  return {
    [Symbol.asyncIterator]: () => ({
      next(): Promise<IteratorResult<TurnEvent[]>> {
        const value = held.shift();
        if (value !== undefined) return Promise.resolve({ done: false, value });
        const next = awaited ?? source.next();
        awaited = null;
        return next;
      },
      async return(): Promise<IteratorResult<TurnEvent[]>> {
        await source.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
