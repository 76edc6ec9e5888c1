/**
 * Headers of every API reply that the handler did not choose itself: nothing is cached, sniffed, framed or run, and
 * no address leaks through a referrer. A handler that answers with a page sets its own policy.
 */
const standardHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Adds the standard headers where `headers` does not have them. */
export function addStandardHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(standardHeaders)) {
    if (!headers.has(name)) headers.set(name, value);
  }
}
