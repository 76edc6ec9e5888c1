import type { MemoryGroup, MemoryTableHost } from "../../../../../src/table/index.ts";

/** A row by its key: its cells are looked up when it is drawn, which of ten thousand few are. */
export interface RowKey {
  rowKey: string;
}

/** One line of the grid: a row, pinned or in its place, or the head of a group. */
export type Line =
  | { kind: "row"; row: RowKey; pinned: boolean; at: number }
  | { kind: "group"; group: MemoryGroup; id: string; open: boolean };

/** The rows of the page, and those pinned, as the host has them now. */
export function rowsShown(host: MemoryTableHost): { rows: RowKey[]; top: RowKey[]; bottom: RowKey[] } {
  const { pinnedRows = { top: [], bottom: [] } } = host.view();
  const pinned = (keys: string[]) => keys.flatMap((key) => host.findRow(key) ?? []);
  const { rows } = host.rows({ scope: "page", offset: 0, limit: Number.MAX_SAFE_INTEGER, columns: [] });
  return { rows, top: pinned(pinnedRows.top), bottom: pinned(pinnedRows.bottom) };
}

/** The lines to draw; of a closed group only its head. `at` is the place in `rows`, from 0. */
export function linesOf(
  { rows, top, bottom }: ReturnType<typeof rowsShown>,
  groups: MemoryGroup[],
  firstRow: number,
  opened: ReadonlySet<string>,
): Line[] {
  const apart = new Set([...top, ...bottom].map(({ rowKey }) => rowKey));
  const place = (row: RowKey, at: number): Line[] =>
    apart.has(row.rowKey) ? [] : [{ kind: "row", row, pinned: false, at }];
  const pin = (row: RowKey): Line => ({ kind: "row", row, pinned: true, at: -1 });
  return [...top.map(pin), ...grouped(rows, groups, firstRow, opened, place), ...bottom.map(pin)];
}

/**
 * Rows come in the order of their groups, so a group's are the next `count` of them: a staged edit may show another
 * value already and still stands where its saved one does. `firstRow` is how many come before this page.
 */
function grouped(
  rows: RowKey[],
  groups: MemoryGroup[],
  firstRow: number,
  opened: ReadonlySet<string>,
  place: (row: RowKey, at: number) => Line[],
): Line[] {
  if (groups.length === 0) return rows.flatMap(place);
  const lines: Line[] = [];
  let end = -firstRow;
  for (const group of groups) {
    const start = end;
    end += group.count;
    if (end <= 0 || start >= rows.length) continue;
    const id = JSON.stringify(group.value);
    const open = opened.has(id);
    lines.push({ kind: "group", group, id, open });
    if (!open) continue;
    const from = Math.max(0, start);
    for (const [offset, row] of rows.slice(from, end).entries()) lines.push(...place(row, from + offset));
  }
  return lines;
}
