import type { Json, JsonObject } from "../../../turn/json.ts";
import type { DaySpan } from "./dates.ts";
import { type Field, optionLabel } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { numberText } from "./wording.ts";
import { fold } from "./words.ts";

/** What a cell has to be. */
export type Test =
  | { type: "number"; op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte"; value: number }
  | { type: "between"; low: number; high: number }
  | { type: "days"; span: DaySpan }
  /** Any of the values; `excluded` when they are what an exclusion left. */
  | { type: "options"; values: Json[]; excluded?: boolean }
  | { type: "text"; op: TextOp; value: string }
  | { type: "flag"; value: boolean }
  | { type: "empty" }
  | { type: "filled" };

export type TextOp = "eq" | "neq" | "contains" | "notContains" | "startsWith" | "endsWith";

export interface Condition {
  field: Field;
  test: Test;
}

const opposite = {
  eq: "neq",
  neq: "eq",
  gt: "lte",
  gte: "lt",
  lt: "gte",
  lte: "gt",
  contains: "notContains",
  notContains: "contains",
} as const;

/** The condition that lets through what this one keeps out; null when filters have no such one. */
export function negated({ field, test }: Condition): Condition | null {
  if (test.type === "flag") return { field, test: { type: "flag", value: !test.value } };
  if (test.type === "empty") return { field, test: { type: "filled" } };
  if (test.type === "filled") return { field, test: { type: "empty" } };
  if (test.type === "number") return { field, test: { ...test, op: opposite[test.op] } };
  if (test.type === "text" && test.op !== "startsWith" && test.op !== "endsWith")
    return { field, test: { ...test, op: opposite[test.op] } };
  if (test.type === "options" && field.options.length > 0 && !field.filter?.optionsOmitted) {
    const values = field.options.map(({ value }) => value).filter((value) => !test.values.includes(value));
    return values.length === 0 ? null : { field, test: { type: "options", values, excluded: true } };
  }
  return null;
}

/** Whether a row's cell is let through. A cell that is absent is as one that is empty. */
export function passes({ field, test }: Condition, cells: JsonObject): boolean {
  const cell = ownValue(cells, field.id);
  const isEmpty = cell === null || cell === "" || (Array.isArray(cell) && cell.length === 0);
  if (test.type === "empty") return isEmpty;
  if (test.type === "filled") return !isEmpty;
  if (test.type === "flag") return isTrue(cell) === test.value;
  if (test.type === "text" && (test.op === "neq" || test.op === "notContains"))
    return !textPasses({ ...test, op: opposite[test.op] }, cell);
  if (isEmpty) return false;
  if (test.type === "text") return textPasses(test, cell);
  if (test.type === "options") return optionPasses(field, test.values, cell);
  if (test.type === "days") return within(String(cell).slice(0, 10), test.span);
  const value = Number(cell);
  if (Number.isNaN(value)) return false;
  return test.type === "between"
    ? value >= test.low && value <= test.high
    : numberPasses(test.op, value, test.value);
}

/** A condition in words, such as `Salary over 80,000`. */
export function conditionText({ field, test }: Condition): string {
  const { label } = field;
  if (test.type === "options")
    return `${label} is ${test.values.map((value) => optionLabel(field, value)).join(" or ")}`;
  if (test.type === "flag") return `${label} is ${test.value ? "yes" : "no"}`;
  if (test.type === "empty") return `${label} is empty`;
  if (test.type === "filled") return `${label} is not empty`;
  if (test.type === "between") return `${label} from ${numberText(test.low)} to ${numberText(test.high)}`;
  if (test.type === "days") return `${label} ${spanText(test.span)}`;
  if (test.type === "text") return `${label} ${textOps[test.op]} "${test.value}"`;
  return `${label} ${numberOps[test.op]} ${numberText(test.value)}`;
}

const textOps: Record<TextOp, string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  notContains: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
};
const numberOps = { eq: "is", neq: "is not", gt: "over", gte: "at least", lt: "under", lte: "at most" };

function spanText({ from, to }: DaySpan): string {
  if (from === undefined) return `up to ${to ?? "any day"}`;
  if (to === undefined) return `from ${from} on`;
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** Whether a cell says yes: cells of a boolean column may be words. */
export function isTrue(cell: Json): boolean {
  return cell === true || cell === 1 || (typeof cell === "string" && /^(?:true|yes|1)$/i.test(cell));
}

function optionPasses(field: Field, values: Json[], cell: Json): boolean {
  const cells = Array.isArray(cell) ? cell : [cell];
  const wanted = new Set(values.flatMap((value) => [fold(String(value)), fold(optionLabel(field, value))]));
  return cells.some((one) => wanted.has(fold(String(one))));
}

function textPasses({ op, value }: { op: TextOp; value: string }, cell: Json): boolean {
  const text = fold(Array.isArray(cell) ? cell.join(" ") : String(cell));
  const wanted = fold(value);
  if (op === "eq") return text === wanted;
  if (op === "startsWith") return text.startsWith(wanted);
  return op === "endsWith" ? text.endsWith(wanted) : text.includes(wanted);
}

function within(day: string, { from, to }: DaySpan): boolean {
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}

function numberPasses(op: keyof typeof numberOps, value: number, limit: number): boolean {
  if (op === "eq") return value === limit;
  if (op === "neq") return value !== limit;
  if (op === "gt") return value > limit;
  if (op === "gte") return value >= limit;
  return op === "lt" ? value < limit : value <= limit;
}
