import fc from "fast-check";
import { expect, test } from "vitest";
import { passHatK, passHatKs } from "../../../src/sandtable/verdict/pass-hat-k.ts";

/** Counts the k-subsets of n trials, of which the first c passed, that hold only passed ones. */
function enumerate(n: number, c: number, k: number): number {
  let all = 0;
  let passed = 0;
  for (let mask = 0; mask < 1 << n; mask += 1) {
    const chosen = Array.from({ length: n }, (_, trial) => trial).filter((trial) => mask & (1 << trial));
    if (chosen.length !== k) continue;
    all += 1;
    if (chosen.every((trial) => trial < c)) passed += 1;
  }
  return passed / all;
}

test("pass^k is the share of k-subsets whose trials all passed, to the last bit", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 8 })
        .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n }))),
      ([n, c, k]) => {
        expect(passHatK(n, c, k)).toBe(enumerate(n, c, k));
      },
    ),
    { numRuns: 400 },
  );
});

test("known values", () => {
  expect(passHatK(4, 3, 1)).toBe(0.75);
  expect(passHatK(4, 3, 2)).toBe(0.5);
  expect(passHatK(4, 3, 3)).toBe(0.25);
  expect(passHatK(4, 3, 4)).toBe(0);
  expect(passHatK(8, 5, 3)).toBe(10 / 56);
  expect(passHatK(1, 1, 1)).toBe(1);
  expect(passHatK(1, 0, 1)).toBe(0);
});

test("many trials neither overflow nor lose precision", () => {
  expect(passHatK(2000, 2000, 1000)).toBe(1);
  expect(passHatK(2000, 1999, 1000)).toBeCloseTo(0.5, 12);
  // C(999,500)/C(1000,500) = 1/2 and C(998,500)/C(1000,500) = 500*499/(1000*999).
  expect(passHatK(1000, 998, 500)).toBeCloseTo((500 * 499) / (1000 * 999), 12);
  expect(passHatK(10_000, 5_000, 5_000)).toBe(0);
});

test("a series has one value for each k and falls", () => {
  expect(passHatKs(3, 2)).toEqual([2 / 3, 1 / 3, 0]);
  expect(passHatKs(5, 4, 2)).toEqual([0.8, 0.6]);
  expect(passHatKs(0, 0)).toEqual([]);
  const series = passHatKs(200, 190);
  expect(series).toHaveLength(200);
  expect(series.every((value, i) => value >= 0 && value <= (series[i - 1] ?? 1))).toBe(true);
  expect(series[190]).toBe(0);
});

test("what is not a count of trials is refused", () => {
  for (const [n, c, k] of [
    [3, 4, 1],
    [3, -1, 1],
    [3, 1, 0],
    [3, 1, 4],
    [0, 0, 1],
    [3, 1.5, 1],
    [Number.NaN, 1, 1],
  ] as const)
    expect(() => passHatK(n, c, k)).toThrow(RangeError);
});
