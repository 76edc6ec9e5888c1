/**
 * Hands what a producer pushes to one consumer, everything that is ready at once. A consumer that stops early is told
 * to the producer by `onLeave`.
 */
export class EventQueue<T> implements AsyncIterable<T[]> {
  private ready: T[] = [];
  private ended = false;
  private left = false;
  private wake: (() => void) | null = null;
  private readonly onLeave: () => void;

  constructor(onLeave: () => void) {
    this.onLeave = onLeave;
  }

  push(item: T): void {
    this.ready.push(item);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<T[]> {
    return { next: () => this.next(), return: () => this.leave() };
  }

  private async next(): Promise<IteratorResult<T[]>> {
    if (this.ready.length === 0 && !this.ended && !this.left) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = null;
      // Whatever else comes within this macrotask goes along: a chunk costs more than the text in it.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const value = this.ready;
    this.ready = [];
    return value.length > 0 && !this.left ? { done: false, value } : { done: true, value: undefined };
  }

  /** Not a generator's `return`, which would wait for the item that is awaited. */
  private async leave(): Promise<IteratorResult<T[]>> {
    if (!this.left && !(this.ended && this.ready.length === 0)) {
      this.left = true;
      this.wake?.();
      this.onLeave();
    }
    return { done: true, value: undefined };
  }
}
