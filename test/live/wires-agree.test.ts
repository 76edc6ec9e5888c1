import { afterAll, beforeAll, expect, test } from "vitest";
import type { Message } from "../../src/turn/index.ts";
import { LiveEngine } from "../support/live-engine.ts";

/** What is said, on every wire alike: text, a server tool, two at once, reasoning, memory, a tool that fails. */
const conversation = [
  "Hello",
  "What is the weather in Paris?",
  "What is the weather in Paris and Oslo?",
  "Think about tea",
  "Remember the word kiwi",
  "Use the failing tool",
  "What was the word?",
];

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(engine.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${engine.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
}

/** How each wire says one more line of a durable conversation. */
const wires: Record<string, (key: string, text: string, turn: number) => Promise<void>> = {
  openai: (key, content) =>
    post(
      "/openai/v1/chat/completions",
      { model: "playground", messages: [{ role: "user", content }] },
      { "x-stackbone-session": key },
    ),
  "openai, streamed": (key, content) =>
    post(
      "/openai/v1/chat/completions",
      { model: "playground", messages: [{ role: "user", content }], stream: true },
      { "x-stackbone-session": key },
    ),
  anthropic: (key, content) =>
    post(
      "/anthropic/v1/messages",
      { model: "playground", max_tokens: 1_000, messages: [{ role: "user", content }] },
      { "x-stackbone-session": key },
    ),
  "ag-ui": (key, content, turn) =>
    post("/agui/v1/agents/playground", {
      threadId: key,
      runId: `${key}-${turn}`,
      messages: [{ id: `${key}-${turn}`, role: "user", content }],
    }),
  step: (key, message) =>
    post("/sandtable/v1/agents/playground/step", { session_id: key.replace(/^step:/, ""), message }),
};

/** The stored conversation with ids replaced by their order of appearance. */
async function canonical(key: string): Promise<string> {
  const response = await fetch(`${engine.url}/api/sessions/playground/${encodeURIComponent(key)}`, {
    headers: { authorization: `Bearer ${engine.token}` },
  });
  const { messages } = (await response.json()) as { messages: Message[] };
  const seen = new Map<string, string>();
  const named = (id: string) => {
    if (!seen.has(id)) seen.set(id, `id${seen.size}`);
    return seen.get(id);
  };
  return JSON.stringify(
    messages,
    (name, value: unknown) =>
      (name === "id" || name === "callId") && typeof value === "string" ? named(value) : value,
    1,
  );
}

test("one conversation leaves one transcript, whichever wire it came by", async () => {
  const transcripts: Record<string, string> = {};
  for (const [wire, say] of Object.entries(wires)) {
    const key = wire === "step" ? "step:agree" : `agree-${wire.replace(/\W/g, "")}`;
    for (const [turn, text] of conversation.entries()) await say(key, text, turn);
    transcripts[wire] = await canonical(key);
  }
  const { openai = "" } = transcripts;
  expect(openai).toContain("kiwi");
  expect((JSON.parse(openai) as Message[]).filter(({ role }) => role === "tool")).toHaveLength(4);
  for (const [wire, transcript] of Object.entries(transcripts))
    expect([wire, transcript]).toEqual([wire, openai]);
});
