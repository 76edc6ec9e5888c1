import type { JsonObject } from "../../../../../src/turn/index.ts";
import type { AguiEvent } from "../../../../../src/wires/agui/events.ts";
import { call } from "../../../api/client.ts";
import { eventsOf } from "../../../api/event-stream.ts";

/** One run as it is sent. The session knows what was said before: only what is new goes along. */
export interface RunRequest {
  agent: string;
  threadId: string;
  runId: string;
  messages: (
    | { id: string; role: "user"; content: string }
    | { id: string; role: "tool"; toolCallId: string; content: string }
  )[];
  tools: { name: string; description: string; parameters: JsonObject }[];
  /** What the user changed in the shared state. */
  state: JsonObject;
  resume: { interruptId: string; status: "resolved"; payload: JsonObject }[];
}

export interface RunListener {
  onEvent(event: AguiEvent): void;
  /** The place in the thread's events, for going on after it. */
  onPlace(id: string): void;
  /** The label of the model that answers. */
  onModel(label: string): void;
}

/**
 * Sends a run with the protocol's own client, which also checks that the events are what the protocol says. Resolves at
 * the stream's end or on abort; rejects with `ApiError`, `OfflineError`, or the client's complaint.
 *
 * The client applies events to messages of its own and forgets their ids, so the page keeps its own list: every event is
 * handed on and goes no further in it, and the ids are read off a second branch of the stream.
 */
export async function runAgent(
  request: RunRequest,
  listener: RunListener,
  signal: AbortSignal,
): Promise<void> {
  const { HttpAgent } = await import("./protocol-client.ts");
  signal.throwIfAborted();
  let cause: unknown = null;
  const agent = new HttpAgent({
    url: `/agui/v1/agents/${encodeURIComponent(request.agent)}`,
    threadId: request.threadId,
    initialMessages: request.messages,
    initialState: request.state,
    fetch: async (path, { body }) => {
      try {
        const response = await call(path, {
          body: JSON.parse(String(body)),
          headers: { accept: "text/event-stream" },
          signal,
        });
        const label = response.headers.get("x-greenroom-model");
        if (label !== null) listener.onModel(label);
        return withPlaces(response, listener);
      } catch (error) {
        cause = error;
        throw error;
      }
    },
  });
  try {
    await agent.runAgent(
      { runId: request.runId, tools: request.tools, resume: request.resume },
      {
        onEvent({ event }) {
          // Checked by the client against the protocol; this Worker sends what its own types say.
          listener.onEvent(event as AguiEvent);
          return { stopPropagation: true };
        },
      },
    );
  } catch (error) {
    if (!signal.aborted) throw cause ?? error;
  }
}

function withPlaces(response: Response, { onPlace }: RunListener): Response {
  if (response.body === null) return response;
  const [events, places] = response.body.tee();
  const { status, headers } = response;
  void readPlaces(new Response(places), onPlace);
  return new Response(events, { status, headers });
}

async function readPlaces(response: Response, onPlace: (id: string) => void): Promise<void> {
  try {
    for await (const { id } of eventsOf(response)) if (id !== null) onPlace(id);
  } catch {
    // The other branch breaks in the same way and says so.
  }
}
