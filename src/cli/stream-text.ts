import { raced } from "../table/client/raced.ts";

/**
 * The text of a reply's body, piece by piece. Ends at once, throwing the signal's reason, when `signal` is aborted: a
 * body of Node's `fetch` that is aborted between the arrival of its last bytes and the reading of them never says
 * another word, so the signal given to `fetch` is not enough.
 */
export async function* streamText(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await raced(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Nobody waits for it: what broke has been thrown.
    void reader.cancel().catch(() => undefined);
  }
}
