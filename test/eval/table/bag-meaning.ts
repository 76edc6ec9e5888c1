import type { TableFilter } from "../../../src/table/protocol/contract.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";

/** What one filter lets through, in a form in which equal meanings are equal. */
export type Meaning = string | string[];

/** What a filter bag means, by filter key. Throws for a key or an operator that no filter offers. */
export function bagMeaning(filters: TableFilter[], bag: JsonObject, today: string): Record<string, Meaning> {
  const owners = new Map(filters.flatMap((filter) => filter.valueKeys.map((key) => [key, filter] as const)));
  for (const key of Object.keys(bag))
    if (!owners.has(key)) throw new Error(`no filter reads ${JSON.stringify(key)}`);
  const meanings: Record<string, Meaning> = {};
  for (const filter of filters) {
    if (!filter.valueKeys.some((key) => key in bag)) continue;
    meanings[filter.key] = meaningOf(filter, bag, today);
  }
  return meanings;
}

function meaningOf(filter: TableFilter, bag: JsonObject, today: string): Meaning {
  const { key, type } = filter;
  const op = text(bag[`${key}Op`] ?? filter.defaultOperator);
  if (!filter.operators.includes(op)) throw new Error(`${key} does not offer the operator ${op}`);
  if (op === "empty" || op === "notEmpty") return op;
  if (type === "numberRange") return numberMeaning(op, bag[`${key}Min`], bag[`${key}Max`], bag[key]);
  if (type === "dateRange") return dateMeaning(op, bag[`${key}From`], bag[`${key}To`], today);
  const value = bag[key];
  if (type === "text") return `${op} ${text(value).toLowerCase()}`;
  const values = Array.isArray(value) ? value : [value];
  for (const one of values) {
    if (filter.options !== undefined && !filter.options.some((option) => option.value === one))
      throw new Error(`${key} has no option ${JSON.stringify(one)}`);
  }
  if (type === "boolean" || type === "select") {
    if (values.length !== 1) throw new Error(`${key} takes one value`);
    return text(values[0]);
  }
  return values.map(text).sort();
}

function numberMeaning(op: string, min?: Json, max?: Json, list?: Json): Meaning {
  const low = () => number(min);
  const high = () => number(max);
  if (op === "gt") return `>${low()}`;
  if (op === "gte") return `>=${low()}`;
  if (op === "lt") return `<${high()}`;
  if (op === "lte") return `<=${high()}`;
  if (op === "eq") return `=${low()}`;
  if (op === "neq") return `!=${low()}`;
  if (op === "between") return `${low()}..${high()}`;
  return `${op} ${text(list)}`;
}

function dateMeaning(op: string, from: Json | undefined, to: Json | undefined, today: string): Meaning {
  if (op === "relative") return relativeMeaning(text(from), today);
  if (op === "on") return range(day(from), day(from));
  if (op === "between") return range(day(from), day(to));
  if (op === "gte") return range(day(from), "");
  if (op === "after") return range(shift(day(from), 1), "");
  if (op === "lte") return range("", day(to));
  return range("", shift(day(to), -1));
}

function relativeMeaning(word: string, today: string): Meaning {
  const counted = /^(last|next):(\d+)$/.exec(word);
  if (counted !== null) {
    const days = Number(counted[2]) - 1;
    return counted[1] === "last" ? range(shift(today, -days), today) : range(today, shift(today, days));
  }
  const monday = shift(today, -((new Date(today).getUTCDay() + 6) % 7));
  const first = `${today.slice(0, 7)}-01`;
  const ranges: Record<string, [string, string]> = {
    today: [today, today],
    yesterday: [shift(today, -1), shift(today, -1)],
    tomorrow: [shift(today, 1), shift(today, 1)],
    thisWeek: [monday, shift(monday, 6)],
    thisMonth: [first, shift(`${shift(first, 31).slice(0, 7)}-01`, -1)],
    previousMonth: [`${shift(first, -1).slice(0, 7)}-01`, shift(first, -1)],
  };
  const found = ranges[word];
  if (found === undefined) throw new Error(`no relative date ${JSON.stringify(word)}`);
  return range(...found);
}

function range(from: string, to: string): string {
  return from === to ? from : `${from}..${to}`;
}

function shift(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function day(value: Json | undefined): string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)))
    throw new Error(`${JSON.stringify(value)} is not a day`);
  return value;
}

function number(value: Json | undefined): number {
  const parsed = typeof value === "number" ? value : Number(text(value));
  if (value === "" || !Number.isFinite(parsed)) throw new Error(`${JSON.stringify(value)} is not a number`);
  return parsed;
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) throw new Error("a filter has no value");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Whether a cell is let through. */
export function lets(meaning: Meaning, cell: Json): boolean {
  if (Array.isArray(meaning))
    return (Array.isArray(cell) ? cell : [cell]).some((one) => meaning.includes(String(one)));
  const empty = cell === null || cell === "" || (Array.isArray(cell) && cell.length === 0);
  if (meaning === "empty") return empty;
  if (meaning === "notEmpty") return !empty;
  if (empty) return false;
  const bound = /^(>=|<=|!=|[<>=])(-?[\d.]+)$/.exec(meaning);
  if (bound !== null) {
    const [value, limit] = [Number(cell), Number(bound[2])];
    const tests: Record<string, boolean> = {
      ">": value > limit,
      ">=": value >= limit,
      "<": value < limit,
      "<=": value <= limit,
      "=": value === limit,
      "!=": value !== limit,
    };
    return tests[bound[1] ?? ""] ?? false;
  }
  const sides = /^(.*)\.\.(.*)$/.exec(meaning);
  if (sides !== null) {
    const [, from = "", to = ""] = sides;
    if (typeof cell === "number") return cell >= Number(from) && cell <= Number(to);
    const at = String(cell).slice(0, 10);
    return (from === "" || at >= from) && (to === "" || at <= to);
  }
  const said = /^(eq|neq|contains|notContains|startsWith|endsWith) (.*)$/.exec(meaning);
  const value = String(cell).toLowerCase();
  if (said === null) return value === meaning.toLowerCase();
  const wanted = said[2] ?? "";
  const tests: Record<string, boolean> = {
    eq: value === wanted,
    neq: value !== wanted,
    contains: value.includes(wanted),
    notContains: !value.includes(wanted),
    startsWith: value.startsWith(wanted),
    endsWith: value.endsWith(wanted),
  };
  return tests[said[1] ?? ""] ?? false;
}
