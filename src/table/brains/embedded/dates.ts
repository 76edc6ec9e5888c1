import { addDays, addMonths, dayOf, isDay, mondayOf, monthOf, monthSpan, weekdayOf } from "./calendar.ts";
import { numberAt } from "./numbers.ts";
import type { Token } from "./tokenise.ts";

/** Days from one to another, both included; one of them may be open. `relative` is the filter bag's word for them. */
export interface DaySpan {
  from?: string;
  to?: string;
  relative?: string;
}

export interface SaidDate {
  span: { from: string; to: string; relative?: string };
  next: number;
}

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const unitWords: Record<string, "day" | "week" | "month" | "quarter" | "year"> = {
  day: "day",
  days: "day",
  week: "week",
  weeks: "week",
  month: "month",
  months: "month",
  quarter: "quarter",
  quarters: "quarter",
  year: "year",
  years: "year",
};
const nearDays: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["yesterday", -1],
  ["tomorrow", 1],
]);
const back: ReadonlySet<string> = new Set(["last", "past", "previous", "prior"]);
const ahead: ReadonlySet<string> = new Set(["next", "coming", "upcoming", "following"]);
const current: ReadonlySet<string> = new Set(["this", "current"]);

/** The date or range of dates at a token, as seen from `today`; null when there is none. */
export function dateAt(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const word = wordAt(tokens, at);
  if (word === "the") return theDay(tokens, at, today);
  if (isDay(word)) return day(word, at + 1);
  const named = nearDays.get(word);
  if (named !== undefined) return { span: { ...one(addDays(today, named)), relative: word }, next: at + 1 };
  const ofYear = quarter(tokens, at, today);
  if (ofYear !== null) return ofYear;
  if (back.has(word) || ahead.has(word) || current.has(word)) return around(tokens, at, today);
  return ago(tokens, at, today) ?? monthDay(tokens, at, today) ?? weekday(tokens, at, today);
}

/** A year on its own, which is a date only where one is expected: `in 2022`, `since 2020`. */
export function yearAt(tokens: readonly Token[], at: number): SaidDate | null {
  const word = wordAt(tokens, at);
  return /^(?:19|20)\d\d$/.test(word) ? { span: yearSpan(Number(word)), next: at + 1 } : null;
}

/** A day without a month, completed by the date that follows it: the first of `5 and 20 October`. */
export function dayBefore(tokens: readonly Token[], at: number, end: { from: string }): SaidDate | null {
  const value = tokens[at]?.number?.value;
  if (value === undefined || !Number.isInteger(value)) return null;
  const made = dayOf(Number(end.from.slice(0, 4)), Number(end.from.slice(5, 7)) - 1, value);
  return made === null ? null : day(made, at + 1);
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? "";
}

function one(date: string): { from: string; to: string } {
  return { from: date, to: date };
}

function day(date: string, next: number): SaidDate {
  return { span: one(date), next };
}

function yearSpan(year: number): { from: string; to: string } {
  return monthSpan(year * 12, 12);
}

function around(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const lead = wordAt(tokens, at);
  const way = back.has(lead) ? -1 : ahead.has(lead) ? 1 : 0;
  const count = way === 0 ? null : numberAt(tokens, at + 1);
  const unit = unitAt(tokens, count?.next ?? at + 1);
  if (unit !== null && count !== null) return counted(way, count.value, unit, count.next + 1, today);
  if (unit !== null) return { span: unitSpan(unit, way, today), next: at + 2 };
  const index = weekdays.indexOf(wordAt(tokens, at + 1));
  if (index >= 0) return day(addDays(mondayOf(today), index + 7 * way), at + 2);
  const month = monthAt(tokens, at + 1);
  if (month === null) return null;
  const thisMonth = monthOf(today);
  const inYear = thisMonth - (thisMonth % 12) + month;
  const shifted =
    way < 0 && inYear >= thisMonth ? inYear - 12 : way > 0 && inYear <= thisMonth ? inYear + 12 : inYear;
  return { span: monthSpan(shifted), next: at + 2 };
}

/** `last 7 days` counts today; weeks are seven days, and months go back to the same day. */
function counted(way: number, count: number, unit: string, next: number, today: string): SaidDate | null {
  if (!isCount(count, unit)) return null;
  const days = unit === "day" ? count : unit === "week" ? count * 7 : null;
  if (days !== null) {
    const other = addDays(today, way * (days - 1));
    const relative = `${way < 0 ? "last" : "next"}:${days}`;
    return {
      span: { ...(way < 0 ? { from: other, to: today } : { from: today, to: other }), relative },
      next,
    };
  }
  const other = addMonths(today, way * count * (unit === "month" ? 1 : unit === "quarter" ? 3 : 12));
  return {
    span: way < 0 ? { from: addDays(other, 1), to: today } : { from: today, to: addDays(other, -1) },
    next,
  };
}

/** Whether so many units lead to a day that calendars know. */
export function isCount(count: number, unit: string): boolean {
  return (
    Number.isInteger(count) && count >= 1 && count <= (unit === "day" || unit === "week" ? 10_000 : 1_000)
  );
}

function unitSpan(unit: string, way: number, today: string): SaidDate["span"] {
  const month = monthOf(today);
  if (unit === "day") return one(addDays(today, way));
  if (unit === "week") {
    const monday = addDays(mondayOf(today), 7 * way);
    return { from: monday, to: addDays(monday, 6), ...(way === 0 ? { relative: "thisWeek" } : {}) };
  }
  if (unit === "month") {
    const relative = way === 0 ? "thisMonth" : way < 0 ? "previousMonth" : null;
    return { ...monthSpan(month + way), ...(relative === null ? {} : { relative }) };
  }
  if (unit === "quarter") return monthSpan(month - (month % 3) + 3 * way, 3);
  return yearSpan(Math.floor(month / 12) + way);
}

export function unitAt(tokens: readonly Token[], at: number) {
  const word = wordAt(tokens, at);
  return Object.hasOwn(unitWords, word) ? (unitWords[word] ?? null) : null;
}

/** `3 days ago`, `2 weeks ago`. */
function ago(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const count = countAt(tokens, at);
  if (count === null) return null;
  const unit = unitAt(tokens, count.next);
  if (unit === null || !isCount(count.value, unit) || wordAt(tokens, count.next + 1) !== "ago") return null;
  return day(before(today, count.value, unit), count.next + 2);
}

/** How many units: a number, or one for `a month`. */
export function countAt(tokens: readonly Token[], at: number): { value: number; next: number } | null {
  return numberAt(tokens, at) ?? (/^an?$/.test(wordAt(tokens, at)) ? { value: 1, next: at + 1 } : null);
}

/** The day so many units before another. */
export function before(today: string, count: number, unit: string): string {
  if (unit === "day" || unit === "week") return addDays(today, -count * (unit === "week" ? 7 : 1));
  return addMonths(today, -count * (unit === "month" ? 1 : unit === "quarter" ? 3 : 12));
}

/** `Q3`, `Q3 2025`, `the last quarter of 2024`. */
function quarter(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const place = ["first", "second", "third", "fourth", "last"].indexOf(wordAt(tokens, at));
  const of = wordAt(tokens, at + 2) === "of" ? yearAt(tokens, at + 3) : yearAt(tokens, at + 2);
  if (place >= 0 && wordAt(tokens, at + 1) === "quarter" && of !== null)
    return {
      span: monthSpan(Number(of.span.from.slice(0, 4)) * 12 + Math.min(place, 3) * 3, 3),
      next: of.next,
    };
  const number = /^q([1-4])$/.exec(wordAt(tokens, at))?.[1];
  if (number === undefined) return null;
  const year = yearAt(tokens, at + 1);
  const first = Number(year?.span.from.slice(0, 4) ?? today.slice(0, 4)) * 12 + (Number(number) - 1) * 3;
  return { span: monthSpan(first, 3), next: year?.next ?? at + 1 };
}

/** `October`, `October 2025`, `5 October`, `October 5th 2025`, `the 5th of October`. A month alone is this year's. */
function monthDay(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const number = tokens[at]?.number;
  if (number !== undefined) {
    const of = wordAt(tokens, at + 1) === "of" ? 1 : 0;
    const month = monthAt(tokens, at + 1 + of);
    return month === null ? null : dated(tokens, number.value, month, at + 2 + of, today);
  }
  const month = monthAt(tokens, at);
  // "may" is far more often a verb.
  if (
    month === null ||
    (month === 4 && tokens[at + 1]?.number === undefined && wordAt(tokens, at - 1) !== "in")
  )
    return null;
  const next = tokens[at + 1]?.number;
  if (
    next !== undefined &&
    Number.isInteger(next.value) &&
    next.value >= 1 &&
    next.value <= 31 &&
    !next.percent
  )
    return dated(tokens, next.value, month, at + 2, today);
  const year = yearAt(tokens, at + 1);
  const in_ = Number(year?.span.from.slice(0, 4) ?? today.slice(0, 4));
  return { span: monthSpan(in_ * 12 + month), next: year?.next ?? at + 1 };
}

function dated(
  tokens: readonly Token[],
  date: number,
  month: number,
  at: number,
  today: string,
): SaidDate | null {
  const comma = wordAt(tokens, at) === "," ? 1 : 0;
  const year = yearAt(tokens, at + comma);
  const made = dayOf(Number(year?.span.from.slice(0, 4) ?? today.slice(0, 4)), month, date);
  return made === null ? null : day(made, year?.next ?? at);
}

function monthAt(tokens: readonly Token[], at: number): number | null {
  const word = wordAt(tokens, at);
  if (word.length < 3 || tokens[at]?.kind !== "word") return null;
  const index = months.findIndex((month) => month === word || (word.length <= 4 && month.startsWith(word)));
  return index < 0 ? null : index;
}

/** `Friday` is the next one that is not past. */
function weekday(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const index = weekdays.indexOf(wordAt(tokens, at));
  return index < 0 ? null : day(addDays(today, (index - weekdayOf(today) + 7) % 7), at + 1);
}

/** `the 20th` is of this month; `the 5th of October`, `the last 30 days` and the like go on as without `the`. */
function theDay(tokens: readonly Token[], at: number, today: string): SaidDate | null {
  const longer = dateAt(tokens, at + 1, today);
  const number = tokens[at + 1]?.number;
  if (longer !== null || number === undefined || !number.ordinal) return longer;
  const made = dayOf(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1, number.value);
  return made === null ? null : day(made, at + 2);
}
