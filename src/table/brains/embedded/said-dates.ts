import type { Clause } from "./clause.ts";
import { dateAt, dayBefore, type SaidDate, yearAt } from "./dates.ts";

/** Dates as they stand among the other words of a clause. `expected`: a date column was named, so a year may stand alone. */
export interface DateReading {
  clause: Clause;
  today: string;
  expected: boolean;
}

/** The date at a token that nothing has taken yet; null when there is none. */
export function saidDateAt({ clause, today, expected }: DateReading, at: number): SaidDate | null {
  const found = dateAt(clause.tokens, at, today);
  if (found !== null) return clause.isFree(at, found.next) ? found : null;
  const leads = /^(?:in|since|before|after|from|until|during|of|by|than|till)$/.test(clause.word(at - 1));
  return (leads || expected) && clause.isFree(at, at + 1) ? yearAt(clause.tokens, at) : null;
}

/** The first of `5 and 20 October`. */
export function dayWithoutMonth(reading: DateReading, at: number): SaidDate | null {
  if (!/^(?:and|to)$/.test(reading.clause.word(at + 1))) return null;
  const end = saidDateAt(reading, at + 2);
  return end === null ? null : dayBefore(reading.clause.tokens, at, end.span);
}

/** Whether a date comes next, past words such as `in` and `later than`. */
export function dateFollows(reading: DateReading, at: number): boolean {
  const between =
    /^(?:in|on|at|by|during|within|between|from|since|before|after|until|the|than|later|earlier|is|was|are|date|up|to|no|=|:|<|>|<=|>=|day|days)$/;
  let next = at;
  while (next < at + 4 && between.test(reading.clause.word(next))) next++;
  return (
    saidDateAt(reading, next) !== null ||
    saidDateAt(reading, at) !== null ||
    dayWithoutMonth(reading, next) !== null
  );
}

/** Past articles and the like, to where a value would stand. */
export function pastLinks(clause: Clause, at: number): number {
  let next = at;
  while (/^(?:is|are|was|were|=|:|the|a|an|==|equals|of|to|at|be)$/.test(clause.word(next))) next++;
  return next;
}
