import type { JsonObject } from "../../turn/json.ts";
import type { TablePagination, TableView } from "../protocol/contract.ts";
import type { PermittedFilter } from "./filters.ts";
import type { LiveTable } from "./live-table.ts";

/** Where the table is, as it is told to an agent: filters of unreadable columns are left out. */
export function publishedView(table: LiveTable, revision: number): TableView {
  const { view, host } = table;
  const unknown = (["page", "limit", "search"] as const).filter((name) => view[name] === undefined);
  const pagination = paginationOf(table);
  return {
    revision,
    page: view.page ?? 1,
    limit: table.pageSize,
    search: view.search ?? "",
    ...(view.sort === undefined ? {} : { sortBy: view.sort?.key ?? null, sortDir: view.sort?.dir ?? null }),
    ...(view.groupBy === undefined ? {} : { groupBy: view.groupBy }),
    ...(view.filters === undefined ? {} : { filters: permittedBag(view.filters, table.filters) }),
    ...(view.pinnedColumns === undefined ? {} : { pinnedColumns: { ...view.pinnedColumns } }),
    ...(view.pinnedRows === undefined ? {} : { pinnedRows: { ...view.pinnedRows } }),
    ...(view.hiddenColumns === undefined ? {} : { hiddenColumns: [...view.hiddenColumns] }),
    ...(view.columnOrder === undefined && host.setColumnOrder === undefined
      ? {}
      : { columnOrder: table.order }),
    ...(pagination === undefined ? {} : { pagination }),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  };
}

/** Paging as far as it is known; undefined when the host publishes no page. */
export function paginationOf(table: LiveTable): TablePagination | undefined {
  const { view, totalPages } = table;
  if (view.page === undefined || view.limit === undefined) return undefined;
  const hasNext = view.hasNext ?? (totalPages === undefined ? undefined : view.page < totalPages);
  return {
    page: view.page,
    pageSize: view.limit,
    ...(view.pageSizes === undefined ? {} : { pageSizeOptions: [...view.pageSizes] }),
    ...(view.totalRows === undefined ? {} : { totalRows: view.totalRows }),
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(hasNext === undefined ? {} : { hasNext }),
    hasPrevious: view.page > 1,
    canJump: view.canJump ?? true,
  };
}

/** The entries of a bag that permitted filters read. */
export function permittedBag(bag: JsonObject, filters: readonly PermittedFilter[]): JsonObject {
  const keys = new Set(filters.flatMap((filter) => filter.valueKeys));
  return Object.fromEntries(Object.entries(bag).filter(([key]) => keys.has(key)));
}
