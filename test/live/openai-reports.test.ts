import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEngine } from "../../src/cli/engine/start-engine.ts";
import { LiveEngine } from "../support/live-engine.ts";
import { framesOf } from "../support/wire-frames.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

interface Delta {
  role?: string;
  content?: string;
  tool_calls?: {
    index?: unknown;
    id?: string;
    type?: string;
    function?: { name?: string; arguments?: unknown };
  }[];
}
interface Chunk {
  choices: { index: number; delta: Delta; finish_reason: unknown }[];
  usage?: { total_tokens: number } | null;
}

const path = "/openai/v1/chat/completions";

function ask(content: string, more: object = {}): object {
  return { model: "playground", messages: [{ role: "user", content }], ...more };
}

async function chunksOf(body: object): Promise<Chunk[]> {
  const response = await engine.api(path, { body: { ...body, stream: true } });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const frames = framesOf(await response.text());
  expect(frames.every(({ event }) => event === null)).toBe(true);
  expect(frames.at(-1)?.data).toBe("[DONE]");
  return frames.slice(0, -1).map(({ data }) => data as Chunk);
}

/** The pieces of calls, in the order they came. */
async function callPieces(prompt: string, more: object = {}) {
  const chunks = await chunksOf(ask(prompt, more));
  return chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
}

/** The body of a refusal, which must have the wire's shape. */
async function refusal(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/./);
  const body = (await response.json()) as { error: { type: string; code: string; param: string | null } };
  expect(Object.keys(body.error).sort()).toEqual(["code", "message", "param", "type"]);
  return { status: response.status, ...body.error };
}

describe("public reports of OpenAI clients", () => {
  test("I01 ollama/ollama 7881: every piece of a streamed call has an integer index", async () => {
    const pieces = await callPieces("What is the weather in Paris and Oslo?");
    expect(pieces.map(({ index }) => index)).toEqual([0, 0, 1, 1]);
    const tool = { type: "function", function: { name: "f", parameters: { type: "object" } } };
    expect((await callPieces("Use my tool", { tools: [tool] })).map(({ index }) => index)).toEqual([0, 0]);
  });

  test("I03 danny-avila/LibreChat 13987: a call's id and its arguments come under one index", async () => {
    const pieces = await callPieces("What is the weather in Paris and Oslo?");
    const byIndex = Map.groupBy(pieces, ({ index }) => index);
    expect([...byIndex.keys()]).toEqual([0, 1]);
    for (const [opening, ...rest] of byIndex.values()) {
      expect(opening?.id).toMatch(/./);
      expect(rest.length).toBeGreaterThan(0);
      expect(rest.every(({ id, type, function: made }) => !id && !type && made?.name === undefined)).toBe(
        true,
      );
    }
  });

  test("I04 sgl-project/sglang 7048: every call opens with an id of its own", async () => {
    const pieces = await callPieces("What is the weather in Paris and Oslo?");
    const openings = pieces.filter(({ id }) => id !== undefined);
    expect(openings).toHaveLength(2);
    expect(new Set(openings.map(({ id }) => id)).size).toBe(2);
    for (const opening of openings) {
      expect(opening).toMatchObject({ type: "function", function: { name: "weather", arguments: "" } });
    }
    expect(pieces.every(({ function: made }) => typeof made?.arguments === "string")).toBe(true);
  });

  test.each(["Hello", "Say nothing", "What is the weather in Paris?", "Think about tea", "Count to 100"])(
    "I05 openai/openai-node 1292, I06 ollama/ollama 4357: one finish reason, at the end, null before: %s",
    async (prompt) => {
      const reasons = (await chunksOf(ask(prompt))).flatMap(({ choices }) =>
        choices.map(({ finish_reason }) => finish_reason),
      );
      expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
      expect(reasons.at(-1)).toBe(prompt.includes("weather") ? "tool_calls" : "stop");
    },
  );

  test("I07 danny-avila/LibreChat 4748: the first delta tells the role", async () => {
    const [first, ...rest] = await chunksOf(ask("Hello"));
    expect(first?.choices[0]?.delta).toMatchObject({ role: "assistant", content: "" });
    expect(rest.every(({ choices }) => choices[0]?.delta.role === undefined)).toBe(true);
  });

  test("I08 AnswerDotAI/claudette 111: the usage comes last when it is asked for, and only then", async () => {
    const asked = await chunksOf(ask("Hello", { stream_options: { include_usage: true } }));
    expect(asked.at(-1)?.choices).toEqual([]);
    expect(asked.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    expect(asked.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    const bare = await chunksOf(ask("Hello"));
    expect(bare.every((chunk) => chunk.choices.length === 1 && !("usage" in chunk))).toBe(true);
  });

  test("I10 8monkey-ai/hebo-gateway 251: developer messages are instructions", async () => {
    for (const role of ["developer", "system"]) {
      const messages = [
        { role, content: "Be kind." },
        { role: "user", content: "Hello" },
      ];
      const response = await engine.api(path, { body: { model: "playground", messages } });
      expect(await response.json()).toMatchObject({ choices: [{ message: { content: "You said: Hello" } }] });
    }
  });

  test.each([[{ content: null }], [{}], [{ content: "" }], [{ content: [] }]])(
    "I11 lmstudio-ai 261: %j beside calls is taken",
    async (content) => {
      const call = { id: "call_1", type: "function", function: { name: "open_modal", arguments: "{}" } };
      const messages = [
        { role: "user", content: "Use my tool" },
        { role: "assistant", ...content, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "opened" },
      ];
      const response = await engine.api(path, { body: { model: "playground", messages } });
      expect(await response.json()).toMatchObject({
        choices: [{ message: { content: "open_modal says: opened" } }],
      });
    },
  );

  test("I14 ovh/shai 61: the catalogue says that it is a list", async () => {
    const response = await engine.api("/openai/v1/models");
    expect(await response.json()).toMatchObject({
      object: "list",
      data: expect.arrayContaining([
        { id: "support", object: "model", created: expect.any(Number), owned_by: "stackbone" },
      ]),
    });
  });

  test("I15 coder/aibridge 56: what fails before the stream keeps its status and has a body", async () => {
    const unknown = await engine.api(path, { body: ask("Hello", { model: "gpt", stream: true }) });
    expect(await refusal(unknown)).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
    const failing = await engine.api(path, { body: ask("Fail as rate_limited", { stream: true }) });
    expect(await refusal(failing)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  });

  test("I16 danny-avila/LibreChat 4924: every refusal says why, in one shape", async () => {
    const headers = { authorization: `Bearer ${engine.token}`, "content-type": "application/json" };
    const post = (body: string, more: Record<string, string> = {}, where = path) =>
      fetch(`${engine.url}${where}`, { method: "POST", headers: { ...headers, ...more }, body });
    const cases: [Promise<Response>, object][] = [
      [post(""), { status: 400, code: "invalid_json" }],
      [post("{"), { status: 400, code: "invalid_json" }],
      [post("[]"), { status: 400, code: "invalid_body" }],
      [post("{}"), { status: 400, param: "model" }],
      [post("{}", { "content-type": "text/plain" }), { status: 415 }],
      [post(JSON.stringify(ask("x".repeat(8_400_000)))), { status: 413, code: "body_too_large" }],
      [post("{}", { authorization: "" }), { status: 401, code: "invalid_api_key" }],
      [post("{}", {}, "/openai/v1/embeddings"), { status: 404, code: "not_found" }],
      [post("{}", {}, "/openai/v1/models"), { status: 405, code: "method_not_allowed" }],
      [fetch(`${engine.url}${path}`, { headers }), { status: 405, code: "method_not_allowed" }],
      [fetch(`${engine.url}/openai/v1/models/gpt`, { headers }), { status: 404, code: "model_not_found" }],
    ];
    for (const [response, wanted] of cases) expect(await refusal(await response)).toMatchObject(wanted);
  });
});

describe("what else clients do", () => {
  test("either credential header is taken; `Accept: */*` and unknown fields change nothing", async () => {
    const response = await fetch(`${engine.url}/openai//v1//chat/completions?api-version=1`, {
      method: "POST",
      headers: { "x-api-key": engine.token, "content-type": "application/json", accept: "*/*" },
      body: JSON.stringify(ask("Hello", { foo: { bar: 1 }, seed: 1, logprobs: false, user: null })),
    });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "You said: Hello" } }] });
  });

  test("a page's preflight is permitted, the vendor's own headers included", async () => {
    const response = await fetch(`${engine.url}${path}`, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-stainless-retry-count,x-stackbone-session",
      },
    });
    expect(response.status).toBe(204);
    const allowed = response.headers.get("access-control-allow-headers") ?? "";
    expect(allowed).toContain("x-stainless-retry-count");
    expect(allowed).toContain("x-stackbone-session");
  });

  test("BerriAI/litellm 32159: a turn that fails under way has no finish reason and no [DONE]", async () => {
    const response = await engine.api(path, {
      body: ask("Fail after some text as unavailable", { stream: true }),
    });
    const frames = framesOf(await response.text());
    expect(frames.at(-1)?.data).toMatchObject({ error: { code: "model_unavailable" } });
    const reasons = frames.flatMap(({ data }) =>
      ((data as Partial<Chunk>).choices ?? []).map(({ finish_reason }) => finish_reason),
    );
    expect(reasons.every((reason) => reason === null)).toBe(true);
  });

  test("a stream whose agent is silent beats, and every client reads over it", async () => {
    const slow = await startEngine({
      stateDir: `${engine.stateDir}/beating`,
      vars: { AGENT_HEARTBEAT_MS: "200" },
    });
    try {
      const prompt = "Say something first, then use the slow tool for 1500 ms";
      const response = await fetch(`${slow.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${slow.token}`, "content-type": "application/json" },
        body: JSON.stringify(ask(prompt, { stream: true })),
      });
      const beats = (await response.text()).split("\n\n").filter((frame) => frame === ": ping");
      expect(beats.length).toBeGreaterThanOrEqual(4);
      const wanted = "Let me see. \n\nslow_tool says: Waited 1500 ms.";
      const openai = new OpenAI({ apiKey: slow.token, baseURL: `${slow.url}/openai/v1` });
      const runner = openai.chat.completions.stream({
        model: "playground",
        messages: [{ role: "user", content: prompt }],
      });
      expect(await runner.finalContent()).toBe(wanted);
      const provider = createOpenAICompatible({
        name: "greenroom",
        baseURL: `${slow.url}/openai/v1`,
        apiKey: slow.token,
      });
      expect(await streamText({ model: provider("playground"), prompt }).text).toBe(wanted);
    } finally {
      await slow.close();
    }
  });

  test("two messages at once on one session: one is refused and told to wait", async () => {
    const headers = { "x-stackbone-session": crypto.randomUUID() };
    const slow = engine.api(path, { headers, body: ask("Use the slow tool for 1500 ms") });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = await refusal(await engine.api(path, { headers, body: ask("Hello") }));
    expect(second).toMatchObject({ status: 409, code: "turn_in_progress" });
    expect((await slow).status).toBe(200);
    expect((await engine.api(path, { headers, body: ask("Hello") })).status).toBe(200);
  });
});
