import type { TurnEvent } from "../turn/index.ts";

/** Writes the events of one turn as one wire's frames. Made for one reply: it remembers what it wrote. */
export interface TurnEncoder {
  /** The frames of an event: whole ones, none ("") for what the wire does not show. Any batching gives the same bytes. */
  encode(event: TurnEvent): string;
  /** The frames that end a stream whose turn broke off without `turn-end`. */
  breakOff(): string;
}

/**
 * The frames of a turn, a string a batch. Always comes to a terminal frame: when the events end or throw before
 * `turn-end`, that is what `breakOff` says, and `onError` is told what was thrown. `return()` reaches the turn at once,
 * even while its next event is awaited.
 */
export function turnFrames(
  events: AsyncIterable<TurnEvent[]>,
  encoder: TurnEncoder,
  onError: (thrown: unknown) => void,
): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      const source = events[Symbol.asyncIterator]();
      let ended = false;
      const leave = async (): Promise<IteratorResult<string>> => {
        ended = true;
        await source.return?.();
        return { done: true, value: undefined };
      };
      return {
        async next(): Promise<IteratorResult<string>> {
          if (ended) return leave();
          try {
            const { done, value: batch } = await source.next();
            if (ended) return { done: true, value: undefined };
            if (done === true) {
              ended = true;
              return { done: false, value: encoder.breakOff() };
            }
            ended = batch.some(({ type }) => type === "turn-end");
            return { done: false, value: batch.map((event) => encoder.encode(event)).join("") };
          } catch (thrown) {
            if (ended) return { done: true, value: undefined };
            ended = true;
            onError(thrown);
            return { done: false, value: encoder.breakOff() };
          }
        },
        return: leave,
      };
    },
  };
}
