import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { playgroundPrompts } from "../../src/agents/playground/prompts.ts";
import { startEngine } from "../../src/cli/engine/start-engine.ts";
import { LiveEngine } from "../support/live-engine.ts";
import { framesOf } from "../support/wire-frames.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

const path = "/anthropic/v1/messages";

interface Sent {
  type: string;
  index?: number;
  content_block?: { type: string; input?: unknown };
  delta?: { type: string; partial_json?: string; signature?: string };
}

function ask(content: string, more: object = {}): object {
  return { model: "playground", max_tokens: 1024, messages: [{ role: "user", content }], ...more };
}

async function eventsOf(body: object): Promise<Sent[]> {
  const response = await engine.api(path, { body: { ...body, stream: true } });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  return framesOf(await response.text()).map(({ event, data }) => {
    expect(event).toBe((data as Sent).type);
    return data as Sent;
  });
}

/** A refusal, which must have the wire's shape. */
async function refusal(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = (await response.json()) as {
    type: string;
    error: { type: string; message: string };
    request_id: string;
  };
  expect(body.type).toBe("error");
  expect(body.request_id).toBe(response.headers.get("request-id"));
  expect(body.request_id).toBe(response.headers.get("x-request-id"));
  return { status: response.status, type: body.error.type, message: body.error.message };
}

describe("public reports of Anthropic clients", () => {
  test("I15 coder/aibridge 56: what fails before the stream keeps its status and has a body", async () => {
    const unknown = await engine.api(path, { body: ask("Hello", { model: "gpt", stream: true }) });
    expect(await refusal(unknown)).toMatchObject({ status: 404, type: "not_found_error" });
    const failing = await engine.api(path, { body: ask("Fail as rate_limited", { stream: true }) });
    expect(await refusal(failing)).toMatchObject({ status: 429, type: "rate_limit_error" });
  });

  test("I16 danny-avila/LibreChat 4924: every refusal says why, in one shape", async () => {
    const headers = { "x-api-key": engine.token, "content-type": "application/json" };
    const post = (body: string, more: Record<string, string> = {}, where = path) =>
      fetch(`${engine.url}${where}`, { method: "POST", headers: { ...headers, ...more }, body });
    const cases: [Promise<Response>, object][] = [
      [post(""), { status: 400, type: "invalid_request_error" }],
      [post("{"), { status: 400, type: "invalid_request_error" }],
      [post("{}"), { status: 400, message: expect.stringContaining("model") }],
      [post("{}", { "content-type": "text/plain" }), { status: 415, type: "invalid_request_error" }],
      [post(JSON.stringify(ask("x".repeat(8_400_000)))), { status: 413, type: "request_too_large" }],
      [post("{}", { "x-api-key": "" }), { status: 401, type: "authentication_error" }],
      [post("{}", {}, "/anthropic/v1/complete"), { status: 404, type: "not_found_error" }],
      [fetch(`${engine.url}${path}`, { headers }), { status: 405, type: "invalid_request_error" }],
      [post("{}", {}, `${path}/count_tokens`), { status: 400, message: expect.stringContaining("model") }],
    ];
    for (const [response, wanted] of cases) expect(await refusal(await response)).toMatchObject(wanted);
  });

  test("I17 earendil-works/pi 1984: every frame names its event, and the client drops none", async () => {
    expect((await eventsOf(ask("Hello"))).map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test("I19 decolua/9router 1468: fields nobody knows here are let be", async () => {
    const body = ask("Hello", {
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      metadata: { user_id: "u" },
      service_tier: "auto",
      top_k: 3,
      inference_geo: "eu",
      not_a_field: [1],
    });
    const response = await fetch(`${engine.url}${path}?beta=true`, {
      method: "POST",
      headers: {
        "x-api-key": engine.token,
        "content-type": "application/json",
        "anthropic-version": "2026-10-21",
        "anthropic-beta": "context-management-2025-06-27,not-a-beta",
      },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({ content: [{ type: "text", text: "You said: Hello" }] });
  });

  test("I22 8monkey-ai/hebo-gateway 132: a thinking block is signed before it stops, and taken back", async () => {
    const events = await eventsOf(ask("Think about tea"));
    const start = events.findIndex(({ content_block: block }) => block?.type === "thinking");
    const stop = events.findIndex(({ type }, at) => at > start && type === "content_block_stop");
    const signatures = events.filter(({ delta }) => delta?.type === "signature_delta");
    expect(signatures).toHaveLength(1);
    expect(events.indexOf(signatures[0] ?? { type: "" })).toBe(stop - 1);
    const thinking = { type: "thinking", thinking: "Hm.", signature: signatures[0]?.delta?.signature };
    const foreign = { type: "thinking", thinking: "Hm.", signature: "EqQBCgIYAhIkYXNk" };
    const content = [
      thinking,
      foreign,
      { type: "redacted_thinking", data: "x" },
      { type: "text", text: "Tea." },
    ];
    const messages = [
      { role: "user", content: "Think about tea" },
      { role: "assistant", content },
      { role: "user", content: "Hello" },
    ];
    const next = await engine.api(path, { body: ask("", { messages }) });
    expect(await next.json()).toMatchObject({ content: [{ type: "text", text: "You said: Hello" }] });
  });

  test("I23 inflaborg/ccrelay 119: arguments come as deltas, never in the block's start", async () => {
    const events = await eventsOf(ask("What is the weather in Paris and Oslo?"));
    const starts = events.filter(({ content_block: block }) => block?.type === "tool_use");
    expect(starts.map(({ content_block: block }) => block?.input)).toEqual([{}, {}]);
    const argsAt = (index: number | undefined) =>
      events
        .filter((event) => event.index === index && event.delta?.type === "input_json_delta")
        .map(({ delta }) => delta?.partial_json ?? "")
        .join("");
    expect(starts.map(({ index }) => JSON.parse(argsAt(index)))).toEqual([
      { city: "Paris" },
      { city: "Oslo" },
    ]);
  });
});

describe("what else clients do", () => {
  test.each(["2023-06-01", "2026-10-21", undefined])(
    "the version %s is taken, with either credential header",
    async (version) => {
      const headers = { ...(version === undefined ? {} : { "anthropic-version": version }), accept: "*/*" };
      const response = await engine.api("/anthropic//v1/messages", { headers, body: ask("Hello") });
      expect(response.status).toBe(200);
      expect(response.headers.get("request-id")).toBe(response.headers.get("x-request-id"));
    },
  );

  test.each(playgroundPrompts.filter(({ needs }) => needs === undefined).map(({ say }) => say))(
    "a stream says what the reply in one piece says: %s",
    async (prompt) => {
      const anthropic = new Anthropic({
        apiKey: engine.token,
        baseURL: `${engine.url}/anthropic`,
        maxRetries: 0,
      });
      const body = {
        model: "playground",
        max_tokens: 100_000,
        messages: [{ role: "user" as const, content: prompt }],
      };
      const shape = (message: Anthropic.Message) => ({
        content: message.content.map((block) => (block.type === "tool_use" ? { ...block, id: "" } : block)),
        stop: message.stop_reason,
        usage: message.usage,
      });
      const told = (thrown: unknown) => (thrown instanceof Anthropic.APIError ? thrown.type : thrown);
      const whole = await anthropic.messages.create(body, { timeout: 30_000 }).then(shape, told);
      const streamed = await anthropic.messages.stream(body).finalMessage().then(shape, told);
      expect(streamed).toEqual(whole);
    },
  );

  test("a stream whose agent is silent pings", async () => {
    const slow = await startEngine({
      stateDir: `${engine.stateDir}/beating`,
      vars: { AGENT_HEARTBEAT_MS: "200" },
    });
    try {
      const prompt = "Say something first, then use the slow tool for 1500 ms";
      const response = await fetch(`${slow.url}${path}`, {
        method: "POST",
        headers: { "x-api-key": slow.token, "content-type": "application/json" },
        body: JSON.stringify(ask(prompt, { stream: true })),
      });
      const names = framesOf(await response.text()).map(({ event }) => event);
      expect(names.filter((name) => name === "ping").length).toBeGreaterThanOrEqual(4);
      const anthropic = new Anthropic({ apiKey: slow.token, baseURL: `${slow.url}/anthropic` });
      const message = await anthropic.messages
        .stream({ model: "playground", max_tokens: 10_000, messages: [{ role: "user", content: prompt }] })
        .finalMessage();
      expect(message.content.at(-1)).toMatchObject({ type: "text", text: "slow_tool says: Waited 1500 ms." });
    } finally {
      await slow.close();
    }
  });
});
