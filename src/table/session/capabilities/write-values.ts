import type { Json, JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import { fitsType, type PermittedColumn } from "../columns.ts";
import { isChoice } from "../filter-bag.ts";
import { isObject } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { matchName } from "../match-name.ts";
import { messageOf, Refusal } from "../refusal.ts";
import type { Awaitable } from "../table-host.ts";

/** The column of a name, when its cells may be written. Throws `unknown-column` or `column-not-writable`. */
export function writableColumn(table: LiveTable, name: string): PermittedColumn {
  const column = table.columnNamed(name);
  if (column.writable) return column;
  throw new Refusal("column-not-writable", `column "${column.id}" cannot be written`);
}

/**
 * The value as the column holds it: an option of the column's filter by its label becomes the option's value. Throws
 * `invalid-arguments` for a value of another type.
 */
export function cellValue(table: LiveTable, column: PermittedColumn, value: Json): Json {
  if (value === null && column.nullable) return null;
  if (!fitsType(value, column.type)) {
    const wanted = own(typeWords, column.type) ?? "a plain value";
    const nullable = column.nullable ? " or null" : "";
    throw new Refusal(
      "invalid-arguments",
      `column "${column.id}" takes ${wanted}${nullable}, not ${JSON.stringify(value)}`,
    );
  }
  const options = table.filters.find((filter) => isChoice(filter) && filter.column === column.id)?.options;
  if (typeof value !== "string" || options === undefined) return value;
  const known = options.map((option) => ({
    id: String(option.value),
    label: option.label,
    value: option.value,
  }));
  return matchName(value, known)?.value ?? value;
}

const typeWords: Record<string, string> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  date: "a day as YYYY-MM-DD",
};

/** What became of one piece of work: a host that throws refused it, and its message says why. */
export async function attempt(
  work: () => Awaitable<void> | undefined,
): Promise<{ ok: boolean; error?: string }> {
  try {
    await work();
    return { ok: true };
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}

/** Ids of the columns whose cells may be written. */
export function writableIds(table: LiveTable): string[] {
  return table.columns.filter((column) => column.writable).map((column) => column.id);
}

/** The items at these positions, in order. */
export function picked<T>(items: readonly T[], positions: number[]): T[] {
  return items.filter((_item, at) => positions.includes(at));
}

/** The objects of a list that the schema let through. */
export function listOfObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}
