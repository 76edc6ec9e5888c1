import type { TableBrain } from "../brains/brain.ts";
import type { AgentHttpRequest } from "../protocol/messages.ts";
import { parseAgentHttpRequest } from "../protocol/parse-request.ts";
import { answerTableRequest } from "./answer-request.ts";
import { memoryPins } from "./memory-pins.ts";
import type { TableDeps } from "./table-deps.ts";
import { TableError } from "./table-error.ts";

const cannotHear = "There is no model here that transcribes a voice clip. Type the words instead.";

/**
 * A backend in this process, in the shape of `fetch`: for a page without a server, and for tests. Every address is the
 * same backend, and whoever holds the function is its one caller. Pins last as long as it does. `deps` replaces what it
 * answers with. Rejects as `fetch` does when the signal aborts; a fault of ours is a 500 and is told to `deps.report`.
 */
export function localBackend(brain: TableBrain, deps: Partial<TableDeps> = {}): typeof fetch {
  const all: TableDeps = {
    brain,
    pins: memoryPins(),
    transcribe: cannotHear,
    today: () => new Date().toISOString().slice(0, 10),
    mintSessionId: () => `sess_${crypto.randomUUID()}`,
    report: (error) => console.error(error),
    ...deps,
  };
  return async (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => {
    const request = new Request(input instanceof Request ? input : absolute(String(input)), init);
    request.signal.throwIfAborted();
    if (request.method !== "POST") return errorReply(405, "Send a POST.");
    const stream = (request.headers.get("accept") ?? "").includes("text/event-stream");
    try {
      const parsed = parse(await request.text());
      const answered = await answerTableRequest(parsed, all, { signal: request.signal, stream });
      request.signal.throwIfAborted();
      return answered.kind === "json" ? Response.json(answered.body) : streamed(answered.frames);
    } catch (error) {
      request.signal.throwIfAborted();
      if (error instanceof TableError) return errorReply(error.status, error.message);
      all.report(error);
      return errorReply(500, "Something went wrong on our side.");
    }
  };
}

/** A path alone is a whole address to a page and none to `Request` elsewhere. */
function absolute(address: string): string {
  return URL.canParse(address) ? address : new URL(address, "http://localhost").href;
}

function parse(text: string): AgentHttpRequest {
  try {
    return parseAgentHttpRequest(JSON.parse(text));
  } catch (error) {
    const message = error instanceof TypeError ? error.message : "The request body is not valid JSON.";
    throw new TableError(400, message, error);
  }
}

function errorReply(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

function streamed(frames: AsyncIterable<string>): Response {
  const encoder = new TextEncoder();
  const iterator = frames[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
