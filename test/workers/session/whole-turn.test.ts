import { abortAllDurableObjects } from "cloudflare:test";
import { afterAll, expect, it, vi } from "vitest";
import type { TurnEvent } from "../../../src/turn/index.ts";
import { collectTurn } from "../../../src/wires/collect-turn.ts";
import { Client, leaveNothing } from "./client.ts";

afterAll(leaveNothing);

/** The batches of a turn that is wanted whole. */
async function batches(client: Client, text: string): Promise<TurnEvent[][]> {
  const started = await client.start({ messages: [client.message(text)] }, { whole: true });
  if (!started.ok) throw new Error(`refused: ${started.failure.code}`);
  return read(started.events);
}

async function read(events: AsyncIterable<TurnEvent[]>): Promise<TurnEvent[][]> {
  const all: TurnEvent[][] = [];
  for await (const batch of events) all.push(batch);
  return all;
}

it("brings the events of a turn that is watched, at once", async () => {
  const watched = await new Client().say("Hello");
  const [whole = [], ...more] = await batches(new Client(), "Hello");
  expect(more).toEqual([]);
  expect(whole.map(({ type }) => type)).toEqual(watched.events.map(({ type }) => type));
  expect(whole.at(-1)).toEqual(watched.events.at(-1));
});

it("has the conversation in it where that is asked for", async () => {
  const client = new Client();
  await client.say("Hello");
  const [whole = []] = await batches(client, "Hello again");
  const shown = whole.find((event) => event.type === "messages-snapshot");
  expect(shown?.type === "messages-snapshot" && shown.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
  ]);
});

it("is refused while another turn is under way; the same request waits for that one's end", async () => {
  const client = new Client();
  const slow = { messages: [client.message("Count slowly to 60")], runId: "slow" };
  const first = client.start(slow, { whole: true });
  await vi.waitFor(async () => expect((await client.snapshot()).running).toBe(true));
  const other = await client.start({ messages: [client.message("Hello")] }, { whole: true });
  expect(other.ok ? "taken" : other.failure.code).toBe("turn_in_progress");
  const [one, repeated] = await Promise.all([first, client.start(slow, { whole: true })]);
  if (!one.ok || !repeated.ok) throw new Error("refused");
  expect(await read(repeated.events)).toEqual(await read(one.events));
});

it("that breaks off is told as such, and comes to its end all the same", async () => {
  const client = new Client();
  const started = client.start({ messages: [client.message("Count slowly to 60")] }, { whole: true });
  await vi.waitFor(async () => expect((await client.snapshot()).running).toBe(true));
  await abortAllDurableObjects();
  const broken = await started;
  if (!broken.ok) throw new Error("refused");
  await expect(collectTurn(broken.events)).rejects.toThrow();
  await vi.waitFor(async () => expect((await client.snapshot()).running).toBe(false), 10_000);
  expect((await client.snapshot()).messages.at(-1)).toMatchObject({ role: "assistant" });
});
