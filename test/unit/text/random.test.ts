import { expect, test } from "vitest";
import { seededRandom } from "../../../src/sandtable/random.ts";

const draw = (count: number, next: () => number) => Array.from({ length: count }, next);

test("equal seed and parts give the same numbers, for ever", () => {
  expect(draw(3, seededRandom(7, "task", 0))).toEqual(draw(3, seededRandom(7, "task", 0)));
  expect(draw(3, seededRandom(7, "task", 0)).map((n) => n.toFixed(6))).toMatchInlineSnapshot(`
    [
      "0.487463",
      "0.837145",
      "0.747140",
    ]
  `);
});

test("any part makes another sequence", () => {
  const first = [
    seededRandom(1),
    seededRandom(2),
    seededRandom(1, "a"),
    seededRandom(1, "a", 0),
    seededRandom(1, "a0"),
  ];
  expect(new Set(first.map((next) => next())).size).toBe(5);
});

test("numbers are spread over [0, 1)", () => {
  const numbers = draw(10_000, seededRandom(42));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  const mean = numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
});
