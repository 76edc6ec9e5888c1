import { expect, it } from "vitest";
import { dateAt } from "../../../../src/table/brains/embedded/dates.ts";
import { numberAt } from "../../../../src/table/brains/embedded/numbers.ts";
import { tokenise } from "../../../../src/table/brains/embedded/tokenise.ts";

it.each([
  ["today", "2026-11-18", "2026-11-18"],
  ["this week", "2026-11-16", "2026-11-22"],
  ["last week", "2026-11-09", "2026-11-15"],
  ["next month", "2026-12-01", "2026-12-31"],
  ["last month", "2026-10-01", "2026-10-31"],
  ["this quarter", "2026-10-01", "2026-12-31"],
  ["last year", "2025-01-01", "2025-12-31"],
  ["last 7 days", "2026-11-12", "2026-11-18"],
  ["past two weeks", "2026-11-05", "2026-11-18"],
  ["the next 3 days", "2026-11-18", "2026-11-20"],
  ["last 3 months", "2026-08-19", "2026-11-18"],
  ["3 days ago", "2026-11-15", "2026-11-15"],
  ["Q3", "2026-07-01", "2026-09-30"],
  ["Q1 2025", "2025-01-01", "2025-03-31"],
  ["October", "2026-10-01", "2026-10-31"],
  ["Feb 2024", "2024-02-01", "2024-02-29"],
  ["5 October", "2026-10-05", "2026-10-05"],
  ["October 5th, 2025", "2025-10-05", "2025-10-05"],
  ["the 5th of October", "2026-10-05", "2026-10-05"],
  ["the 20th", "2026-11-20", "2026-11-20"],
  ["Friday", "2026-11-20", "2026-11-20"],
  ["Monday", "2026-11-23", "2026-11-23"],
  ["next Friday", "2026-11-27", "2026-11-27"],
  ["last December", "2025-12-01", "2025-12-31"],
  ["2024-02-29", "2024-02-29", "2024-02-29"],
])("reads %j as seen on a Wednesday, 18 November 2026", (text, from, to) => {
  expect(dateAt(tokenise(text), 0, "2026-11-18")?.span).toMatchObject({ from, to });
});

it.each(["2025-02-29", "31 November", "constructor", "may", "last 0 days", "last 99999 years", "5", "the"])(
  "reads no date from %j",
  (text) => {
    expect(dateAt(tokenise(text), 0, "2026-11-18")).toBeNull();
  },
);

it("gives weeks across a turn of year, and months of a leap year", () => {
  expect(dateAt(tokenise("this week"), 0, "2027-01-01")?.span).toEqual({
    from: "2026-12-28",
    to: "2027-01-03",
    relative: "thisWeek",
  });
  expect(dateAt(tokenise("last month"), 0, "2028-03-31")?.span).toEqual({
    from: "2028-02-01",
    to: "2028-02-29",
    relative: "previousMonth",
  });
});

it.each([
  ["80k", 80_000, "likely"],
  ["$1,250.50", 1_250.5, "certain"],
  ["€20", 20, "certain"],
  ["65 thousand", 65_000, "likely"],
  ["1.5m", 1_500_000, "likely"],
  ["20 euros", 20, "certain"],
  ["twelve", 12, null],
  ["1,000, newest", 1_000, null],
])("reads the number %j", (text, value, money) => {
  expect(numberAt(tokenise(text), 0)).toMatchObject({ value, money, percent: false });
});

it("tells percent from numbers, and ordinals from both", () => {
  expect(numberAt(tokenise("5%"), 0)).toMatchObject({ value: 5, percent: true });
  expect(numberAt(tokenise("10 percent"), 0)).toMatchObject({ value: 10, percent: true, next: 2 });
  expect(numberAt(tokenise("20th"), 0)).toBeNull();
  expect(numberAt(tokenise("SO-1010"), 0)).toBeNull();
});
