import { within } from "./within.ts";

/** A body sent to its end within these bounds is taken in; beyond them the connection is simply closed. */
const discardBytes = 67_108_864;
const discardMs = 5_000;

/**
 * Reads the rest of a refused body and throws it away, so that a caller who is still sending gets to see the reply
 * rather than a broken connection. Up to 64 MiB or five seconds, then cancels. Never fails.
 */
export async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    await within(discardMs, readAway(reader), () => new Error("still sending"));
    await reader.cancel();
  } catch {
    // Too slow, or gone: nothing is owed to this caller but the reply, and that is on its way.
    await reader.cancel().catch(() => undefined);
  }
}

async function readAway(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let left = discardBytes;
  while (left > 0) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.byteLength;
  }
}
