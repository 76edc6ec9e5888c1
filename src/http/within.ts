/** `work`, unless it takes longer than `ms` milliseconds: then it goes on unwatched, and `late()` is thrown. */
export async function within<Value>(ms: number, work: Promise<Value>, late: () => Error): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
