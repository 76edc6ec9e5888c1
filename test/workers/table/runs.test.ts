import { afterEach, describe, expect, it, vi } from "vitest";
import { fullTurn, hello, pinnedTurn } from "../../unit/table/backend/table-wire.ts";
import { api } from "../session/client.ts";
import { provide } from "./provider-server.ts";
import { connect, post, refusal, reply } from "./wire.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const vars = { AGENT_PROVIDER: "openai", OPENAI_API_KEY: "sk-provider" };

interface Run {
  runId: string;
  conversation: string | null;
  status: string;
  usage: { inputTokens: number; outputTokens: number };
  failure: { code: string; message: string } | null;
}

/** The runs of a table's session once there are so many, newest first. */
async function runsOf(conversation: string, count: number, token = "t"): Promise<Run[]> {
  return vi.waitFor(
    async () => {
      const path = `/api/runs?conversation=${encodeURIComponent(conversation)}`;
      const { body } = await api<{ items: Run[] }>(path, { token });
      expect(body.items).toHaveLength(count);
      return body.items;
    },
    { timeout: 5_000 },
  );
}

/** An answer as a provider streams it, with what it cost. */
function counted(text: string): Response {
  const chunk = (delta: object, finish: string | null, usage?: object) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], usage })}\n\n`;
  const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
  return new Response(`${chunk({ content: text }, null)}${chunk({}, "stop", usage)}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

const reading = '{"toolCalls":[{"name":"read","args":{}}],"askUser":null,"text":""}';
const saying = '{"toolCalls":[],"askUser":null,"text":"Three SECRETS."}';

describe("a turn of a table", () => {
  it("is one run however many requests it takes, with all they cost and nothing of what was said", async () => {
    provide(({ body }) => counted(body.includes("Results of calls") ? saying : reading));
    const sessionId = await connect({ vars });
    const words = { message: "how many SECRETS", turnId: "one" };
    await reply(pinnedTurn(sessionId, words), { vars });
    await reply(pinnedTurn(sessionId, { ...words, toolResults: [{ id: "one:0:0", result: [] }] }), { vars });
    const [run] = await vi.waitFor(async () => {
      const runs = await runsOf(sessionId, 1);
      expect(runs[0]?.usage.outputTokens).toBe(14);
      return runs;
    });
    expect(run).toMatchObject({
      kind: "agent",
      agent: "table",
      wire: "adapttable",
      session: null,
      conversation: sessionId,
      status: "done",
      model: "openai/gpt-5-mini",
      usage: { inputTokens: 200, outputTokens: 14 },
      failure: null,
    });
    expect(JSON.stringify(run)).not.toContain("SECRETS");
    const one = await api<Run>(`/api/runs/${run?.runId}`);
    expect([one.status, one.body.runId]).toEqual([200, run?.runId]);
    expect((await api(`/api/runs/${run?.runId}`, { token: "other" })).status).toBe(404);
  });

  it("is another run in another session, though it is called alike", async () => {
    const [one, other] = [await connect(), await connect()];
    for (const sessionId of [one, other]) await reply(pinnedTurn(sessionId, { turnId: "same" }));
    const runs = [...(await runsOf(one, 1)), ...(await runsOf(other, 1))];
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(2);
  });

  it("is there when it was streamed, and grouped as its client says", async () => {
    const options = { accept: "text/event-stream", headers: { "x-stackbone-conversation": "a group" } };
    const response = await post(fullTurn({ turnId: "streamed" }), options);
    expect(await response.text()).toContain("event: done");
    const both = { ...options.headers, "x-stackbone-session": "s" };
    expect((await refusal(fullTurn(), { headers: both })).status).toBe(400);
    expect(await runsOf("a group", 1)).toMatchObject([{ status: "done", model: "embedded" }]);
  });

  it("that failed says how, in nobody's words but ours", async () => {
    provide(() =>
      Response.json({ error: { message: "quota of Ana" } }, { status: 429, headers: { "retry-after": "0" } }),
    );
    const sessionId = await connect({ vars });
    expect((await refusal(pinnedTurn(sessionId, { turnId: "f" }), { vars })).status).toBe(503);
    const [run] = await runsOf(sessionId, 1);
    expect(run).toMatchObject({ status: "failed", failure: { code: "model_rate_limited", retryable: true } });
    expect(run?.failure?.message).not.toContain("Ana");
    const audio = { mimeType: "audio/webm", base64: "AAAA", durationMs: 1 };
    expect((await refusal(fullTurn({ sessionId, turnId: "v", message: undefined, audio }))).status).toBe(501);
    const runs = await runsOf(sessionId, 2);
    expect(runs.map(({ failure }) => failure?.code).sort()).toEqual([
      "model_not_configured",
      "model_rate_limited",
    ]);
  });

  it("that was given up is cancelled", async () => {
    const left = new AbortController();
    const asked = provide(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    );
    const sessionId = await connect({ vars });
    const answering = post(pinnedTurn(sessionId, { turnId: "left" }), { vars, signal: left.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    left.abort();
    await Promise.allSettled([answering]);
    expect(await runsOf(sessionId, 1)).toMatchObject([{ status: "cancelled", failure: null }]);
  });

  it("is none before it is one: a hello, a lost pin and what is no request", async () => {
    const token = "none";
    await reply(hello, { token });
    expect((await reply(pinnedTurn("lost"), { token })).pin?.status).toBe("expired");
    await refusal({ ...hello, kind: "turn", message: 7 }, { token });
    await reply(fullTurn({ sessionId: "s", turnId: "last" }), { token });
    await runsOf("s", 1, token);
    const { body } = await api<{ items: Run[] }>("/api/runs", { token });
    expect(body.items.map(({ conversation }) => conversation)).toEqual(["s"]);
  });
});
