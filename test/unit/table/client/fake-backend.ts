import {
  type AgentHttpClient,
  type AgentHttpClientOptions,
  createAgentHttpClient,
} from "../../../../src/table/client/client.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";

/** What a scripted backend answers: an object is a reply of the family, a text a body as it is. */
export type Scripted =
  | JsonObject
  | string
  | Response
  | Error
  | ((request: Sent) => Scripted | Promise<Scripted>);

interface Sent {
  body: JsonObject;
  headers: Headers;
  signal: AbortSignal;
}

export interface FakeBackend {
  client: AgentHttpClient;
  /** Requests as they were sent. */
  sent: Sent[];
  /** Bodies of the turns that were sent. */
  turns(): JsonObject[];
  kinds(): unknown[];
}

/** A client whose requests are answered by `script` in order; a request beyond it fails the test. */
export function backend(script: Scripted[], options: Partial<AgentHttpClientOptions> = {}): FakeBackend {
  const sent: Sent[] = [];
  let turns = 0;
  const client = createAgentHttpClient({
    endpoint: "https://backend.example/agent",
    newTurnId: () => `turn-${++turns}`,
    fetch: async (_url, init) => {
      const { headers, body, signal } = init ?? {};
      const request: Sent = {
        body: JSON.parse(String(body)),
        headers: new Headers(headers),
        signal: signal ?? new AbortController().signal,
      };
      sent.push(request);
      const next = script[sent.length - 1];
      if (next === undefined) throw new Error(`request ${sent.length} was not expected`);
      return response(next, request);
    },
    ...options,
  });
  return {
    client,
    sent,
    turns: () => sent.map(({ body }) => body).filter(({ kind }) => kind === "turn"),
    kinds: () => sent.map(({ body }) => body.kind),
  };
}

async function response(next: Scripted, request: Sent): Promise<Response> {
  if (typeof next === "function") return response(await next(request), request);
  if (next instanceof Error) throw next;
  if (next instanceof Response) return next;
  return new Response(typeof next === "string" ? next : JSON.stringify(next), {
    headers: { "content-type": "application/json" },
  });
}

export function reply(over: JsonObject = {}): JsonObject {
  return { schemaVersion: "adapttable.agent.v1", ...over };
}

/** Acknowledges the contract it was sent, as a backend that pins does. */
export function pinned(over: JsonObject = {}): Scripted {
  return ({ body }) =>
    reply({
      ok: true,
      sessionId: "sess_1",
      pin: { status: "acknowledged", contractVersion: body.contractVersion ?? "", ttlMs: 60_000 },
      ...over,
    });
}

export const sort: JsonObject = { id: "a", name: "view.setSort", args: { key: "salary", dir: "desc" } };
export const filter: JsonObject = { id: "b", name: "view.setFilters", args: { filters: { team: "Core" } } };
export const edit: JsonObject = {
  id: "c",
  name: "edit.cells",
  args: { edits: [{ column: "salary", value: 90_000, rowKey: "r1" }] },
};

/** A streamed answer of these events, cut as given. */
export function stream(
  events: [string, unknown][],
  cut: (text: string) => string[] = (text) => [text],
): Response {
  const text = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return new Response(
    new ReadableStream({
      start(controller) {
        const encoder = new TextEncoder();
        for (const piece of cut(text)) controller.enqueue(encoder.encode(piece));
        controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream; charset=utf-8" } },
  );
}
