import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, startEngine } from "../../src/cli/engine/start-engine.ts";
import { sleep, until } from "../support/live-engine.ts";
import { eventsOf, fullTurn, hello, pinnedTurn } from "../unit/table/backend/table-wire.ts";

type Script = (response: ServerResponse, body: string, request: IncomingMessage) => void | Promise<void>;

let script: Script = () => undefined;
/** Requests to the model, and how many of their connections have closed. */
const seen: { url: string; body: string }[] = [];
let closed = 0;
let server: Server;
let engine: Engine;
let stateDir: string;
const logs: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      seen.push({ url: request.url ?? "", body });
      response.on("close", () => {
        closed += 1;
      });
      void script(response, body, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  stateDir = await mkdtemp(path.join(tmpdir(), "greenroom-table-"));
  const vars = {
    AGENT_PROVIDER: "compatible",
    AGENT_MODEL: "table-model",
    MODEL_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    MODEL_PROVIDER_API_KEY: "canary-key",
    AGENT_HEARTBEAT_MS: "100",
  };
  engine = await startEngine({ stateDir, vars, onLog: (level, message) => logs.push(`${level} ${message}`) });
});
afterAll(async () => {
  await engine?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
});

const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

/** A model that writes one answer whole. */
function writes(text: string): Script {
  return (response) => {
    begin(response);
    response.end(`${frame({ content: text })}${frame({}, "stop")}data: [DONE]\n\n`);
  };
}

function post(body: unknown, accept = "application/json", signal?: AbortSignal): Promise<Response> {
  return fetch(`${engine.url}/agent`, {
    method: "POST",
    headers: { authorization: `Bearer ${engine.token}`, "content-type": "application/json", accept },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

const stream = "text/event-stream, application/json";
const plan = '{"toolCalls":[{"name":"view.setSort","args":{"key":"salary"}}],"askUser":null,"text":"';

describe("a table behind a provider's model", () => {
  it("connects without asking it", async () => {
    const before = seen.length;
    const response = await post(hello);
    expect(response.headers.get("x-greenroom-model")).toBe("compatible/table-model");
    expect(await response.json()).toMatchObject({ ok: true, pin: { status: "acknowledged" } });
    expect(seen.length).toBe(before);
  });

  it("shows its text while it is still writing", async () => {
    let finish: () => void = () => undefined;
    script = async (response) => {
      begin(response);
      response.write(frame({ content: `${plan}Sorting` }));
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end(`${frame({ content: ' now."}' })}${frame({}, "stop")}data: [DONE]\n\n`);
    };
    const response = await post(fullTurn(), stream);
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toBe('event: text-delta\ndata: {"text":"Sorting"}\n\n');
    finish();
    let rest = "";
    for (;;) {
      const piece = await reader?.read();
      if (piece?.done !== false) break;
      rest += new TextDecoder().decode(piece.value);
    }
    expect(rest.replaceAll(": ping\n\n", "")).toBe(
      'event: text-delta\ndata: {"text":" now."}\n\n' +
        'event: tool-calls\ndata: {"toolCalls":[{"id":"t1:0:0","name":"view.setSort","args":{"key":"salary"}}]}\n\n' +
        "event: done\ndata: {}\n\n",
    );
  });

  it("ends the model's work when the client leaves", async () => {
    script = (response) => {
      begin(response);
      response.write(frame({ content: `${plan}Sorting` }));
    };
    const left = new AbortController();
    const before = closed;
    const response = await post(fullTurn(), stream, left.signal);
    await response.body?.getReader().read();
    await sleep(150);
    expect(closed).toBe(before);
    left.abort();
    await until(() => closed > before, 5_000);
  });

  it("tells of a break in the middle as an event, and of one before as a status", async () => {
    script = (response) => {
      begin(response);
      response.write(frame({ content: `${plan}Sorting` }));
      setTimeout(() => response.destroy(), 50);
    };
    const events = await eventsOf(await post(fullTurn(), stream));
    expect(events.map(([name]) => name)).toEqual(["text-delta", "error"]);
    expect(events.at(-1)?.[1]).toMatchObject({ code: "backend-failed" });
    script = (response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":{"message":"canary-provider-text"}}');
    };
    const refused = await post(fullTurn(), stream);
    expect(refused.status).toBe(503);
    expect(JSON.stringify(await refused.json())).not.toContain("canary");
  });

  it("answers as JSON when its results should come back", async () => {
    script = writes('{"toolCalls":[{"name":"rows.read","args":{"offset":0,"limit":5}}],"text":"Reading."}');
    const sessionId = ((await (await post(hello)).json()) as { sessionId: string }).sessionId;
    const response = await post(pinnedTurn(sessionId), stream);
    expect(await response.json()).toMatchObject({
      continueWithResults: true,
      sessionId,
      toolCalls: [{ id: "t1:0:0", name: "rows.read" }],
    });
  });

  it("hears a clip through the provider's server", async () => {
    script = (response, body, request) => {
      if (request.url !== "/v1/audio/transcriptions")
        return writes(`${plan}Sorting."}`)(response, body, request);
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"text":"sort by salary"}');
    };
    const audio = { mimeType: "audio/webm;codecs=opus", base64: btoa("canary-clip"), durationMs: 900 };
    const response = await post(fullTurn({ message: undefined, audio }), stream);
    const events = await eventsOf(response);
    expect(events.slice(-3)).toEqual([
      ["transcript", { text: "sort by salary" }],
      ["tool-calls", { toolCalls: [{ id: "t1:0:0", name: "view.setSort", args: { key: "salary" } }] }],
      ["done", {}],
    ]);
    expect(seen.at(-2)).toMatchObject({
      url: "/v1/audio/transcriptions",
      body: expect.stringContaining("canary-clip"),
    });
  });

  it("logs nothing that was said, typed or configured", () => {
    expect(logs.filter((line) => line.includes("canary") || line.includes("salary"))).toEqual([]);
  });
});
