/**
 * `items` until `signal` aborts: then the item awaited is given up, the reason is thrown, and `return()` is called on
 * the source, whether or not it listens. `return()` reaches the source at once, even while an item is awaited.
 */
export function abortable<Item>(items: AsyncIterable<Item>, signal: AbortSignal): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => new AbortableItems(items[Symbol.asyncIterator](), signal) };
}

class AbortableItems<Item> implements AsyncIterator<Item> {
  private readonly source: AsyncIterator<Item>;
  private readonly signal: AbortSignal;
  private giveUp: ((reason: unknown) => void) | null = null;
  private readonly onAbort = () => {
    this.giveUp?.(this.signal.reason);
    this.leave().catch(() => undefined);
  };

  constructor(source: AsyncIterator<Item>, signal: AbortSignal) {
    this.source = source;
    this.signal = signal;
    if (signal.aborted) this.onAbort();
    else signal.addEventListener("abort", this.onAbort);
  }

  async next(): Promise<IteratorResult<Item>> {
    this.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Item>>();
    this.giveUp = reject;
    this.source.next().then(resolve, reject);
    const result = await promise;
    if (result.done === true) this.signal.removeEventListener("abort", this.onAbort);
    return result;
  }

  async return(): Promise<IteratorResult<Item>> {
    await this.leave();
    return { done: true, value: undefined };
  }

  private async leave(): Promise<void> {
    this.signal.removeEventListener("abort", this.onAbort);
    await this.source.return?.();
  }
}
