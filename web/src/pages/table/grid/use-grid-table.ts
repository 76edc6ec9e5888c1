import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { TableRoom } from "../room/table-room.ts";
import type { RowKey } from "./lines.ts";

/** The column of check boxes; it is no column of the table. */
export const selectColumn = "select";
const selectWidth = 40;

// What is kept, sorted, filtered and grouped is the host's: an agent reads and sets the same state.
const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
});
const helper = createColumnHelper<typeof features, RowKey>();

/**
 * TanStack Table over the rows the host shows. Its state is the host's own view, and what changes it goes to the host:
 * there is one state, whoever changes it.
 */
export function useGridTable({ demo, host }: TableRoom, rows: RowKey[]) {
  const columns = useMemo(
    () =>
      helper.columns([
        helper.display({ id: selectColumn, size: selectWidth, enableHiding: false, enableSorting: false }),
        ...demo.columns.map(({ id, label, width, sortable = true }) =>
          helper.accessor(({ rowKey }) => host.findRow(rowKey)?.cells[id] ?? null, {
            id,
            header: label,
            size: width,
            enableSorting: sortable,
          }),
        ),
      ]),
    [demo, host],
  );
  const view = host.view();
  const { sort = null, pinnedColumns = { start: [], end: [] }, hiddenColumns = [], selection = [] } = view;
  const order = view.columnOrder ?? [];
  const state = {
    sorting: sort === null ? [] : [{ id: sort.key, desc: sort.dir === "desc" }],
    columnOrder: [selectColumn, ...order],
    columnVisibility: Object.fromEntries(hiddenColumns.map((id) => [id, false])),
    columnPinning: { start: [selectColumn, ...pinnedColumns.start], end: pinnedColumns.end },
    rowSelection: Object.fromEntries(selection.map((key) => [key, true as const])),
  };
  return useTable({
    features,
    columns,
    data: rows,
    getRowId: (row) => row.rowKey,
    manualSorting: true,
    state,
    onSortingChange: (updater) => {
      const [first] = updated(updater, state.sorting);
      host.setSort(first === undefined ? null : { key: first.id, dir: first.desc ? "desc" : "asc" });
    },
    onRowSelectionChange: (updater) =>
      host.setSelection(Object.keys(updated<RowSelectionState>(updater, state.rowSelection))),
  });
}

export type GridTable = ReturnType<typeof useGridTable>;
export type GridColumn = ReturnType<GridTable["getVisibleLeafColumns"]>[number];

function updated<T>(updater: Updater<T>, before: T): T {
  return typeof updater === "function" ? (updater as (before: T) => T)(before) : updater;
}
