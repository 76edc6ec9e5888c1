/** Longest text kept in one row: SQLite in a Durable Object, and D1, hold 2 MB a row, and a character can be 3 bytes. */
const chunkLength = 500_000;

/** Cuts a text into pieces that fit a row each. Never empty. */
export function chunkText(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length || chunks.length === 0; ) {
    let end = Math.min(at + chunkLength, text.length);
    // A row is UTF-8, where half a surrogate pair would be lost.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
