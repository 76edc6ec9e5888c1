import { addDays } from "./calendar.ts";
import type { Compare } from "./comparators.ts";
import type { Condition } from "./condition.ts";
import type { DaySpan } from "./dates.ts";
import type { SaidNumber } from "./numbers.ts";

/** `5 to 10k` means 5,000. */
export function scaled(low: SaidNumber, high: SaidNumber): number {
  return low.money === null &&
    high.money === "likely" &&
    low.value < 1_000 &&
    high.value >= 1_000 &&
    low.value * 1_000 <= high.value
    ? low.value * 1_000
    : low.value;
}

/** The days a comparison with a date lets through. */
export function openSpan(op: Compare, { from, to }: { from: string; to: string }): DaySpan {
  if (op === "gt") return { from: addDays(to, 1) };
  if (op === "gte") return { from };
  if (op === "lt") return { to: addDays(from, -1) };
  return op === "lte" ? { to } : { from, to };
}

/** Several values of one field are alternatives; what was excluded from them stays excluded. */
export function merged(conditions: readonly Condition[]): Condition[] {
  const out: Condition[] = [];
  for (const condition of conditions) {
    const before = out.find(({ field, test }) => field === condition.field && test.type === "options");
    if (before?.test.type !== "options" || condition.test.type !== "options") {
      out.push(condition);
      continue;
    }
    const others = condition.test.values;
    const excluded = before.test.excluded === true || condition.test.excluded === true;
    const values = excluded
      ? before.test.values.filter((value) => others.includes(value))
      : [...new Set([...before.test.values, ...others])];
    out[out.indexOf(before)] = {
      field: condition.field,
      test: { type: "options", values, ...(excluded ? { excluded } : {}) },
    };
  }
  return out;
}
