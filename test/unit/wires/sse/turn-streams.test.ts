import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TurnEvent } from "../../../../src/turn/index.ts";
import { abortable } from "../../../../src/wires/abortable.ts";
import { collectTurn } from "../../../../src/wires/collect-turn.ts";
import { openTurn } from "../../../../src/wires/open-turn.ts";
import { turnFrames } from "../../../../src/wires/sse-turn.ts";
import { batches, rateLimited, start, success, text, turn } from "../turns.ts";

/** Events that a test lets out batch by batch, with a `return()` that acts at once. */
class Events implements AsyncIterableIterator<TurnEvent[]> {
  returned = 0;
  private readonly ready: TurnEvent[][] = [];
  private waiting: PromiseWithResolvers<IteratorResult<TurnEvent[]>> | null = null;

  next(): Promise<IteratorResult<TurnEvent[]>> {
    const value = this.ready.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    this.waiting = Promise.withResolvers();
    return this.waiting.promise;
  }

  async return(): Promise<IteratorResult<TurnEvent[]>> {
    this.returned += 1;
    return { done: true, value: undefined };
  }

  send(...value: TurnEvent[]): void {
    if (this.waiting === null) this.ready.push(value);
    else this.waiting.resolve({ done: false, value });
    this.waiting = null;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const names = { encode: (event: TurnEvent) => `${event.type};`, breakOff: () => "broken off" };
const end: TurnEvent = { type: "turn-end", outcome: success() };

describe("opening a turn", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("waits for something to tell and gives every event out", async () => {
    const events = turn(success(), ...text("msg_1", "x"));
    const opened = await openTurn(batches([start], events.slice(1, 3), events.slice(3)), 5_000);
    if (!opened.ok) throw new Error("failed");
    expect(opened.answeredBy).toEqual({ model: "openai/gpt-5-mini", scripted: false });
    expect((await all(opened.events)).flat()).toEqual(events);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("tells a turn that fails before anything was said", async () => {
    const events = turn({ type: "failed", failure: rateLimited });
    expect(await openTurn(batches(events.slice(0, 1), events.slice(1)), 5_000)).toEqual({
      ok: false,
      answeredBy: { model: "openai/gpt-5-mini", scripted: false },
      failure: rateLimited,
    });
    expect(await openTurn(batches([start]), 5_000)).toMatchObject({
      ok: false,
      failure: { code: "interrupted" },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("keeps a failure after the first word for the stream", async () => {
    const events = turn({ type: "failed", failure: rateLimited }, ...text("msg_1", "x"));
    expect(await openTurn(batches(events), 5_000)).toMatchObject({ ok: true });
  });

  test("holds for so long, not counting the wait for the first event, and loses none", async () => {
    const events = new Events();
    const opening = openTurn(events, 5_000);
    await vi.advanceTimersByTimeAsync(60_000);
    events.send(start);
    await vi.advanceTimersByTimeAsync(5_000);
    const opened = await opening;
    if (!opened.ok) throw new Error("failed");
    const frames = turnFrames(opened.events, names, () => undefined)[Symbol.asyncIterator]();
    expect(await frames.next()).toEqual({ done: false, value: "turn-start;" });
    const next = frames.next();
    events.send(...text("msg_1", "x"), end);
    expect(await next).toEqual({ done: false, value: "text-start;text-delta;text-end;turn-end;" });
    expect(await frames.next()).toEqual({ done: true, value: undefined });
    expect(events.returned).toBe(1);
  });

  test("passes on that the reader left, though an event is awaited", async () => {
    const events = new Events();
    const opening = openTurn(events, 5_000);
    events.send(start);
    await vi.advanceTimersByTimeAsync(5_000);
    const opened = await opening;
    if (!opened.ok) throw new Error("failed");
    const frames = turnFrames(opened.events, names, () => undefined)[Symbol.asyncIterator]();
    await frames.next();
    const awaited = frames.next();
    await frames.return?.();
    expect(events.returned).toBe(1);
    events.send(...text("msg_1", "too late"));
    expect(await awaited).toEqual({ done: true, value: undefined });
  });
});

describe("frames", () => {
  test("end with the turn, whatever comes after it", async () => {
    const frames = turnFrames(batches([start], [end, start], [start]), names, () => undefined);
    expect(await all(frames)).toEqual(["turn-start;", "turn-end;turn-start;"]);
  });

  test("end with the break when the turn has no end or throws", async () => {
    expect(await all(turnFrames(batches([start]), names, () => undefined))).toEqual([
      "turn-start;",
      "broken off",
    ]);
    async function* throwing(): AsyncGenerator<TurnEvent[]> {
      yield [start];
      throw new Error("ours");
    }
    const seen: unknown[] = [];
    const frames = turnFrames(throwing(), names, (thrown) => {
      seen.push(thrown);
    });
    expect(await all(frames)).toEqual(["turn-start;", "broken off"]);
    expect(seen).toEqual([new Error("ours")]);
  });
});

describe("events of a request that is aborted", () => {
  test("throw the reason at once and end the source", async () => {
    const events = new Events();
    const abort = new AbortController();
    const items = abortable(events, abort.signal)[Symbol.asyncIterator]();
    events.send(start);
    expect(await items.next()).toEqual({ done: false, value: [start] });
    const awaited = items.next();
    abort.abort(new Error("left"));
    await expect(awaited).rejects.toThrow("left");
    expect(events.returned).toBe(1);
    await expect(items.next()).rejects.toThrow("left");
  });

  test("are not read at all when it was aborted before", async () => {
    const events = new Events();
    const items = abortable(events, AbortSignal.abort(new Error("left")))[Symbol.asyncIterator]();
    expect(events.returned).toBe(1);
    await expect(items.next()).rejects.toThrow("left");
  });

  test("leave nothing behind when they end before that", async () => {
    const abort = new AbortController();
    const source = batches([start]);
    const returned = vi.spyOn(source, "return");
    expect(await all(abortable(source, abort.signal))).toEqual([[start]]);
    abort.abort();
    expect(returned).not.toHaveBeenCalled();
  });
});

describe("collecting", () => {
  test("stops at the turn's end and takes a missing one for a failure", async () => {
    const events = new Events();
    events.send(start, end);
    expect(await collectTurn(events)).toMatchObject({ outcome: success(), blocks: [] });
    expect(events.returned).toBe(1);
    expect(await collectTurn(batches([]))).toEqual({
      answeredBy: null,
      blocks: [],
      usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      outcome: {
        type: "failed",
        failure: {
          code: "interrupted",
          message: "The turn broke off before it was finished.",
          retryable: true,
        },
      },
    });
  });
});
