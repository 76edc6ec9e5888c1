import type { Json, JsonObject } from "../../../turn/json.ts";
import type { TableFilter } from "../../protocol/contract.ts";
import { addDays, isDay } from "./calendar.ts";
import type { Condition, Test, TextOp } from "./condition.ts";
import type { DaySpan } from "./dates.ts";
import type { Field } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { numberText } from "./wording.ts";

/**
 * What a filter is set to for a condition, in keys of the filter bag that it lists; or why it cannot be. `note` says
 * where the table could only come near to what was said.
 */
export type BagEntry = { entry: JsonObject; note?: string } | { fault: string };

/** Writes a condition into the bag's keys of its field's filter. */
export function bagEntry({ field, test }: Condition): BagEntry {
  const { filter, label } = field;
  if (filter === undefined) return { fault: `${label} cannot be filtered in this table.` };
  const written = write(filter, test);
  if (written === null)
    return { fault: `The filter of ${label} does not offer that; it takes ${filter.operators.join(", ")}.` };
  if ("fault" in written) return written;
  const { op, values, note } = written;
  const stranger = isListed(filter) ? strangers(filter, values[""] ?? null)[0] : undefined;
  if (stranger !== undefined) return { fault: `${label} has no option ${JSON.stringify(stranger)}.` };
  const entries: [string, Json][] = [];
  for (const [suffix, value] of Object.entries(values)) {
    const key = keyOf(filter, suffix);
    if (key === undefined) return { fault: `The filter of ${label} cannot be set that way.` };
    entries.push([key, value]);
  }
  const opKey = keyOf(filter, "Op");
  if (opKey !== undefined) entries.push([opKey, op]);
  else if (op !== filter.defaultOperator && filter.operators.length > 1)
    return { fault: `The filter of ${label} only takes ${filter.defaultOperator}.` };
  // Not assigned one by one: a key may be called "__proto__".
  return { entry: Object.fromEntries(entries), ...(note === undefined ? {} : { note }) };
}

/** The bag's key of a filter that ends so; only keys that the contract lists. */
function keyOf({ key, valueKeys }: TableFilter, suffix: string): string | undefined {
  const wanted = `${key}${suffix}`;
  if (valueKeys.includes(wanted)) return wanted;
  return suffix === "" ? undefined : valueKeys.find((one) => one.endsWith(suffix));
}

/** Whether a filter takes nothing but the options the contract lists. */
function isListed({ options, optionsOmitted, type }: TableFilter): boolean {
  return options !== undefined && !optionsOmitted && type !== "text" && type !== "boolean";
}

function strangers({ options = [] }: TableFilter, value: Json): Json[] {
  const values = Array.isArray(value) ? value : value === null ? [] : [value];
  return values.filter((one) => !options.some((option) => option.value === one));
}

interface Written {
  op: string;
  values: Record<string, Json>;
  note?: string;
}

function write(filter: TableFilter, test: Test): Written | { fault: string } | null {
  const offers = (op: string) => filter.operators.includes(op);
  const first = (...ops: Written[]) => ops.find(({ op }) => offers(op)) ?? null;
  if (test.type === "empty") return first({ op: "empty", values: {} });
  if (test.type === "filled") return first({ op: "notEmpty", values: {} });
  if (test.type === "flag") return first({ op: "eq", values: { "": String(test.value) } });
  if (test.type === "options") return writeOptions(filter, test.values);
  if (test.type === "days") return writeDays(test.span, first);
  if (test.type === "text") return first({ op: test.op, values: { "": test.value } }, ...looser(test));
  if (test.type === "between")
    return first({ op: "between", values: { Min: String(test.low), Max: String(test.high) } });
  return writeNumber(test.op, test.value, first);
}

/** `is` is met by a filter that only knows `contains`, with a word about it. */
function looser({ op, value }: { op: TextOp; value: string }): Written[] {
  if (op === "eq" || op === "startsWith" || op === "endsWith")
    return [
      {
        op: "contains",
        values: { "": value },
        note: `this table can only look for "${value}" anywhere in the text`,
      },
    ];
  return op === "contains"
    ? [{ op: "eq", values: { "": value }, note: `this table can only look for exactly "${value}"` }]
    : [];
}

function writeOptions(
  { label, operators, type }: TableFilter,
  values: Json[],
): Written | { fault: string } | null {
  if (operators.includes("in") && type !== "select") return { op: "in", values: { "": values } };
  const [only, ...more] = values;
  if (only === undefined) return null;
  if (more.length > 0)
    return {
      fault: `The filter of ${label} takes one value at a time, so it cannot show several of them together.`,
    };
  return operators.includes("eq")
    ? { op: "eq", values: { "": only } }
    : operators.includes("in")
      ? { op: "in", values: { "": [only] } }
      : null;
}

function writeNumber(
  op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte",
  value: number,
  first: (...ops: Written[]) => Written | null,
): Written | null {
  const text = String(value);
  const low = { Min: text };
  const high = { Max: text };
  if (op === "gt")
    return first(
      { op, values: low },
      { op: "gte", values: low, note: `${numberText(value)} itself is shown too` },
    );
  if (op === "lt")
    return first(
      { op, values: high },
      { op: "lte", values: high, note: `${numberText(value)} itself is shown too` },
    );
  if (op === "eq") return first({ op, values: low }, { op: "between", values: { Min: text, Max: text } });
  return first({ op, values: op === "lte" ? high : low });
}

function writeDays(
  { from, to, relative }: DaySpan,
  first: (...ops: Written[]) => Written | null,
): Written | null {
  if (from !== undefined && to !== undefined) {
    const between: Written = { op: "between", values: { From: from, To: to } };
    const moving: Written[] = relative === undefined ? [] : [{ op: "relative", values: { From: relative } }];
    return from === to
      ? first(...moving, { op: "on", values: { From: from } }, between)
      : first(...moving, between);
  }
  if (from !== undefined)
    return first({ op: "gte", values: { From: from } }, { op: "after", values: { From: addDays(from, -1) } });
  if (to !== undefined)
    return first({ op: "lte", values: { To: to } }, { op: "before", values: { To: addDays(to, 1) } });
  return null;
}

/** The bag's entries that a filter owns. */
export function ownEntries(filter: TableFilter, bag: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(bag).filter(([key]) => filter.valueKeys.includes(key)));
}

/** What a field's part of the bag lets through, to test rows with; null when it is not set or cannot be told. */
export function bagCondition(field: Field, bag: JsonObject): Condition | null {
  const { filter } = field;
  if (filter === undefined) return null;
  const own = ownEntries(filter, bag);
  if (Object.keys(own).length === 0) return null;
  const at = (suffix: string) => ownValue(own, keyOf(filter, suffix) ?? "");
  const op = String(at("Op") ?? filter.defaultOperator);
  const test = readTest(field.kind, op, at);
  return test === null ? null : { field, test };
}

function readTest(kind: Field["kind"], op: string, at: (suffix: string) => Json): Test | null {
  if (op === "empty") return { type: "empty" };
  if (op === "notEmpty") return { type: "filled" };
  const value = at("");
  if (kind === "boolean" && value !== null) return { type: "flag", value: String(value) === "true" };
  if (kind === "option" && value !== null)
    return { type: "options", values: Array.isArray(value) ? value : [value] };
  if (kind === "text" && value !== null && isTextOp(op)) return { type: "text", op, value: String(value) };
  if (kind === "number") return readNumber(op, at("Min"), at("Max"));
  return kind === "date" ? readDays(op, at("From"), at("To")) : null;
}

function readNumber(op: string, min: Json, max: Json): Test | null {
  const [low, high] = [Number(min), Number(max)];
  if (op === "between" && min !== null && max !== null) return { type: "between", low, high };
  if ((op === "gt" || op === "gte" || op === "eq" || op === "neq") && min !== null)
    return { type: "number", op, value: low };
  return (op === "lt" || op === "lte") && max !== null ? { type: "number", op, value: high } : null;
}

/** Relative dates are left out: whether rows pass is not told of them. */
function readDays(op: string, min: Json, max: Json): Test | null {
  const day = (value: Json) => (typeof value === "string" && isDay(value) ? value : undefined);
  const [from, to] = [day(min), day(max)];
  if (op === "on" && from !== undefined) return { type: "days", span: { from, to: from } };
  if (op === "between" && from !== undefined && to !== undefined) return { type: "days", span: { from, to } };
  if (op === "gte" && from !== undefined) return { type: "days", span: { from } };
  if (op === "after" && from !== undefined) return { type: "days", span: { from: addDays(from, 1) } };
  if (op === "lte" && to !== undefined) return { type: "days", span: { to } };
  return op === "before" && to !== undefined ? { type: "days", span: { to: addDays(to, -1) } } : null;
}

function isTextOp(op: string): op is TextOp {
  return ["eq", "neq", "contains", "notContains", "startsWith", "endsWith"].includes(op);
}
