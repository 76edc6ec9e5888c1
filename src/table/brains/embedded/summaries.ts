import type { Json } from "../../../turn/json.ts";
import type { Asked } from "./asked.ts";
import type { Context } from "./context.ts";
import { type Field, optionLabel } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { rowName } from "./row-names.ts";
import type { Row } from "./rows.ts";
import { cellText, countText, listText, numberText } from "./wording.ts";

/** The rows with the most or the least of a column, with those that are equal. */
export function extreme(
  context: Context,
  { field, dir, count }: Extract<Asked, { type: "extreme" }>,
  rows: readonly Row[],
): string {
  const filled = rows.filter((row) => !isEmpty(ownValue(row.cells, field.id)));
  const way = dir === "asc" ? 1 : -1;
  const sorted = [...filled].sort(
    (a, b) => way * compare(ownValue(a.cells, field.id), ownValue(b.cells, field.id)),
  );
  const last = sorted[Math.min(count, sorted.length) - 1];
  if (last === undefined) return `No row has a ${field.label}.`;
  const best = sorted.filter(
    (row) => way * compare(ownValue(row.cells, field.id), ownValue(last.cells, field.id)) <= 0,
  );
  return `${listText(
    best.map(
      (row) => `${rowName(context, row)} (${field.label} ${shown(field, ownValue(row.cells, field.id))})`,
    ),
    Math.max(count, 5),
  )}.`;
}

/** The value of a column that most or fewest rows have. */
export function busiest({ field, dir }: Extract<Asked, { type: "busiest" }>, rows: readonly Row[]): string {
  const counts = [...groups(rows, field)].filter(([name]) => name !== "empty");
  const sorted = counts.sort(([, a], [, b]) => (dir === "desc" ? b.length - a.length : a.length - b.length));
  const [first] = sorted;
  if (first === undefined) return `No row has a ${field.label}.`;
  const best = sorted.filter(([, members]) => members.length === first[1].length);
  return `${listText(best.map(([name]) => name))} with ${countText(first[1].length)}${best.length > 1 ? " each" : ""}.`;
}

/** An answer for each value of a column, the most frequent first. */
export function grouped(asked: Asked, rows: readonly Row[], field: Field): string {
  const counts = [...groups(rows, field)].sort(([, a], [, b]) => b.length - a.length);
  if (counts.length === 0) return "There is no such row.";
  const about =
    asked.type === "aggregate"
      ? `${operationText(asked.operation)} ${asked.field.label} by ${field.label}`
      : `Rows by ${field.label}`;
  const parts = counts.map(
    ([name, members]) =>
      `${name}: ${asked.type === "aggregate" ? aggregate(asked.operation, valuesOf(members, asked.field)) : numberText(members.length)}`,
  );
  return `${about}: ${listText(parts, 24)}.`;
}

function groups(rows: readonly Row[], field: Field): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const cell = ownValue(row.cells, field.id);
    for (const one of Array.isArray(cell) && cell.length > 0 ? cell : [cell]) {
      const name = shown(field, one);
      const members = found.get(name);
      if (members === undefined) found.set(name, [row]);
      else members.push(row);
    }
  }
  return found;
}

/** The different values of a column, without the empty ones. */
export function distinct(rows: readonly Row[], field: Field): string[] {
  return [...groups(rows, field).keys()].filter((name) => name !== "empty");
}

/** The numbers of a column; cells that hold none are left out. */
export function valuesOf(rows: readonly Row[], field: Field): number[] {
  return rows.flatMap((row) => {
    const cell = ownValue(row.cells, field.id);
    const value =
      typeof cell === "number"
        ? cell
        : typeof cell === "string" && cell.trim() !== ""
          ? Number(cell)
          : Number.NaN;
    return Number.isFinite(value) ? [value] : [];
  });
}

/** An operation over numbers, in words. */
export function aggregate(operation: string, values: readonly number[]): string {
  if (values.length === 0) return "no value";
  const sum = values.reduce((total, value) => total + value, 0);
  if (operation === "sum") return numberText(sum);
  if (operation === "avg") return numberText(sum / values.length);
  const sorted = [...values].sort((a, b) => a - b);
  if (operation === "min") return numberText(sorted[0] ?? 0);
  if (operation === "max") return numberText(sorted.at(-1) ?? 0);
  const middle = (sorted.length - 1) / 2;
  return numberText(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
}

/** An operation as a sentence begins with it. */
export function operationText(operation: string): string {
  const words: Record<string, string> = {
    avg: "Average",
    sum: "Sum of",
    min: "Lowest",
    max: "Highest",
    median: "Median",
  };
  return words[operation] ?? operation;
}

/** A cell as people read it, by its option's label. */
export function shown(field: Field, cell: Json): string {
  if (Array.isArray(cell))
    return cell.length === 0 ? "empty" : cell.map((one) => shown(field, one)).join(", ");
  return field.options.some((option) => option.value === cell) ? optionLabel(field, cell) : cellText(cell);
}

function isEmpty(cell: Json): boolean {
  return cell === null || cell === "" || typeof cell === "object";
}

function compare(a: Json, b: Json): number {
  const [left, right] = [Number(a), Number(b)];
  if (Number.isFinite(left) && Number.isFinite(right)) return left - right;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
