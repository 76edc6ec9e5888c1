/** Runs pieces of work one after the other, in the order they came. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all before it has ended, well or not; what it throws goes to its own caller. */
  next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    // The next one waits for the end alone: what was thrown is for whoever awaits `result`.
    this.last = result.catch(() => undefined);
    return result;
  }
}
