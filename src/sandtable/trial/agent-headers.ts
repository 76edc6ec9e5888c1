/** What the connection itself decides; one set by hand would be dropped by the platform, or would break the request. */
const ofTheConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Why a header cannot go on the requests to an agent, in words that follow its name in a sentence, or null when it can.
 * The value is never quoted: it may be a secret.
 */
export function headerProblem(name: string, value: string): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return "is not a header name";
  if (ofTheConnection.has(name.toLowerCase())) return "is set by the connection and cannot be given";
  // A header carries text without line breaks and NUL.
  return /[\0\r\n]/.test(value) ? "has a value with a line break or a NUL in it" : null;
}

/** An agent's headers with the content type that the step protocol names, whatever an agent's own says. */
export function stepHeaders(own: Record<string, string>): Record<string, string> {
  const others = Object.entries(own).filter(([name]) => name.toLowerCase() !== "content-type");
  return { ...Object.fromEntries(others), "content-type": "application/json" };
}
