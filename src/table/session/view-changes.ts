import type { Json } from "../../turn/json.ts";
import { asJson, stableText } from "./as-json.ts";
import { aggregationWords } from "./capabilities/grouping.ts";
import type { LiveTable } from "./live-table.ts";
import type { ReceiptChange } from "./session-types.ts";
import type { Awaitable, HostView, TableHost } from "./table-host.ts";
import { counted, filterWords, listWords, sortWords } from "./words.ts";

type SliceName =
  | "groupBy"
  | "filters"
  | "search"
  | "sort"
  | "aggregations"
  | "pinnedColumns"
  | "hiddenColumns"
  | "columnOrder"
  | "pinnedRows"
  | "page"
  | "selection";

/** One thing of a view that changes, is told and is taken back by itself. */
interface Slice {
  name: SliceName;
  /** Its value, with what stands for nothing when the host publishes none. */
  of(view: HostView): Json;
  /** Undefined when the host has no way to set it. */
  restore(host: TableHost, view: HostView): (() => Awaitable<void>) | undefined;
}

const noPins = { start: [], end: [] };
const noRows = { top: [], bottom: [] };

/** In the order they are restored: what moves the page comes before the page. */
const slices: readonly Slice[] = [
  {
    name: "groupBy",
    of: (view) => view.groupBy ?? null,
    restore: (host, view) => bound(host.setGroupBy?.bind(host), view.groupBy ?? null),
  },
  {
    name: "filters",
    of: (view) => view.filters ?? {},
    restore: (host, view) => bound(host.setFilters?.bind(host), view.filters ?? {}),
  },
  {
    name: "search",
    of: (view) => view.search ?? "",
    restore: (host, view) => bound(host.setSearch?.bind(host), view.search ?? ""),
  },
  {
    name: "sort",
    of: (view) => (view.sort === null || view.sort === undefined ? null : asJson(view.sort)),
    restore: (host, view) => bound(host.setSort?.bind(host), view.sort ?? null),
  },
  {
    name: "aggregations",
    of: (view) => view.aggregations ?? {},
    restore: (host, view) => bound(host.setAggregations?.bind(host), view.aggregations ?? {}),
  },
  {
    name: "pinnedColumns",
    of: (view) => asJson(view.pinnedColumns ?? noPins),
    restore: (host, view) => bound(host.setPinnedColumns?.bind(host), view.pinnedColumns ?? noPins),
  },
  {
    name: "hiddenColumns",
    of: (view) => view.hiddenColumns ?? [],
    restore: (host, view) => bound(host.setHiddenColumns?.bind(host), view.hiddenColumns ?? []),
  },
  {
    name: "columnOrder",
    of: (view) => view.columnOrder ?? [],
    restore: (host, view) =>
      bound(host.setColumnOrder?.bind(host), view.columnOrder ?? host.columns().map((column) => column.id)),
  },
  {
    name: "pinnedRows",
    of: (view) => asJson(view.pinnedRows ?? noRows),
    restore: (host, view) => bound(host.setPinnedRows?.bind(host), view.pinnedRows ?? noRows),
  },
  {
    name: "page",
    of: (view) => [view.page ?? 1, view.limit ?? null],
    restore: (host, view) =>
      bound(host.setPage?.bind(host), { page: view.page ?? 1, limit: view.limit ?? host.view().limit ?? 10 }),
  },
  {
    name: "selection",
    of: (view) => view.selection ?? [],
    restore: (host, view) => bound(host.setSelection?.bind(host), view.selection ?? []),
  },
];

function bound<T>(
  set: ((value: T) => Awaitable<void>) | undefined,
  value: T,
): (() => Awaitable<void>) | undefined {
  return set === undefined ? undefined : () => set(value);
}

/** A view change that can be taken back. */
export interface ViewChange {
  before: HostView;
  after: HostView;
}

/** The slices that differ between two views. */
function changedSlices({ before, after }: ViewChange): SliceName[] {
  return slices.filter((slice) => !same(slice, before, after)).map((slice) => slice.name);
}

/** Whether the host can set back everything that changed. */
export function canRestore(host: TableHost, change: ViewChange): boolean {
  const changed = changedSlices(change);
  return (
    changed.length > 0 &&
    slices.every((slice) => !changed.includes(slice.name) || slice.restore(host, change.before) !== undefined)
  );
}

/**
 * Sets back what a change changed. False, and nothing is touched, when the reader has changed the same thing since. The
 * page and the selection follow other changes by themselves, so of these only a change of nothing else can be stale.
 */
export async function restore(host: TableHost, change: ViewChange): Promise<boolean> {
  const changed = slices.filter((slice) => !same(slice, change.before, change.after));
  const following = (slice: Slice) => slice.name === "page" || slice.name === "selection";
  const current = host.view();
  const kept = changed.filter((slice) => same(slice, current, change.after));
  const hard = changed.some((slice) => !following(slice))
    ? changed.filter((slice) => !following(slice))
    : changed;
  if (hard.some((slice) => !kept.includes(slice))) return false;
  for (const slice of kept) await slice.restore(host, change.before)?.();
  return true;
}

function same(slice: Slice, a: HostView, b: HostView): boolean {
  return stableText(slice.of(a)) === stableText(slice.of(b));
}

/** What changed between two views, for a reader; what an agent may not see is left out. */
export function viewWords(before: LiveTable, after: LiveTable): ReceiptChange[] {
  const changed = changedSlices({ before: before.view, after: after.view });
  return changed.flatMap((name): ReceiptChange[] => {
    if (name === "filters") return filterChanges(before, after);
    const [from, to] = [sliceWords(name, before), sliceWords(name, after)];
    return from === to ? [] : [{ label: labels[name], before: from, after: to }];
  });
}

const labels: Record<SliceName, string> = {
  groupBy: "Groups",
  filters: "Filters",
  search: "Search",
  sort: "Sort",
  aggregations: "Totals",
  pinnedColumns: "Pinned columns",
  hiddenColumns: "Hidden columns",
  columnOrder: "Column order",
  pinnedRows: "Pinned rows",
  page: "Page",
  selection: "Selection",
};

function filterChanges(before: LiveTable, after: LiveTable): ReceiptChange[] {
  const [from, to] = [before, after].map(
    (table) => new Map(filterWords(table, table.view.filters).map(({ label, words }) => [label, words])),
  );
  const names = new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])]);
  return [...names].flatMap((label) => {
    const change = { label, before: from?.get(label) ?? "any", after: to?.get(label) ?? "any" };
    return change.before === change.after ? [] : [change];
  });
}

function sliceWords(name: SliceName, table: LiveTable): string {
  const { view } = table;
  const named = (ids: string[]) => listWords(ids.map((id) => table.label(id)));
  switch (name) {
    case "groupBy":
      return view.groupBy === null || view.groupBy === undefined ? "none" : table.label(view.groupBy);
    case "search":
      return view.search === undefined || view.search === "" ? "none" : `“${view.search}”`;
    case "sort":
      return sortWords(table, view.sort);
    case "aggregations":
      return listWords(
        Object.entries(view.aggregations ?? {}).map(([id, how]) => aggregationWords(table, id, how)),
      );
    case "pinnedColumns":
      return named([...(view.pinnedColumns?.start ?? []), ...(view.pinnedColumns?.end ?? [])]);
    case "hiddenColumns":
      return named(view.hiddenColumns ?? []);
    case "columnOrder":
      return listWords(
        table.order.map((id) => table.label(id)),
        8,
      );
    case "pinnedRows":
      return listWords([...(view.pinnedRows?.top ?? []), ...(view.pinnedRows?.bottom ?? [])]);
    case "page":
      return `${view.page ?? 1}, ${counted(table.pageSize, "row")} a page`;
    case "selection":
      return counted(view.selection?.length ?? 0, "row");
    case "filters":
      return "";
  }
}
