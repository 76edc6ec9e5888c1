/** Deepest nesting accepted: far above any real request, far below what overflows a recursive walk. */
export const maxJsonDepth = 100;
/** Most values accepted in one text: bounds the memory that many tiny values take, whatever the byte limit is. */
export const maxJsonValues = 2_000_000;

/**
 * Which limit `text` goes beyond, `null` when none. Looks at brackets, commas and strings only, so that a text too
 * costly to parse is refused before it is parsed; whether it is JSON at all is not judged here.
 */
export function exceededJsonLimit(text: string): "depth" | "values" | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = closingQuote(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth++;
        values++;
        if (depth > maxJsonDepth) return "depth";
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        values++;
        break;
    }
    if (values > maxJsonValues) return "values";
  }
  return null;
}

/** Offset of the quote that closes the string opened at `open`, or the end of the text. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
