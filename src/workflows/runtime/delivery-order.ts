/** A gap that an operation under way could still fill is waited for this long. */
const gapMs = 5_000;

/**
 * Lets the code of a run learn of results in the order they came, in every playing alike: otherwise two branches that
 * go on after `Promise.all` could change places when the code is played again, and with them the names of what they do.
 * Between two results the code runs until it waits again.
 */
export class DeliveryOrder {
  private next = 0;
  /** Operations under way whose place is not known yet. */
  private open = 0;
  private resting = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly ready = new Map<number, () => void>();

  /** Does an operation and hands out its result when its turn has come. An operation that throws has no turn. */
  async deliver<Result extends { order: number }>(operation: () => Promise<Result>): Promise<Result> {
    this.open += 1;
    const result = await operation().catch((error: unknown) => {
      this.open -= 1;
      this.pump();
      throw error;
    });
    await new Promise<void>((resolve) => {
      this.open -= 1;
      this.ready.set(result.order, resolve);
      this.pump();
    });
    return result;
  }

  private pump(): void {
    if (this.resting) return;
    const [first] = [...this.ready.keys()].sort((a, b) => a - b);
    if (first === undefined) return;
    // What is missing in between is still under way; or it is gone: the code was changed since and asks for it no more.
    if (first > this.next && this.open > 0) {
      this.timer ??= setTimeout(() => {
        this.timer = null;
        this.release(Math.min(...this.ready.keys()));
      }, gapMs);
      return;
    }
    this.release(first);
  }

  private release(order: number): void {
    const resolve = this.ready.get(order);
    if (resolve === undefined) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.ready.delete(order);
    this.next = Math.max(this.next, order + 1);
    this.resting = true;
    setTimeout(() => {
      this.resting = false;
      this.pump();
    }, 0);
    resolve();
  }
}
