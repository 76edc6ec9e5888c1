import type { Json } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import type { HostColumn, HostRow } from "../table-host.ts";

const labels: Record<string, string> = {
  sum: "Sum",
  avg: "Average",
  min: "Minimum",
  max: "Maximum",
  median: "Median",
  count: "Count",
  unique: "Distinct count",
};

/** The operations a column of a type has. */
export function operationsOf(type: string): NonNullable<HostColumn["aggregations"]> {
  const ids =
    type === "number"
      ? ["sum", "avg", "min", "max", "median", "count"]
      : type === "date"
        ? ["min", "max", "count"]
        : ["count", "unique"];
  return ids.map((id) => ({ id, label: labels[id] ?? id }));
}

/** One aggregate over rows; null when no cell has a value it could be of. */
export function aggregate(rows: readonly HostRow[], column: string, operation: string): Json {
  const values = rows.map((row) => own(row.cells, column)).filter((value) => !isEmpty(value));
  if (operation === "count") return values.length;
  if (operation === "unique") return new Set(values.map((value) => JSON.stringify(value))).size;
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === 0) return extremeText(values, operation);
  switch (operation) {
    case "sum":
      return numbers.reduce((sum, number) => sum + number, 0);
    case "avg":
      return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    case "min":
      return numbers.reduce((least, number) => Math.min(least, number));
    case "max":
      return numbers.reduce((most, number) => Math.max(most, number));
    case "median":
      return median(numbers);
    default:
      return null;
  }
}

function extremeText(values: (Json | undefined)[], operation: string): Json {
  const texts = values.filter((value) => typeof value === "string").sort();
  if (operation === "min") return texts[0] ?? null;
  return operation === "max" ? (texts.at(-1) ?? null) : null;
}

function median(numbers: number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
