/**
 * `value` as JSON on one line, also for readers that take U+0085, U+2028 and U+2029 for the end of one, as Python's
 * `splitlines` does.
 */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, (end) =>
    end === "\u0085" ? "\\u0085" : end === "\u2028" ? "\\u2028" : "\\u2029",
  );
}
