import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sseResponse } from "../../../../src/wires/sse.ts";

const options = { heartbeat: ": ping\n\n", heartbeatMs: 5_000 };

/** Frames that a test lets out one by one. */
class Frames implements AsyncIterableIterator<string> {
  returned = 0;
  asked = 0;
  private waiting: PromiseWithResolvers<IteratorResult<string>> | null = null;

  next(): Promise<IteratorResult<string>> {
    this.asked += 1;
    this.waiting = Promise.withResolvers();
    return this.waiting.promise;
  }

  async return(): Promise<IteratorResult<string>> {
    this.returned += 1;
    return { done: true, value: undefined };
  }

  send(value: string): void {
    this.waiting?.resolve({ done: false, value });
  }

  end(): void {
    this.waiting?.resolve({ done: true, value: undefined });
  }

  fail(error: Error): void {
    this.waiting?.reject(error);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

async function* of(...frames: string[]): AsyncGenerator<string> {
  yield* frames;
}

function readerOf(response: Response): () => Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no body");
  return async () => {
    const { done, value } = await reader.read();
    return done ? null : new TextDecoder().decode(value);
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the SSE writer", () => {
  test("says what it is, keeps proxies from buffering, and adds the caller's headers", () => {
    const response = sseResponse(of(), { ...options, headers: { "request-id": "r1" } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "request-id": "r1",
    });
  });

  test("sends each item as it is, skips empty ones and closes after the last", async () => {
    const next = readerOf(sseResponse(of("data: 1\n\n", "", "data: é2\n\ndata: 3\n\n", ""), options));
    expect(await next()).toBe("data: 1\n\n");
    expect(await next()).toBe("data: é2\n\ndata: 3\n\n");
    expect(await next()).toBe(null);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("sends heartbeats while it waits, and none that the client has not taken yet", async () => {
    const frames = new Frames();
    const next = readerOf(sseResponse(frames, options));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(20_001);
    expect(await next()).toBe(": ping\n\n");
    frames.send("data: 1\n\n");
    expect(await next()).toBe("data: 1\n\n");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await next()).toBe(": ping\n\n");
    frames.end();
    expect(await next()).toBe(null);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("asks for no more than the client takes", async () => {
    const frames = new Frames();
    const next = readerOf(sseResponse(frames, options));
    await vi.advanceTimersByTimeAsync(0);
    expect(frames.asked).toBe(1);
    frames.send("a");
    await vi.advanceTimersByTimeAsync(0);
    expect(frames.asked).toBe(1);
    expect(await next()).toBe("a");
    await vi.advanceTimersByTimeAsync(0);
    expect(frames.asked).toBe(2);
  });

  test("a client that leaves ends the frames at once, though one is awaited", async () => {
    const frames = new Frames();
    const response = sseResponse(frames, options);
    await vi.advanceTimersByTimeAsync(0);
    expect(frames.asked).toBe(1);
    await response.body?.cancel();
    expect(frames.returned).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    frames.send("too late");
    await vi.advanceTimersByTimeAsync(0);
    expect(frames.asked).toBe(1);
  });

  test("frames that throw break the connection and stop the heartbeat", async () => {
    const frames = new Frames();
    const next = readerOf(sseResponse(frames, options));
    await vi.advanceTimersByTimeAsync(0);
    frames.fail(new Error("ours"));
    await expect(next()).rejects.toThrow("ours");
    expect(vi.getTimerCount()).toBe(0);
  });
});
