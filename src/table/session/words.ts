import type { Json, JsonObject } from "../../turn/json.ts";
import { own } from "../protocol/own.ts";
import { type Condition, conditionsOf, isChoice } from "./filter-bag.ts";
import type { PermittedFilter } from "./filters.ts";
import type { LiveTable } from "./live-table.ts";
import type { HostSort } from "./table-host.ts";

const longest = 80;

/** A cell's value for a reader. */
function wordsOf(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "empty";
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** A column's value for a reader: where a choice of its filter has a label, that, as the table shows it. */
export function cellWords(table: LiveTable, column: string, value: Json | undefined): string {
  const options = table.filters.find((filter) => isChoice(filter) && filter.column === column)?.options;
  const labelOf = (item: Json): string | undefined => options?.find((option) => option.value === item)?.label;
  if (Array.isArray(value) && value.length > 0 && options !== undefined)
    return wordsOf(value.map((item) => labelOf(item) ?? wordsOf(item)).join(", "));
  return value === undefined || value === null ? wordsOf(value) : (labelOf(value) ?? wordsOf(value));
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Names in a row: `A, B and C`; of many, the first and how many more. */
export function listWords(names: string[], most = 4): string {
  const shown =
    names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} more`] : names;
  const last = shown.at(-1) ?? "none";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}

/** Past this many columns, guides and schemas leave out what the contract lists anyway. */
export const maxTold = 40;

/** Ids for a guide; of very many, how many there are. */
export function toldIds(ids: string[]): string {
  if (ids.length === 0) return "none";
  return ids.length > maxTold ? `${ids.length} columns that the contract marks` : ids.join(", ");
}

/** `Salary, highest first`. */
export function sortWords(table: LiveTable, sort: HostSort | null | undefined): string {
  if (sort === null || sort === undefined) return "none";
  const up = sort.dir === "asc";
  const order: Record<string, [string, string]> = {
    number: ["lowest first", "highest first"],
    date: ["oldest first", "newest first"],
    boolean: ["no first", "yes first"],
    string: ["A to Z", "Z to A"],
  };
  const [asc, desc] = own(order, table.column(sort.key)?.type ?? "") ?? ["ascending", "descending"];
  return `${table.label(sort.key)}, ${up ? asc : desc}`;
}

/** What is filtered, one entry a filter: label and what it must be. */
export function filterWords(
  table: LiveTable,
  bag: JsonObject | undefined,
): { label: string; words: string }[] {
  const byKey = new Map(table.filters.map((filter) => [filter.id, filter]));
  return conditionsOf(bag ?? {}, table.filters).map((condition) => {
    const filter = byKey.get(condition.key);
    return {
      label: filter?.label ?? condition.key,
      words: filter === undefined ? wordsOf(condition.value) : conditionWords(filter, condition),
    };
  });
}

const operatorWords: Record<string, string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  notContains: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
  gt: "more than",
  gte: "at least",
  lt: "less than",
  lte: "at most",
  before: "before",
  after: "after",
  on: "on",
  in: "is",
  notIn: "is not",
  empty: "is empty",
  notEmpty: "is not empty",
};

function conditionWords(filter: PermittedFilter, { op, value }: Condition): string {
  if (op === "empty" || op === "notEmpty" || value === undefined) return own(operatorWords, op) ?? op;
  const items = (Array.isArray(value) ? value : [value]).map((item) => itemWords(filter, item));
  if (op === "between") return `between ${items.join(" and ")}`;
  if (op === "relative") return relativeWords(items[0] ?? "");
  if (filter.type === "dateRange" && op === "gte") return `since ${items[0]}`;
  if (filter.type === "dateRange" && op === "lte") return `until ${items[0]}`;
  return `${own(operatorWords, op) ?? op} ${items.length < 2 ? items[0] : orWords(items)}`;
}

function orWords(items: string[]): string {
  const shown = items.length > 4 ? [...items.slice(0, 3), `${items.length - 3} more`] : items;
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

function itemWords(filter: PermittedFilter, item: Json): string {
  if (filter.type === "boolean") return item === "true" ? "yes" : "no";
  if (filter.type === "numberRange" && item !== "" && Number.isFinite(Number(item)))
    return wordsOf(Number(item));
  return filter.options?.find((option) => String(option.value) === item)?.label ?? wordsOf(item);
}

function relativeWords(token: string): string {
  const named: Record<string, string> = {
    thisWeek: "this week",
    thisMonth: "this month",
    previousMonth: "last month",
  };
  const span = /^(last|next):(\d+)$/.exec(token);
  if (span !== null) return `in the ${span[1]} ${counted(Number(span[2]), "day")}`;
  return own(named, token) ?? token;
}
