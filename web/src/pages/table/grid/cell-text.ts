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

/** A number as this table writes it. */
export function numberText(value: number, format?: DemoColumn["format"]): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: format === "money" ? 2 : 1 });
}
