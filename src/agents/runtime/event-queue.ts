/**
 * Hands what a producer pushes to one consumer, everything that is ready at once. A consumer that stops early is told
 * to the producer by `onLeave`.
 */
export class EventQueue<T> implements AsyncIterable<T[]> {
  private ready: T[] = [];
  private ended = false;
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

  async *[Symbol.asyncIterator](): AsyncIterator<T[]> {
    let finished = false;
    try {
      for (;;) {
        if (this.ready.length === 0 && !this.ended) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
          this.wake = null;
          // Whatever else comes within this macrotask goes along: a chunk costs more than the text in it.
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
        const batch = this.ready;
        this.ready = [];
        if (batch.length > 0) yield batch;
        else if (this.ended) {
          finished = true;
          return;
        }
      }
    } finally {
      if (!finished) this.onLeave();
    }
  }
}
