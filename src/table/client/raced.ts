/**
 * What `promise` comes to, or the reason of `signal` as soon as it is aborted, whichever is first: a `fetch` or a host's
 * function that does not look at its signal must not hold up the one that waits.
 */
export function raced<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
