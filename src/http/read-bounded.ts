/**
 * The first `maxBytes` of a reply's body as text, and whether there was more. What follows the limit is cancelled,
 * not read. Bytes that are not UTF-8 become replacement characters; a character cut by the limit is left out. Fails
 * as the body fails.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ text: string; truncated: boolean }> {
  if (body === null) return { text: "", truncated: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let left = maxBytes;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      pieces.push(decoder.decode());
      return { text: pieces.join(""), truncated: false };
    }
    pieces.push(decoder.decode(value.subarray(0, left), { stream: true }));
    left -= value.byteLength;
    if (left < 0) {
      await reader.cancel();
      return { text: pieces.join(""), truncated: true };
    }
  }
}
