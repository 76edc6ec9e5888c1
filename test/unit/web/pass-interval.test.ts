import { expect, test } from "vitest";
import { interval } from "../../../web/src/pages/rehearsals/pass-interval.ts";

test("is Wilson's interval with a task as the unit", () => {
  const rounded = (mean: number, n: number) => {
    const { low, high } = interval(mean, n);
    return [Number(low.toFixed(4)), Number(high.toFixed(4))];
  };
  // Published values: 0 of 10, 5 of 10, 10 of 10, 1 of 29.
  expect(rounded(0, 10)).toEqual([0, 0.2775]);
  expect(rounded(0.5, 10)).toEqual([0.2366, 0.7634]);
  expect(rounded(1, 10)).toEqual([0.7225, 1]);
  expect(rounded(1 / 29, 29)).toEqual([0.0061, 0.1718]);
});

test("says nothing where nothing was graded", () => {
  expect(interval(0, 0)).toEqual({ low: 0, high: 1 });
});
