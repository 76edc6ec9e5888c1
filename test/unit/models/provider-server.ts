import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelBinding } from "../../../src/models/provider.ts";
import type { Timing } from "../../../src/models/timing.ts";

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Written one by one, with a real flush between them. */
  pieces: (string | Uint8Array)[];
  /** After the pieces: close the answer (default), keep it open in silence, or break the connection. */
  ending?: "end" | "hang" | "break";
}

interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** Host the provider package meant to call. */
  host: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ProviderServer {
  requests: SeenRequest[];
  /** Called by the model under test instead of the provider's host. */
  fetch: typeof globalThis.fetch;
  url: string;
  /** Connections the client closed before their answer was finished. */
  abandoned(): number;
  close(): Promise<void>;
}

/** A provider on 127.0.0.1 that answers each request with the next reply, and 599 when there are none left. */
export async function providerServer(replies: Reply[]): Promise<ProviderServer> {
  const left = [...replies];
  const requests: SeenRequest[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({
        method: request.method ?? "",
        path: request.url ?? "",
        host: String(request.headers["x-meant-for"]),
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}"),
      });
      response.on("close", () => {
        if (!response.writableFinished) abandoned += 1;
      });
      void answer(response, left.shift() ?? { status: 599, pieces: [] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    url,
    fetch: (input, init) => {
      const meant = new URL(String(input));
      const headers = new Headers(init?.headers);
      headers.set("x-meant-for", meant.host);
      return fetch(`${url}${meant.pathname}${meant.search}`, { ...init, headers });
    },
    abandoned: () => abandoned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A Worker's binding to Workers AI, whose models answer as `fetch` does. */
export function bindingTo(fetch: typeof globalThis.fetch): ModelBinding {
  return {
    run: (model, inputs, { signal }) =>
      fetch(`https://ai.binding/run/${model}`, {
        method: "POST",
        body: JSON.stringify(inputs),
        redirect: "manual",
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  response.writeHead(reply.status ?? 200, {
    "content-type": (reply.status ?? 200) < 300 ? "text/event-stream" : "application/json",
    ...reply.headers,
  });
  response.flushHeaders();
  for (const piece of reply.pieces) {
    await new Promise<void>((resolve) => response.write(piece, () => setTimeout(resolve, 2)));
  }
  if (reply.ending === "break") response.destroy();
  else if (reply.ending !== "hang") response.end();
}

/** Time that stands still at `now`: sleeps are noted and over at once, and the watch for stalls (60 s) never fires. */
export function stillTiming(now = Date.UTC(2026, 9, 18)): Timing & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    sleep: (ms, signal) => {
      if (ms === 60_000) return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      slept.push(ms);
      return Promise.resolve();
    },
  };
}
