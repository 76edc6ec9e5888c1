import type { Clause } from "./clause.ts";

export type Compare = "gt" | "gte" | "lt" | "lte" | "eq";

/** Words before a number, longest first: `over 80k`. For dates, `gt` is after and `lt` before. */
const before: readonly [readonly string[], Compare][] = (
  [
    ["no less than", "gte"],
    ["not less than", "gte"],
    ["no more than", "lte"],
    ["not more than", "lte"],
    ["greater than or equal to", "gte"],
    ["less than or equal to", "lte"],
    ["more than", "gt"],
    ["greater than", "gt"],
    ["higher than", "gt"],
    ["larger than", "gt"],
    ["bigger than", "gt"],
    ["less than", "lt"],
    ["fewer than", "lt"],
    ["lower than", "lt"],
    ["smaller than", "lt"],
    ["cheaper than", "lt"],
    ["at least", "gte"],
    ["at most", "lte"],
    ["up to", "lte"],
    ["equal to", "eq"],
    ["upwards of", "gte"],
    ["north of", "gt"],
    ["minimum of", "gte"],
    ["maximum of", "lte"],
    ["over", "gt"],
    ["above", "gt"],
    ["exceeding", "gt"],
    ["exceeds", "gt"],
    ["beyond", "gt"],
    [">", "gt"],
    [">=", "gte"],
    ["minimum", "gte"],
    ["min", "gte"],
    ["under", "lt"],
    ["below", "lt"],
    ["<", "lt"],
    ["<=", "lte"],
    ["maximum", "lte"],
    ["max", "lte"],
    ["exactly", "eq"],
    ["equals", "eq"],
    ["=", "eq"],
    ["==", "eq"],
  ] satisfies [string, Compare][]
).map(([words, op]) => [words.split(" "), op]);

/** Words before a date. */
const beforeDate: readonly [readonly string[], Compare][] = (
  [
    ["on or after", "gte"],
    ["on or before", "lte"],
    ["no later than", "lte"],
    ["not before", "gte"],
    ["later than", "gt"],
    ["earlier than", "lt"],
    ["newer than", "gt"],
    ["older than", "lt"],
    ["up to", "lte"],
    ["at least", "gte"],
    ["starting from", "gte"],
    ["starting", "gte"],
    ["after", "gt"],
    ["since", "gte"],
    ["before", "lt"],
    ["until", "lte"],
    ["till", "lte"],
    ["by", "lte"],
    ["prior to", "lt"],
    [">", "gt"],
    [">=", "gte"],
    ["<", "lt"],
    ["<=", "lte"],
  ] satisfies [string, Compare][]
).map(([words, op]) => [words.split(" "), op]);

/** A comparison at a token, and the token after it; null when there is none. */
export function compareAt(
  clause: Clause,
  at: number,
  of: "number" | "date",
): { op: Compare; next: number } | null {
  for (const [words, op] of of === "number" ? before : beforeDate) {
    if (words.every((word, index) => clause.word(at + index) === word))
      return { op, next: at + words.length };
  }
  return null;
}

/** What follows a number: `80k or more`, `5+`. */
export function compareAfter(clause: Clause, at: number): { op: Compare; next: number } | null {
  if (clause.word(at) === "+") return { op: "gte", next: at + 1 };
  if (clause.word(at) === "plus") return { op: "gte", next: at + 1 };
  const second = clause.word(at + 1);
  if (clause.word(at) !== "or" && clause.word(at) !== "and") return null;
  if (/^(?:more|above|over|higher|up|greater|later)$/.test(second)) return { op: "gte", next: at + 2 };
  return /^(?:less|below|under|lower|fewer)$/.test(second) ? { op: "lte", next: at + 2 } : null;
}
