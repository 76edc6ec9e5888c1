import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pacedBody } from "../../../src/models/paced-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A body whose pieces come when the test says so. */
function source() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled: unknown = null;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel(reason) {
      cancelled = reason;
    },
  });
  return {
    body,
    give: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
    cancelled: () => cancelled,
  };
}

/** Reads on and notes each chunk, and how the body ended. */
function reading(body: ReadableStream<Uint8Array>): string[] {
  const seen: string[] = [];
  const reader = body.getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      seen.push(done ? "(end)" : new TextDecoder().decode(value));
      if (done) return;
    }
  };
  read().catch((error: unknown) => seen.push(String(error)));
  return seen;
}

test("the first piece goes on at once, and what follows within the gap as one", async () => {
  const { body, give } = source();
  const seen = reading(pacedBody(body, 10));
  for (const text of ["a", "b", "c"]) give(text);
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(4);
  give("d");
  await vi.advanceTimersByTimeAsync(5);
  expect(seen).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["a", "bcd"]);
});

test("pieces further apart than the gap go on at once, each by itself", async () => {
  const { body, give } = source();
  const seen = reading(pacedBody(body, 10));
  for (const text of ["a", "b", "c"]) {
    give(text);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.at(-1)).toBe(text);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(seen).toEqual(["a", "b", "c"]);
});

test("the end does not wait", async () => {
  const { body, give, end } = source();
  const seen = reading(pacedBody(body, 10));
  give("a");
  await vi.advanceTimersByTimeAsync(0);
  give("b");
  give("c");
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["a", "bc", "(end)"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what came before a failure is handed over before it", async () => {
  const { body, give, fail } = source();
  const seen = reading(pacedBody(body, 10));
  give("a");
  await vi.advanceTimersByTimeAsync(0);
  give("b");
  await vi.advanceTimersByTimeAsync(1);
  fail(new Error("cut"));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["a", "b", "Error: cut"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a large piece does not wait for more", async () => {
  const { body, give } = source();
  const seen = reading(pacedBody(body, 10));
  give("a");
  give("b".repeat(65_536));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.map(({ length }) => length)).toEqual([1, 65_536]);
});

test("whoever stops reading stops the source at once, with the reason", async () => {
  const { body, give, cancelled } = source();
  const reader = pacedBody(body, 10).getReader();
  give("a");
  await reader.read();
  const waiting = reader.read();
  give("b");
  await vi.advanceTimersByTimeAsync(1);
  const reason = new Error("enough");
  await reader.cancel(reason);
  expect(cancelled()).toBe(reason);
  expect((await waiting).done).toBe(true);
  await vi.advanceTimersByTimeAsync(20);
  expect(vi.getTimerCount()).toBe(0);
});

test("any pieces at any times are the same bytes", async () => {
  const piece = fc.record({ text: fc.string({ minLength: 1 }), afterMs: fc.nat({ max: 25 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 20 }), async (pieces, gapMs) => {
      const { body, give, end } = source();
      const seen = reading(pacedBody(body, gapMs));
      for (const { text, afterMs } of pieces) {
        await vi.advanceTimersByTimeAsync(afterMs);
        give(text);
      }
      end();
      await vi.advanceTimersByTimeAsync(0);
      expect(seen.pop()).toBe("(end)");
      expect(seen.join("")).toBe(pieces.map(({ text }) => text).join(""));
    }),
  );
});
