import { createExecutionContext, listDurableObjectIds, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { startTurn } from "../../../src/agents/runtime/start-turn.ts";
import type { TurnRequest } from "../../../src/turn/index.ts";
import { api, Client, leaveNothing, ownerOf, pause, type RunRow, readTurn } from "./client.ts";

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(leaveNothing);

/** Starts a stateless turn; `recorded` resolves once its record is kept. */
async function start(text: string, changes: Partial<TurnRequest> = {}) {
  const client = new Client();
  const ctx = createExecutionContext();
  const request = client.request({ session: null, messages: [client.message(text)], ...changes });
  const started = await startTurn({ env, owner: await ownerOf("t"), ctx }, request);
  return { started, recorded: () => waitOnExecutionContext(ctx) };
}

async function play(text: string, changes: Partial<TurnRequest> = {}) {
  const { started, recorded } = await start(text, changes);
  if (!started.ok) throw new Error(started.failure.message);
  const turn = await readTurn(started.events);
  await recorded();
  return turn;
}

async function runsOf(conversation: string): Promise<RunRow[]> {
  return (await api<{ items: RunRow[] }>(`/api/runs?conversation=${conversation}`)).body.items;
}

describe("a stateless turn", () => {
  it("keeps its record and nothing else", async () => {
    const turn = await play("What is the weather in Paris?", { conversation: "kept" });
    expect(turn.text).toMatch(/^Paris: /);
    expect(await runsOf("kept")).toMatchObject([
      { status: "done", session: null, model: "scripted", failure: null },
    ]);
    expect(JSON.stringify(await runsOf("kept"))).not.toContain("Paris");
    expect(await listDurableObjectIds(env.SESSION)).toEqual([]);
  });

  it("of one run id twice is two records", async () => {
    for (let turn = 0; turn < 2; turn += 1) await play("Hello", { conversation: "twice", runId: "same" });
    expect(await runsOf("twice")).toHaveLength(2);
  });

  it("is given up when its reader leaves", async () => {
    const { started, recorded } = await start("Use the slow tool for 30000 ms", { conversation: "left" });
    if (!started.ok) throw new Error(started.failure.message);
    const events = started.events[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
    await recorded();
    expect(await runsOf("left")).toMatchObject([{ status: "cancelled" }]);
  });

  it("is given up when the request for its whole reply is", async () => {
    const gone = new AbortController();
    const asked = exports.default.fetch("http://127.0.0.1:8787/openai/v1/chat/completions", {
      method: "POST",
      headers: {
        authorization: "Bearer t",
        "content-type": "application/json",
        "x-stackbone-conversation": "gone",
      },
      body: JSON.stringify({
        model: "playground",
        messages: [{ role: "user", content: "Use the slow tool for 30000 ms" }],
      }),
      signal: gone.signal,
    });
    await pause(200);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(
      async () => expect(await runsOf("gone")).toMatchObject([{ status: "cancelled" }]),
      5_000,
    );
  });

  it("replies though its record cannot be kept", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    vi.spyOn(
      Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as D1PreparedStatement,
      "run",
    ).mockRejectedValue(new Error("D1_ERROR: Network connection lost."));
    expect((await play("Hello")).text).toBe("You said: Hello");
    expect(String(log.mock.calls[0])).toContain("run_not_recorded");
  });

  it("that needs a person is refused before anything runs", async () => {
    const turn = await play("Delete notes.txt and tell me the weather in Paris");
    expect(turn.outcome).toMatchObject({ type: "failed", failure: { code: "session_required" } });
    expect(turn.events.some(({ type }) => type === "state-delta")).toBe(false);
  });

  it("with a result for no call names it, and an unknown agent says so", async () => {
    const stray = { role: "tool" as const, id: "r", callId: "call_9", content: "x", isError: false };
    const { started } = await start("", { messages: [stray] });
    expect(started).toMatchObject({
      ok: false,
      failure: { code: "invalid_messages", message: expect.stringContaining('"call_9"') },
    });
    const unknown = await start("Hello", { agent: "nobody" });
    expect(unknown.started).toMatchObject({ ok: false, failure: { code: "unknown_agent" } });
  });
});
