import { safeLine } from "../../../../../src/sandtable/report/safe-text.ts";
import type { Json } from "../../../../../src/turn/json.ts";
import type { DemoColumn } from "../data/demo-table.ts";

/** A cell in words; empty for nothing. What people typed is made harmless, and React escapes it. */
export function cellText(column: DemoColumn | undefined, value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "";
  const choice = column?.choices?.find((one) => one.value === value);
  if (choice !== undefined) return choice.label;
  if (typeof value === "number") return numberText(value, column?.format);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return safeLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** What a column comes to, over rows: cents are noise in it. */
export function totalText(column: DemoColumn | undefined, value: Json | undefined): string {
  const shown = typeof value === "number" && Math.abs(value) >= 1_000 ? Math.round(value) : value;
  return cellText(column, shown) || "none";
}

/** A number as this table writes it. */
function numberText(value: number, format?: DemoColumn["format"]): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: format === "money" ? 2 : 1 });
}
