import { describe, expect, test } from "vitest";
import { retryAfter, retryDelay } from "../../../src/models/retry-delay.ts";
import { watchForStall } from "../../../src/models/stall-watch.ts";
import { systemTiming, type Timing } from "../../../src/models/timing.ts";

describe("retryDelay", () => {
  test.each([
    [1, null, 0.5, 500],
    [2, null, 0.5, 1_000],
    [3, null, 0.999, 3_996],
    [1, null, 0, 0],
    [12, null, 0.5, 15_000],
    [1, 7_000, 0.5, 7_000],
    [1, 0, 0.5, 0],
    [1, 3_600_000, 0.5, 30_000],
  ])("retry %i, asked for %s, random %d: %i ms", (retry, asked, random, ms) => {
    expect(retryDelay(retry, asked, () => random)).toBe(ms);
  });
});

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0.25" }, 250],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
  [{ "retry-after": "Sun, 18 Oct 2026 00:00:12 GMT" }, 12_000],
  [{ "retry-after": "Sat, 17 Oct 2026 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after-ms": "-5" }, null],
  [{}, null],
])("retryAfter %j", (headers, ms) => {
  expect(retryAfter(headers, Date.UTC(2026, 9, 18))).toBe(ms);
});

/** A clock moved by hand: sleeps end when it passes their time. */
function handTiming(): Timing & { advance(ms: number): Promise<void>; pending(): number } {
  let now = 0;
  let sleeps: { until: number; wake: () => void }[] = [];
  return {
    now: () => now,
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleep = { until: now + ms, wake: resolve };
        sleeps.push(sleep);
        signal.addEventListener("abort", () => {
          sleeps = sleeps.filter((one) => one !== sleep);
          resolve();
        });
      }),
    async advance(ms) {
      now += ms;
      const due = sleeps.filter(({ until }) => until <= now);
      sleeps = sleeps.filter(({ until }) => until > now);
      for (const { wake } of due) wake();
      await new Promise((resolve) => setTimeout(resolve));
    },
    pending: () => sleeps.length,
  };
}

describe("watchForStall", () => {
  test("fires once, when a wait has lasted the whole limit", async () => {
    const timing = handTiming();
    const ended = new AbortController();
    let stalls = 0;
    const watch = watchForStall(100, timing, ended.signal, () => {
      stalls += 1;
    });
    await timing.advance(30);
    watch.waiting();
    await timing.advance(99);
    expect(stalls).toBe(0);
    await timing.advance(1);
    expect(stalls).toBe(1);
    await timing.advance(500);
    expect(stalls).toBe(1);
    expect(timing.pending()).toBe(0);
  });

  test("what arrives in time starts the limit anew", async () => {
    const timing = handTiming();
    const ended = new AbortController();
    let stalls = 0;
    const watch = watchForStall(100, timing, ended.signal, () => {
      stalls += 1;
    });
    for (let piece = 0; piece < 5; piece += 1) {
      watch.waiting();
      await timing.advance(80);
      watch.arrived();
    }
    expect(stalls).toBe(0);
    watch.waiting();
    await timing.advance(99);
    expect(stalls).toBe(0);
    await timing.advance(1);
    expect(stalls).toBe(1);
  });

  test("a reader that takes its time is no stall", async () => {
    const timing = handTiming();
    const ended = new AbortController();
    let stalls = 0;
    const watch = watchForStall(100, timing, ended.signal, () => {
      stalls += 1;
    });
    watch.waiting();
    watch.arrived();
    for (let step = 0; step < 10; step += 1) await timing.advance(100);
    expect(stalls).toBe(0);
    ended.abort();
  });

  test("stopping it leaves no timer and never fires", async () => {
    const timing = handTiming();
    const ended = new AbortController();
    let stalls = 0;
    const watch = watchForStall(100, timing, ended.signal, () => {
      stalls += 1;
    });
    watch.waiting();
    ended.abort();
    expect(timing.pending()).toBe(0);
    await timing.advance(1_000);
    expect(stalls).toBe(0);
  });
});

test("a system sleep ends when its signal does, or at once when it already has", async () => {
  const { now, sleep } = systemTiming();
  const abort = new AbortController();
  const before = now();
  setTimeout(() => abort.abort(), 10);
  await sleep(60_000, abort.signal);
  await sleep(60_000, abort.signal);
  expect(now() - before).toBeLessThan(5_000);
});
