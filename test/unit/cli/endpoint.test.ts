import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ApiClient, DomainRefused, Unreachable } from "../../../src/cli/api-client.ts";
import { openEndpoint } from "../../../src/cli/run/open-engine.ts";
import { watch } from "../../../src/cli/watch.ts";
import type { RehearsalEvent } from "../../../src/sandtable/rehearsal/events.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ApiClient> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, "tok");
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

describe("ApiClient", () => {
  test("sends the token, and follows no redirect with it", async () => {
    const seen: (string | undefined)[] = [];
    const api = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.url?.endsWith("/moved")) {
        response.writeHead(302, { location: "https://elsewhere.example/" });
        response.end();
      } else json(response, 200, { runId: "r/1", status: "running", planned: 1, finished: 0 });
    });
    expect(await api.status("r/1")).toMatchObject({ status: "running" });
    expect(seen).toEqual(["GET /api/rehearsals/r%2F1 Bearer tok"]);
    await expect(api.status("moved")).rejects.toThrow("answered 302 (a redirect, which is not followed)");
  });

  test.each([
    [400, { error: { code: "invalid_request", message: "no such task" } }, "no such task"],
    [
      401,
      { error: { code: "unauthorized", message: "not one of those" } },
      "refused the token: not one of those",
    ],
    [503, { error: { message: "later", requestId: "q1" } }, "answered 503: later (request q1)"],
    [404, "<html>", "answered 404; is it a Greenroom endpoint?"],
  ])("tells what a %d said", async (status, body, message) => {
    const api = await serve((_request, response) => json(response, status, body));
    await expect(api.status("r")).rejects.toThrow(message);
  });

  test("a refused domain comes with its problems, a dead endpoint with the cause", async () => {
    const problems = [{ file: "a.yaml", line: 1, column: 1, message: "no" }];
    const api = await serve((_request, response) =>
      json(response, 422, {
        error: { code: "invalid_domain", message: "the domain has 1 problem", problems },
      }),
    );
    const refused = await api.status("r").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainRefused);
    expect((refused as DomainRefused).problems).toEqual(problems);
    await expect(new ApiClient("http://127.0.0.1:9", "t").status("r")).rejects.toThrow(Unreachable);
  });
});

describe("watch", () => {
  const trial = (n: number): RehearsalEvent => ({
    type: "trial",
    taskId: "t",
    trial: n,
    verdict: "passed",
    why: null,
    turns: 1,
    calls: 0,
    ms: 1,
    finished: n + 1,
    planned: 3,
  });
  const all: RehearsalEvent[] = [
    { type: "started", runId: "r", planned: 3 },
    trial(0),
    trial(1),
    trial(2),
    { type: "ended", status: "finished" },
  ];
  const frame = (n: number) => `id: ${n}\ndata: ${JSON.stringify(all[n - 1])}\n\n`;
  const follow = async (api: ApiClient, options: { attempts?: number; signal?: AbortSignal } = {}) => {
    const events: RehearsalEvent[] = [];
    const waits: number[] = [];
    const signal = options.signal ?? new AbortController().signal;
    const done = watch({
      ...options,
      api,
      runId: "r",
      signal,
      onEvent: (event) => events.push(event),
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    return {
      events,
      waits,
      error: await done.then(
        () => null,
        (error: unknown) => error,
      ),
    };
  };

  test("tells each event once although the stream breaks again and again, asking from the last one on", async () => {
    const asked: (string | undefined)[] = [];
    const api = await serve((request, response) => {
      const last = request.headers["last-event-id"] as string | undefined;
      asked.push(last);
      const next = Number(last ?? 0) + 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`: heartbeat\n\n${frame(next)}`);
      // Broken in the middle of the next event.
      if (next < all.length) response.write(frame(next + 1).slice(0, 20), () => response.destroy());
      else response.end();
    });
    const { events, error } = await follow(api);
    expect(error).toBeNull();
    expect(events).toEqual(all);
    expect(asked).toEqual([undefined, "1", "2", "3", "4"]);
  });

  test("takes events whole wherever the bytes are cut", async () => {
    const api = await serve(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const bytes = Buffer.from(all.map((_, index) => frame(index + 1)).join(""));
      for (let at = 0; at < bytes.length; at += 7) {
        await new Promise((resolve) => response.write(bytes.subarray(at, at + 7), resolve));
      }
    });
    expect((await follow(api)).events).toEqual(all);
  });

  test("gives up after so many attempts in a row, waiting longer each time", async () => {
    const api = await serve((_request, response) =>
      json(response, 503, { error: { message: "restarting" } }),
    );
    const { error, waits } = await follow(api, { attempts: 6 });
    expect(error).toBeInstanceOf(Unreachable);
    expect(String(error)).toContain("restarting");
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 5_000]);
  });

  test("does not try again what is refused", async () => {
    const api = await serve((_request, response) =>
      json(response, 404, { error: { message: "no such rehearsal" } }),
    );
    const { error, waits } = await follow(api);
    expect(String(error)).toContain("no such rehearsal");
    expect(waits).toEqual([]);
  });

  test("stops when told to, with the reason it was told", async () => {
    const stop = new AbortController();
    const api = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame(1), () => setTimeout(() => stop.abort(new Error("engine lost")), 20));
    });
    const { events, error } = await follow(api, { signal: stop.signal });
    expect(events).toEqual(all.slice(0, 1));
    expect(String(error)).toBe("Error: engine lost");
  });
});

test("openEndpoint wants an address, a token, and https unless it is this machine", () => {
  expect(() => openEndpoint("x", "t")).toThrow("--endpoint x: not an http or https address");
  expect(() => openEndpoint("https://x.example", undefined)).toThrow(
    "give --token T, or set GREENROOM_TOKEN",
  );
  expect(() => openEndpoint("http://x.example", "t")).toThrow("https only");
  expect(openEndpoint("http://127.0.0.1:8787", "t").local).toBe(true);
  expect(openEndpoint("https://x.example", "t").local).toBe(false);
});
