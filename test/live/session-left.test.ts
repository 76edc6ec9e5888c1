import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;

beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

interface Session {
  running: boolean;
  messages: { role: string; blocks?: { type: string; text: string }[] }[];
}

async function sessionOf(key: string): Promise<Session> {
  const response = await fetch(`${engine.url}/api/sessions/playground/${key}`, {
    headers: { authorization: `Bearer ${engine.token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Session;
}

test.each([
  ["in one piece", false],
  ["streamed", true],
])("a durable turn goes on when the client of a reply %s leaves", async (_, stream) => {
  const key = `left-${stream}`;
  const leaving = new AbortController();
  const asked = fetch(`${engine.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${engine.token}`,
      "content-type": "application/json",
      "x-stackbone-session": key,
    },
    body: JSON.stringify({
      model: "playground",
      stream,
      messages: [{ role: "user", content: "Count slowly to 100" }],
    }),
    signal: leaving.signal,
  }).then((response) => response.text());
  const left = expect(asked).rejects.toThrow();
  await vi.waitFor(async () => expect((await sessionOf(key)).running).toBe(true), 5_000);
  leaving.abort();
  await left;
  expect((await sessionOf(key)).running).toBe(true);
  await vi.waitFor(async () => expect((await sessionOf(key)).running).toBe(false), 10_000);
  const { messages } = await sessionOf(key);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(messages[1]?.blocks?.[0]?.text).toMatch(/\b100\b/);
});
