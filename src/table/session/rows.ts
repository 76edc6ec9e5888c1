import type { Json, JsonObject } from "../../turn/json.ts";
import type { RowScope } from "../protocol/contract.ts";
import { own, putOwn } from "../protocol/own.ts";
import type { LiveTable } from "./live-table.ts";
import { Refusal } from "./refusal.ts";
import type { HostRow } from "./table-host.ts";

export const scopes = ["visible", "page", "full"] as const;

/** The scope a call means. Throws `scope-denied` for all rows of a host that has only a page of them. */
export function scopeOf(table: LiveTable, named: Json | undefined): RowScope {
  const scope = scopes.find((known) => known === named) ?? table.rowScope;
  if (scope === "full" && !table.source.fullDataset) {
    throw new Refusal("scope-denied", 'this table reaches only the rows of its page: use scope "page"');
  }
  return scope;
}

/** The readable cells of `columns`; an unreadable one is never among them, whatever the host sent. */
export function readableCells(table: LiveTable, row: HostRow, columns: readonly string[]): JsonObject {
  const cells: JsonObject = {};
  for (const id of columns) {
    if (table.column(id)?.readable !== true) continue;
    const value = own(row.cells, id);
    if (value !== undefined) putOwn(cells, id, value);
  }
  return cells;
}

export interface FoundRow {
  row: HostRow;
  scope: RowScope;
  /** Where it stands in the scope, from 1; only of a row found by its position. */
  position?: number;
}

/**
 * The row a reference means: `rowKey`, or `position` (from 1) in a scope at the admitted revision. Throws
 * `unknown-row`, `scope-denied`, `revision-mismatch` for a position of another revision, and `invalid-arguments`.
 */
export async function findRow(table: LiveTable, revision: number, reference: JsonObject): Promise<FoundRow> {
  const { rowKey, position, expectedRevision } = reference;
  if (expectedRevision !== undefined && expectedRevision !== revision) {
    throw new Refusal("revision-mismatch", mismatch(Number(expectedRevision), revision));
  }
  const scope = scopeOf(table, reference.scope);
  if ((rowKey === undefined) === (position === undefined)) {
    throw new Refusal("invalid-arguments", "name the row by either rowKey or position");
  }
  if (typeof rowKey === "string") {
    const row = await table.host.findRow(rowKey);
    if (row === undefined) throw new Refusal("unknown-row", `there is no row "${rowKey}"`);
    return { row, scope };
  }
  const at = Number(position);
  const { rows } = await table.host.rows({
    scope,
    offset: at - 1,
    limit: 1,
    columns: table.readable.map((column) => column.id),
  });
  const row = rows[0];
  if (row === undefined) throw new Refusal("unknown-row", `there is no row at position ${at} (${scope})`);
  return { row, scope, position: at };
}

export function mismatch(expected: number, current: number): string {
  return `expected revision ${expected}, table is at ${current}`;
}

/** What a reader knows a row by: its first visible readable text, beside nothing else the key. */
export function rowLabel(table: LiveTable, row: HostRow): string {
  for (const id of table.order) {
    const column = table.column(id);
    if (column === undefined || !column.readable || !column.visible || column.type !== "string") continue;
    const value = own(row.cells, id);
    if (typeof value === "string" && value !== "" && value !== row.rowKey) return value;
  }
  return row.rowKey;
}
