import type { JsonObject } from "../../../turn/json.ts";
import type { TableSource } from "../../protocol/contract.ts";
import { own } from "../../protocol/own.ts";
import { completeFilter, type PermittedFilter } from "../filters.ts";
import type {
  CellEdit,
  HostAction,
  HostColumn,
  HostFilter,
  HostRow,
  HostRows,
  HostSort,
  HostView,
  RowsRequest,
} from "../table-host.ts";
import { aggregate, operationsOf } from "./aggregate.ts";
import { exportFile, exportFormats } from "./export-file.ts";
import { RowIndex } from "./row-index.ts";
import { RowStore } from "./row-store.ts";
import type { MemoryGroup, MemoryTableHost, MemoryTableOptions, MemoryView, RowWrite } from "./types.ts";

/** What a view has when nothing was said of it. */
const blank: Omit<MemoryView, "columnOrder"> = {
  page: 1,
  limit: 10,
  search: "",
  sort: null,
  groupBy: null,
  filters: {},
  aggregations: {},
  pinnedColumns: { start: [], end: [] },
  pinnedRows: { top: [], bottom: [] },
  hiddenColumns: [],
  selection: [],
};

const filterTypes: Record<string, string> = {
  string: "text",
  number: "numberRange",
  boolean: "boolean",
  date: "dateRange",
};

/** See `memoryTableHost`. */
export class MemoryTable implements MemoryTableHost {
  readonly tableId: string;
  private readonly options: MemoryTableOptions;
  private readonly index = new RowIndex();
  private readonly store: RowStore;
  private readonly listeners = new Set<() => void>();
  private readonly ownFilters: HostFilter[];
  private readonly completeFilters: PermittedFilter[];
  private readonly stagedCells = new Map<string, JsonObject>();
  private known: HostColumn[];
  private state: MemoryView;
  private version = 0;
  private totalled: { key: string; totals: JsonObject } | undefined;

  constructor(options: MemoryTableOptions) {
    this.options = options;
    this.tableId = options.tableId ?? "table";
    this.known = options.columns.map((column) => ({
      sortable: true,
      aggregations: operationsOf(column.type),
      ...column,
    }));
    this.store = new RowStore(options.rows, options.rowKey ?? "id");
    this.ownFilters = options.filters ?? this.known.flatMap(usualFilter);
    this.completeFilters = this.ownFilters.map(completeFilter);
    this.state = {
      ...structuredClone(blank),
      columnOrder: this.known.map((column) => column.id),
      ...options.view,
    };
  }

  columns(): HostColumn[] {
    return this.known;
  }

  updateColumn(id: string, change: Partial<HostColumn>): void {
    this.known = this.known.map((column) => (column.id === id ? { ...column, ...change } : column));
    this.tell();
  }

  filters(): HostFilter[] {
    return this.ownFilters;
  }

  source(): TableSource {
    return {
      fullDataset: true,
      grouping: "client",
      selectAcrossPages: true,
      exportScope: "full",
      totalCount: this.store.rows.length,
    };
  }

  view(): HostView {
    const totalRows = this.matching().length;
    const page = Math.min(this.state.page, Math.max(1, Math.ceil(totalRows / this.state.limit)));
    return {
      ...this.state,
      page,
      totalRows,
      canJump: true,
      pageSizes: this.options.pageSizes ?? [10, 25, 50, 100],
    };
  }

  rowsVersion(): number {
    return this.version;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  rows({ scope, offset, limit, columns }: RowsRequest): HostRows {
    const rows = scope === "full" ? this.ordered() : this.pageRows(scope === "visible");
    const window = rows.slice(offset, offset + limit).map((row) => this.shown(row, columns));
    return { rows: window, total: rows.length };
  }

  findRow(rowKey: string): HostRow | undefined {
    const row = this.store.find(rowKey);
    return row === undefined ? undefined : this.shown(row);
  }

  allRows(): readonly HostRow[] {
    return this.store.rows;
  }

  groups(): MemoryGroup[] {
    const { groupBy, aggregations } = this.state;
    if (groupBy === null) return [];
    const members = new Map<string, HostRow[]>();
    for (const row of this.ordered()) {
      const name = JSON.stringify(own(row.cells, groupBy) ?? null);
      const group = members.get(name);
      if (group === undefined) members.set(name, [row]);
      else group.push(row);
    }
    return [...members].map(([name, rows]) => ({
      value: JSON.parse(name),
      count: rows.length,
      aggregates: aggregates(rows, aggregations),
    }));
  }

  totals(): JsonObject {
    const { aggregations, filters, search } = this.state;
    const key = JSON.stringify([this.version, aggregations, filters, search, this.today()]);
    if (this.totalled?.key !== key) {
      this.totalled = { key, totals: aggregates(this.matching(), aggregations) };
    }
    return this.totalled.totals;
  }

  defaultAggregations(): Record<string, string> {
    return this.options.view?.aggregations ?? {};
  }

  setPage({ page, limit }: { page: number; limit: number }): void {
    this.change({ page, limit });
  }

  setSort(sort: HostSort | null): void {
    this.change({ sort, page: 1 });
  }

  setSearch(search: string): void {
    this.change({ search, page: 1 });
  }

  setFilters(filters: JsonObject): void {
    this.change({ filters, page: 1 });
  }

  setGroupBy(groupBy: string | null): void {
    this.change({ groupBy, page: 1 });
  }

  setAggregations(aggregations: Record<string, string>): void {
    this.change({ aggregations });
  }

  setPinnedColumns(pinnedColumns: { start: string[]; end: string[] }): void {
    this.change({ pinnedColumns });
  }

  setHiddenColumns(hiddenColumns: string[]): void {
    this.change({ hiddenColumns });
  }

  setColumnOrder(columnOrder: string[]): void {
    this.change({ columnOrder });
  }

  setPinnedRows(pinnedRows: { top: string[]; bottom: string[] }): void {
    this.change({ pinnedRows });
  }

  setSelection(selection: string[]): void {
    this.change({ selection });
  }

  savedViews(): { id: string; label: string }[] {
    return (this.options.savedViews ?? []).map(({ id, label }) => ({ id, label }));
  }

  applySavedView(id: string): void {
    const saved = this.options.savedViews?.find((view) => view.id === id);
    if (saved === undefined) throw new Error(`there is no saved view "${id}"`);
    this.change({ page: 1, ...saved.view });
  }

  stageCells(edits: CellEdit[]): void {
    const byRow = new Map<string, JsonObject>();
    for (const { rowKey, column, value } of edits)
      byRow.set(rowKey, { ...byRow.get(rowKey), [column]: value });
    for (const [rowKey, cells] of byRow) this.mayWrite({ type: "edit", rowKey, cells });
    for (const [rowKey, cells] of byRow) {
      this.stagedCells.set(rowKey, { ...this.stagedCells.get(rowKey), ...cells });
    }
    this.written();
  }

  staged(): CellEdit[] {
    return [...this.stagedCells].flatMap(([rowKey, cells]) =>
      Object.entries(cells).map(([column, value]) => ({ rowKey, column, value })),
    );
  }

  saveStaged(): { rowKey: string; ok: boolean; error?: string }[] {
    const outcomes = [...this.stagedCells].map(([rowKey, cells]) => {
      try {
        this.mayWrite({ type: "edit", rowKey, cells });
      } catch (error) {
        return { rowKey, ok: false, error: error instanceof Error ? error.message : String(error) };
      }
      this.store.edit(rowKey, cells);
      this.stagedCells.delete(rowKey);
      return { rowKey, ok: true };
    });
    if (outcomes.length > 0) this.written();
    return outcomes;
  }

  discardStaged(): void {
    if (this.stagedCells.size === 0) return;
    this.stagedCells.clear();
    this.written();
  }

  applyCells(rowKey: string, cells: JsonObject): void {
    this.mayWrite({ type: "edit", rowKey, cells });
    this.store.edit(rowKey, cells);
    this.written();
  }

  addRow(cells: JsonObject): string {
    const rowKey = this.store.keyFor(cells);
    this.mayWrite({ type: "add", rowKey, cells });
    this.store.add(rowKey, cells);
    this.written();
    return rowKey;
  }

  deleteRow(rowKey: string): void {
    this.mayWrite({ type: "delete", rowKey, cells: {} });
    this.store.delete(rowKey);
    this.stagedCells.delete(rowKey);
    const { selection, pinnedRows } = this.state;
    const others = (keys: string[]) => keys.filter((key) => key !== rowKey);
    this.state = {
      ...this.state,
      selection: others(selection),
      pinnedRows: { top: others(pinnedRows.top), bottom: others(pinnedRows.bottom) },
    };
    this.written();
  }

  reorderRow(fromKey: string, toKey: string): void {
    this.store.move(fromKey, toKey);
    this.written();
  }

  actions(): HostAction[] {
    return this.options.actions ?? [];
  }

  exportFormats(): string[] {
    return exportFormats;
  }

  exportRows({ format, columns }: { format: string; columns: string[] }): JsonObject {
    const rows = this.ordered();
    const named = columns.map((id) => ({
      id,
      label: this.known.find((column) => column.id === id)?.label ?? id,
    }));
    const file = exportFile(this.tableId, format, rows, named);
    this.options.onExport?.(file);
    return { format, fileName: file.name, rows: rows.length, columns: columns.length };
  }

  private today(): string {
    return this.options.today?.() ?? localDay(new Date());
  }

  private narrowing() {
    const { searchColumns } = this.options;
    return {
      view: this.state,
      filters: this.completeFilters,
      searchColumns: this.known
        .filter(({ id, readable }) => searchColumns?.includes(id) ?? readable !== false)
        .map(({ id, type }) => ({ id, type })),
      today: this.today(),
    };
  }

  private matching(): readonly HostRow[] {
    return this.index.matching(this.store.rows, this.version, this.narrowing());
  }

  private ordered(): readonly HostRow[] {
    return this.index.ordered(this.store.rows, this.version, this.narrowing());
  }

  private pageRows(withPinned: boolean): readonly HostRow[] {
    const { page = 1, limit = 10 } = this.view();
    const rows = this.ordered().slice((page - 1) * limit, page * limit);
    if (!withPinned) return rows;
    const { top, bottom } = this.state.pinnedRows;
    const pinned = (keys: readonly string[]) => keys.flatMap((key) => this.store.find(key) ?? []);
    const apart = new Set([...pinned(top), ...pinned(bottom)]);
    return [...pinned(top), ...rows.filter((row) => !apart.has(row)), ...pinned(bottom)];
  }

  /** The row as the reader sees it: with edits that wait for a save. */
  private shown({ rowKey, cells }: HostRow, columns?: string[]): HostRow {
    const staged = this.stagedCells.get(rowKey);
    const seen = staged === undefined ? cells : { ...cells, ...staged };
    if (columns === undefined) return { rowKey, cells: seen };
    return { rowKey, cells: Object.fromEntries(columns.map((id) => [id, own(seen, id) ?? null])) };
  }

  private mayWrite(write: RowWrite): void {
    if (write.type !== "add" && this.store.find(write.rowKey) === undefined) {
      throw new Error(`there is no row "${write.rowKey}"`);
    }
    const reason = this.options.refuse?.(write);
    if (reason !== undefined) throw new Error(reason);
  }

  private change(change: Partial<MemoryView>): void {
    this.state = { ...this.state, ...change };
    this.tell();
  }

  private written(): void {
    this.version += 1;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function usualFilter(column: HostColumn): HostFilter[] {
  const type = own(filterTypes, column.type);
  return type === undefined ? [] : [{ key: column.id, label: column.label, type }];
}

function aggregates(rows: readonly HostRow[], operations: Record<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [id, aggregate(rows, id, operation)]),
  );
}

/** The day of a time where this machine is, as `YYYY-MM-DD`. */
function localDay(time: Date): string {
  const padded = (part: number) => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${padded(time.getMonth() + 1)}-${padded(time.getDate())}`;
}
