import { describe, expect, it } from "vitest";
import { EventFeed, type StoredEvent } from "../../../objects/event-feed.ts";

function feedOver(events: StoredEvent[], state: { ended: boolean }) {
  return new EventFeed(
    (after, limit) => events.filter(({ seq }) => seq > after).slice(0, limit),
    () => state.ended,
  );
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

describe("EventFeed", () => {
  it("replays what is stored, then what comes, and closes at the end", async () => {
    const events: StoredEvent[] = [{ seq: 1, body: '{"a":1}' }];
    const state = { ended: false };
    const feed = feedOver(events, state);
    const text = textOf(feed.open(0));
    await Promise.resolve();
    events.push({ seq: 2, body: '{"a":2}' });
    feed.wake();
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.push({ seq: 3, body: '{"a":3}' });
    state.ended = true;
    feed.wake();
    expect(await text).toBe('id: 1\ndata: {"a":1}\n\nid: 2\ndata: {"a":2}\n\nid: 3\ndata: {"a":3}\n\n');
  });

  it("goes on after a number", async () => {
    const events = Array.from({ length: 250 }, (_, i) => ({ seq: i + 1, body: String(i) }));
    const text = await textOf(feedOver(events, { ended: true }).open(248));
    expect(text).toBe("id: 249\ndata: 248\n\nid: 250\ndata: 249\n\n");
  });

  it("reads a long list as its client takes it", async () => {
    let reads = 0;
    const feed = new EventFeed(
      (after, limit) => {
        reads += 1;
        return Array.from({ length: limit }, (_, i) => ({ seq: after + i + 1, body: "x" }));
      },
      () => false,
    );
    const reader = feed.open(0).getReader();
    await reader.read();
    await reader.read();
    expect(reads).toBeLessThanOrEqual(4);
    await reader.cancel();
    feed.wake();
    expect(reads).toBeLessThanOrEqual(4);
  });
});
