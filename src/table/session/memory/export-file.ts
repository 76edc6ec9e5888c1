import type { Json } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import type { HostRow } from "../table-host.ts";

/** A file for the reader. */
export interface ExportedFile {
  name: string;
  mediaType: string;
  text: string;
}

export const exportFormats = ["csv", "json"];

/** The cells of some columns as a file. In CSV a text that a spreadsheet would run as a formula is marked as text. */
export function exportFile(
  tableId: string,
  format: string,
  rows: readonly HostRow[],
  columns: readonly { id: string; label: string }[],
): ExportedFile {
  if (format === "json") {
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map(({ id }) => [id, own(row.cells, id) ?? null])),
    );
    return { name: `${tableId}.json`, mediaType: "application/json", text: JSON.stringify(objects) };
  }
  const lines = [
    columns.map(({ label }) => csvCell(label)),
    ...rows.map((row) => columns.map(({ id }) => csvCell(own(row.cells, id)))),
  ];
  const text = lines.map((line) => `${line.join(",")}\r\n`).join("");
  return { name: `${tableId}.csv`, mediaType: "text/csv", text };
}

function csvCell(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
