import type { AguiEvent } from "../../../../../src/wires/agui/events.ts";
import { call } from "../../../api/client.ts";
import { eventsOf } from "../../../api/event-stream.ts";

/** A stream under way says something every few seconds; one silent for this long has broken, milliseconds. */
const silenceMs = 20_000;

/**
 * The events of a thread after a place, to the end of the run under way; at once over when none is. `place` is null on
 * what the stream itself adds when it breaks off. Rejects with `ApiError` (404: no such thread), `OfflineError`, or the
 * signal's reason.
 */
export async function followThread(
  { agent, threadId, after }: { agent: string; threadId: string; after: string },
  onEvent: (event: AguiEvent, place: string | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = `/agui/v1/agents/${encodeURIComponent(agent)}/threads/${encodeURIComponent(threadId)}/events`;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await call(path, {
      headers: { "last-event-id": after, accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    };
    for await (const { id, data } of eventsOf(response, alive)) onEvent(JSON.parse(data) as AguiEvent, id);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
