/**
 * The id of a request: the caller's own `x-request-id` when it is 1 to 128 letters, digits, `.`, `_`, `:` or `-`, so
 * that it is safe in a header and a log line; otherwise what `random` gives.
 */
export function requestId(headers: Headers, random: () => string): string {
  const given = headers.get("x-request-id");
  return given !== null && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : random();
}
