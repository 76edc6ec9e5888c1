/** Waits between the attempts, milliseconds: some six seconds altogether. */
const delaysMs = [50, 200, 800, 1_600, 3_200];

/** Does something that may be done twice, again when it fails: what crosses between objects can be cut. Throws the last failure. */
export async function reliably<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const delay of delaysMs) {
    try {
      return await work();
    } catch {
      // Told if it stays so: the last attempt throws.
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return work();
}
