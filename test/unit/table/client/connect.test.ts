import { describe, expect, it } from "vitest";
import { AgentHttpError } from "../../../../src/table/client/errors.ts";
import { createAgentHttpClient } from "../../../../src/table/index.ts";
import { backend, filter, pinned, reply, type Scripted, sort } from "./fake-backend.ts";
import { fakeSession, ran } from "./fake-session.ts";

describe("the client of the setup page", () => {
  it("connects, sends and gives text and results, as printed", async () => {
    const session = fakeSession();
    const bodies: string[] = [];
    const token = "secret-token";
    const replies = [
      reply({ ok: true, sessionId: "sess_1", text: "Hello." }),
      reply({ text: "Only the Core team.", toolCalls: [filter] }),
    ];
    const client = createAgentHttpClient({
      endpoint: "https://your.example/agent",
      headers: () => ({ authorization: `Bearer ${token}` }),
      timeoutMs: 20_000,
      fetch: async (url, init) => {
        expect(url).toBe("https://your.example/agent");
        expect(init?.method).toBe("POST");
        const headers = new Headers(init?.headers);
        expect(headers.get("authorization")).toBe("Bearer secret-token");
        expect(headers.get("content-type")).toBe("application/json");
        expect(headers.get("accept")).toBe("application/json");
        bodies.push(String(init?.body));
        return Response.json(replies.shift());
      },
    });

    await client.connect(session);
    const { text, results } = await client.send(session, "Filter the Core team");

    const { turnId } = JSON.parse(bodies[1] ?? "");
    expect(turnId).toMatch(/^[0-9a-f-]{36}$/);
    expect(text).toBe("Only the Core team.");
    expect(results).toEqual([
      {
        ok: true,
        revision: 4,
        idempotencyKey: `http-call:{"tableId":"people","turnId":"${turnId}","phaseId":0,"index":0}`,
        result: { ok: true },
      },
    ]);
    expect(ran(session)).toEqual([["view.setFilters", { filters: { team: "Core" } }]]);
    expect(bodies.join()).not.toContain(token);
  });
});

describe("connect", () => {
  it("sends the whole table with a hello, and gives the reply", async () => {
    const { client, sent } = backend([pinned({ text: "Ready." })]);
    const session = fakeSession();
    expect(await client.connect(session)).toMatchObject({ ok: true, text: "Ready.", sessionId: "sess_1" });
    const body = sent[0]?.body ?? {};
    expect(Object.keys(body)).toEqual([
      "schemaVersion",
      "kind",
      "tableId",
      "contractVersion",
      "selectionVersion",
      "view",
      "context",
      "manifest",
      "catalog",
    ]);
    expect(body).toMatchObject({
      schemaVersion: "adapttable.agent.v1",
      kind: "hello",
      tableId: "people",
      contractVersion: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      selectionVersion: "s:full:",
      view: { revision: 3 },
      manifest: { viewRevision: 3 },
    });
  });

  it("is not streamed even when turns are, because a stream cannot carry a pin", async () => {
    const { client, sent } = backend([pinned(), reply({ text: "Yes." })], { stream: true });
    const session = fakeSession();
    await client.connect(session);
    await client.send(session, "hi");
    expect(sent.map(({ headers }) => headers.get("accept"))).toEqual([
      "application/json",
      "text/event-stream, application/json",
    ]);
  });

  const html = new Response("<!doctype html><title>Welcome</title>", {
    headers: { "content-type": "text/html" },
  });
  const liars: [string, Scripted, string, string][] = [
    ["a page", html, "reply-malformed", "The backend's reply is not JSON."],
    ["nothing", "", "reply-malformed", "The backend's reply is empty."],
    [
      "other JSON",
      { hello: "world" },
      "reply-malformed",
      'agent HTTP response schemaVersion must be "adapttable.agent.v1"',
    ],
    ["a list", "[]", "reply-malformed", "agent HTTP response must be an object"],
    [
      "another version",
      reply({ schemaVersion: "adapttable.agent.v2" }),
      "reply-malformed",
      'agent HTTP response schemaVersion must be "adapttable.agent.v1"',
    ],
    ["a refusal", reply({ ok: false, text: "Not this table." }), "connect-refused", "Not this table."],
    ["a refusal without words", reply({ ok: false }), "connect-refused", "The backend refused this table."],
    [
      "a 401",
      new Response('{"error":"unauthorized"}', { status: 401 }),
      "http-error",
      'agent HTTP 401: {"error":"unauthorized"}',
    ],
    [
      "a long 500",
      new Response("x".repeat(9_000), { status: 500 }),
      "http-error",
      `agent HTTP 500: ${"x".repeat(240)}`,
    ],
    ["a 204", new Response(null, { status: 204 }), "reply-malformed", "The backend's reply is empty."],
    [
      "no connection",
      new TypeError("fetch failed"),
      "connection-failed",
      "The connection to the backend failed.",
    ],
    [
      "512,001 bytes",
      "x".repeat(512_001),
      "payload-too-large",
      "The reply is larger than 512000 bytes; nothing of it was run.",
    ],
  ];
  it.each(liars)("refuses %s", async (_name, script, code, message) => {
    const { client } = backend([script]);
    const failure = await client.connect(fakeSession()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentHttpError);
    expect(failure).toMatchObject({ name: "AgentHttpError", code, message });
  });

  it("names the status of a refusal", async () => {
    const { client } = backend([new Response("no", { status: 429 })]);
    await expect(client.connect(fakeSession())).rejects.toMatchObject({ status: 429 });
  });

  it("gives up after its time, whatever the connection does", async () => {
    const { client } = backend([() => new Promise<Scripted>(() => undefined)], { timeoutMs: 20 });
    await expect(client.connect(fakeSession())).rejects.toMatchObject({
      code: "timeout",
      message: "The backend did not answer within 20 ms.",
    });
  });

  it("gives up when a body stalls, and lets the body go", async () => {
    let let_go = false;
    const stalled = new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"schemaVersion":')),
        cancel: () => {
          let_go = true;
        },
      }),
    );
    const { client } = backend([stalled], { timeoutMs: 20 });
    await expect(client.connect(fakeSession())).rejects.toMatchObject({ code: "timeout" });
    expect(let_go).toBe(true);
  });

  it("is given up by its signal, before and during", async () => {
    const { client, sent } = backend([() => new Promise<Scripted>(() => undefined)]);
    await expect(client.connect(fakeSession(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
    const controller = new AbortController();
    const connecting = client.connect(fakeSession(), { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(connecting).rejects.toMatchObject({ code: "cancelled" });
    expect(sent).toHaveLength(1);
  });

  it("is not needed before a turn, which brings the table itself", async () => {
    const { client, sent } = backend([pinned({ toolCalls: [sort] })]);
    const session = fakeSession();
    await client.send(session, "sort");
    expect(sent[0]?.body).toMatchObject({ kind: "turn", context: { contract: { tableId: "people" } } });
    expect(ran(session)).toEqual([["view.setSort", { key: "salary", dir: "desc" }]]);
  });
});
