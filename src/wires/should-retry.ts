/**
 * Whether a reply is left to the client's own habit of retrying. The vendors' clients send a request again after 408,
 * 409, 429 and every 5xx unless `x-should-retry: false` forbids it; `mayHelp` says whether the same request could
 * succeed and does no harm twice. Other statuses are not retried anyway.
 */
export function isWorthRetrying(status: number, mayHelp: boolean): boolean {
  const retried = status === 408 || status === 409 || status === 429 || status >= 500;
  return !retried || mayHelp;
}
