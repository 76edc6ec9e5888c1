/** Most that is gathered before it is handed over, bytes. */
const maxGathered = 65_536;

/**
 * The same bytes in fewer chunks: what arrives within `gapMs` milliseconds of the last chunk is handed over with it
 * when that time is over, so that there are never more than `1000 / gapMs` chunks a second. The first chunk, and one
 * after a longer silence, goes on at once, and so does what there is when the body ends or fails. Everything a model
 * says passes many hands, each of which takes as much for a short piece as for a long one.
 */
export function pacedBody(body: ReadableStream<Uint8Array>, gapMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let pending: ReturnType<typeof reader.read> | null = null;
  let handedAt = Number.NEGATIVE_INFINITY;
  let left = false;

  /** What there is to hand over next, and whether it is the last. Throws only with nothing in hand. */
  async function gather(): Promise<{ pieces: Uint8Array[]; last: boolean }> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let rest: { over: Promise<null>; stop(): void } | null = null;
    try {
      for (;;) {
        pending ??= reader.read();
        const next = await (rest === null ? pending : Promise.race([pending, rest.over]));
        if (next === null) return { pieces, last: false };
        pending = null;
        if (next.done) return { pieces, last: true };
        pieces.push(next.value);
        size += next.value.byteLength;
        const wait = handedAt + gapMs - Date.now();
        if (wait <= 0 || size >= maxGathered) return { pieces, last: false };
        rest ??= restOf(wait);
      }
    } catch (error) {
      // It is thrown again by the next reading.
      if (pieces.length > 0) return { pieces, last: false };
      throw error;
    } finally {
      rest?.stop();
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { pieces, last } = await gather();
        if (left) return;
        handedAt = Date.now();
        if (pieces.length > 0) controller.enqueue(joined(pieces));
        if (last) controller.close();
      },
      cancel(reason) {
        left = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function restOf(ms: number): { over: Promise<null>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  return { over: promise, stop: () => clearTimeout(timer) };
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((size, { byteLength }) => size + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
