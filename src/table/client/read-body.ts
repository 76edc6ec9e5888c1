import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import { AgentHttpError } from "./errors.ts";
import { raced } from "./raced.ts";

/**
 * A body's text in pieces as they come, at most `AGENT_HTTP_LIMITS.maxResponseBytes` in all: more is refused with
 * `payload-too-large`. Characters cut between pieces come out whole. The body is given up when the reader stops early
 * or `signal` is aborted.
 */
export async function* readPieces(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await raced(reader.read(), signal);
      if (done) break;
      bytes += value.byteLength;
      if (bytes > AGENT_HTTP_LIMITS.maxResponseBytes)
        throw new AgentHttpError(
          "payload-too-large",
          `The reply is larger than ${AGENT_HTTP_LIMITS.maxResponseBytes} bytes; nothing of it was run.`,
        );
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Frees the connection of a body left unread; one that has ended or failed has nothing to cancel.
    reader.cancel().catch(() => undefined);
  }
}
