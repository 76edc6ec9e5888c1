import { describe, expect, test, vi } from "vitest";
import { EventQueue } from "../../../../src/agents/runtime/event-queue.ts";

async function all<T>(queue: EventQueue<T>): Promise<T[][]> {
  const batches: T[][] = [];
  for await (const batch of queue) batches.push(batch);
  return batches;
}

describe("a queue of events", () => {
  test("gives what is pushed in order, everything that is ready at once", async () => {
    const queue = new EventQueue<number>(() => undefined);
    const reading = all(queue);
    queue.push(1);
    queue.push(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    queue.push(3);
    queue.end();
    expect(await reading).toEqual([[1, 2], [3]]);
  });

  test("keeps what came before its reader, and ends", async () => {
    const leave = vi.fn();
    const queue = new EventQueue<number>(leave);
    queue.push(1);
    queue.end();
    expect(await all(queue)).toEqual([[1]]);
    expect(await all(queue)).toEqual([]);
    expect(leave).not.toHaveBeenCalled();
  });

  test("tells when its reader leaves, at once, also while it waits", async () => {
    const leave = vi.fn();
    const queue = new EventQueue<number>(leave);
    const events = queue[Symbol.asyncIterator]();
    const waiting = events.next();
    await events.return?.();
    expect(leave).toHaveBeenCalledTimes(1);
    expect(await waiting).toEqual({ done: true, value: undefined });
    queue.push(1);
    expect((await events.next()).done).toBe(true);
    await events.return?.();
    expect(leave).toHaveBeenCalledTimes(1);
  });
});
