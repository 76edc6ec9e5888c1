import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCron, nextCron } from "../../../src/workflows/runtime/cron.ts";
import { durationMs } from "../../../src/workflows/runtime/duration.ts";
import { refuseEndlessWait } from "../../../src/workflows/runtime/endless-wait.ts";
import { payloadIssues, readDecision } from "../../../src/workflows/runtime/hook-decision.ts";
import { jsonBytes, readJsonValue, sameJson } from "../../../src/workflows/runtime/json-value.ts";
import { retryDelayMs, triesAgain } from "../../../src/workflows/runtime/retry-policy.ts";

describe("a duration", () => {
  it("is read in every spelling", () => {
    const hour = 3_600_000;
    expect(
      [
        "24h",
        "90m",
        "1h30m",
        "2 days",
        "1.5 hours",
        "10 s",
        "250ms",
        "1w",
        "PT24H",
        "P1DT2H",
        "PT0.5S",
        "0s",
      ].map(durationMs),
    ).toEqual([
      24 * hour,
      1.5 * hour,
      1.5 * hour,
      48 * hour,
      1.5 * hour,
      10_000,
      250,
      168 * hour,
      24 * hour,
      26 * hour,
      500,
      0,
    ]);
    expect(durationMs(1_500)).toBe(1_500);
  });

  it("is refused when it is none, or too long", () => {
    for (const text of ["", "h", "24", "1 fortnight", "-1h", "P", "PT", "1h and more", "24hh"])
      expect(() => durationMs(text), text).toThrow(`${JSON.stringify(text)} is no duration`);
    for (const number of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => durationMs(number)).toThrow("is no duration");
    expect(() => durationMs("366 days")).toThrow('"366 days" is longer than 365 days');
  });
});

describe("a value", () => {
  it("that JSON carries comes back as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__":'));
        // JSON has no -0.
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(readJsonValue(plain)).toEqual({ ok: true, value: plain });
        expect(sameJson(plain as never, structuredClone(plain) as never)).toBe(true);
        expect(jsonBytes(JSON.stringify(value))).toBe(new TextEncoder().encode(JSON.stringify(value)).length);
      }),
    );
  });

  it("that it would change is refused, with the place", () => {
    const inner: { self?: unknown } = {};
    inner.self = inner;
    const refused: [unknown, string][] = [
      [
        { items: [{ at: new Date(0) }] },
        "value.items[0].at is a Date, which JSON cannot carry; use plain objects, texts and numbers",
      ],
      [new Map(), "value is a Map, which JSON cannot carry; use plain objects, texts and numbers"],
      [{ n: Number.NaN }, "value.n is NaN, which JSON cannot carry"],
      [[1n], "value[0] is a bigint, which JSON cannot carry"],
      [{ f: () => 1 }, "value.f is a function, which JSON cannot carry"],
      [inner, "value.self contains itself"],
      [JSON.parse('{"__proto__": 1}'), 'value has a key named "__proto__"'],
    ];
    for (const [value, message] of refused) expect(readJsonValue(value)).toEqual({ ok: false, message });
    expect(readJsonValue(undefined)).toEqual({ ok: true, value: null });
    expect(readJsonValue({ a: undefined, b: [undefined] })).toEqual({ ok: true, value: { b: [null] } });
  });

  it("is the same whatever the order of its members", () => {
    expect(sameJson({ a: 1, b: [{ c: 2, d: null }] }, { b: [{ d: null, c: 2 }], a: 1 })).toBe(true);
    for (const other of [{ a: 1 }, { a: 1, b: [] }, { a: 1, b: [{ c: 2 }] }, [1], null, "a"])
      expect(sameJson({ a: 1, b: [{ c: 2, d: null }] }, other)).toBe(false);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson({ a: null }, { b: null })).toBe(false);
  });
});

describe("a decision", () => {
  it("is read in each of its spellings", () => {
    const approved = { ok: true, decision: { status: "approved" } };
    expect(readDecision({ status: "approved" })).toEqual(approved);
    expect(readDecision({ approved: true })).toEqual(approved);
    expect(readDecision({ approved: false, reason: "no" })).toEqual({
      ok: true,
      decision: { status: "rejected", comment: "no" },
    });
    expect(readDecision({ status: "approved", editedPayload: { a: 1 }, comment: "x" })).toEqual({
      ok: true,
      decision: { status: "approved", payload: { a: 1 }, comment: "x" },
    });
    expect(readDecision({})).toMatchObject({ ok: false, issues: [{ path: "status" }] });
    expect(readDecision({ status: "approved", approved: false })).toMatchObject({
      ok: false,
      issues: [{ path: "approved", message: "contradicts `status`" }],
    });
  });

  it("is held to the schema of its hook", () => {
    const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    expect(payloadIssues(schema, { text: "a" })).toEqual([]);
    expect(payloadIssues(schema, { text: 1 }).map(({ path }) => path)).toEqual(["text"]);
    expect(payloadIssues(null, 1)).toEqual([]);
  });
});

describe("attempts", () => {
  it("are as many as the step wants, and those the runtime died in do not count", () => {
    const again = (failed: number, lost = 0, maxRetries = 3) =>
      triesAgain({ maxRetries, failed, lost }, "failed");
    expect([1, 2, 3, 4].map((failed) => again(failed))).toEqual([true, true, true, false]);
    expect(again(1, 0, 0)).toBe(false);
    expect(triesAgain({ maxRetries: 3, failed: 3, lost: 20 }, "lost")).toBe(true);
    expect(triesAgain({ maxRetries: 3, failed: 0, lost: 21 }, "lost")).toBe(false);
    expect(triesAgain({ maxRetries: 0, failed: 0, lost: 1 }, "lost")).toBe(false);
    expect([1, 2, 3, 4, 10].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 8_000, 60_000]);
  });
});

describe("a run that would be waited for without end", () => {
  const serial = { name: "one", serial: true };
  const free = { name: "free", serial: false };
  it("is refused: of a serial workflow that waits for it, or too deep", () => {
    expect(() => refuseEndlessWait(serial, ["one"])).toThrow(/it would wait for itself/);
    expect(() => refuseEndlessWait(serial, ["one", "free"])).toThrow(
      expect.objectContaining({ code: "workflow_waits_for_itself" }),
    );
    expect(() => refuseEndlessWait(free, new Array<string>(33).fill("free"))).toThrow(
      expect.objectContaining({ code: "workflow_nested_too_deep" }),
    );
  });

  it("is not otherwise", () => {
    expect(() => refuseEndlessWait(serial, [])).not.toThrow();
    expect(() => refuseEndlessWait(serial, ["free", "two"])).not.toThrow();
    expect(() => refuseEndlessWait(free, new Array<string>(32).fill("free"))).not.toThrow();
    expect(() => refuseEndlessWait(undefined, [])).not.toThrow();
  });
});

describe("a schedule", () => {
  it("names its next time, UTC", () => {
    const sunday = Date.UTC(2026, 10, 29, 12);
    expect(nextCron("0 6 * * 1", sunday)).toBe(Date.UTC(2026, 10, 30, 6));
    expect(nextCron("*/15 * * * *", sunday)).toBe(sunday + 900_000);
    expect(checkCron("*/15 * * * *")).toBeNull();
    expect(checkCron("* * * * * *")).toBe("is not five fields: minute hour day month weekday");
    expect(checkCron("61 * * * *")).toContain("is no cron expression");
    expect(checkCron("0 0 30 2 *")).toBe("never comes: there is no such day");
    expect(checkCron("0 0 29 2 *")).toBeNull();
    const leap = nextCron("0 0 29 2 *", Date.parse("2026-11-30T00:00:00Z")) ?? 0;
    expect(new Date(leap).toISOString()).toBe("2028-02-29T00:00:00.000Z");
    // The night in which clocks go forward, and back, in many places: UTC has each hour once.
    const next = (after: string) => new Date(nextCron("30 2 * * *", Date.parse(after)) ?? 0).toISOString();
    expect(next("2026-03-29T02:29:59Z")).toBe("2026-03-29T02:30:00.000Z");
    expect(next("2026-03-29T02:30:00Z")).toBe("2026-03-30T02:30:00.000Z");
    expect(next("2026-10-25T00:30:00Z")).toBe("2026-10-25T02:30:00.000Z");
  });
});
