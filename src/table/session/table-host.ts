import type { Json, JsonObject } from "../../turn/json.ts";
import type { RowScope, TableSource } from "../protocol/contract.ts";

/** A value, or a promise of it: a host may keep its rows here or on a server. */
export type Awaitable<T> = T | Promise<T>;

/**
 * What a table session needs of the grid it serves. Any grid can be one: only the first five members are required, and
 * only what a host implements is offered to an agent.
 *
 * `columns`, `view`, `filters`, `actions` and `source` are read before every request, so they answer at once and look at
 * no rows; what they returned is never changed afterwards. A `set…` method has changed `view()` when it returns, or when its promise resolves; one that throws changed
 * nothing, and its message is told to the agent and the reader.
 */
export interface TableHost {
  readonly tableId: string;
  columns(): HostColumn[];
  view(): HostView;
  /** Rows of a scope in the order shown, with the values of at least `columns`. */
  rows(request: RowsRequest): Awaitable<HostRows>;
  /** The row of a key, wherever it stands; undefined when there is none. */
  findRow(rowKey: string): Awaitable<HostRow | undefined>;

  /** What is not given is the least: one page, no groups, no selection across pages, no count. */
  source?(): Partial<TableSource>;
  /** Differs whenever rows were added, removed, changed or moved, so that a plan made before is refused. */
  rowsVersion?(): number | string;
  /** Called after each change of what the methods above answer. Returns what ends it. */
  subscribe?(listener: () => void): () => void;

  filters?(): HostFilter[];
  setPage?(page: { page: number; limit: number }): Awaitable<void>;
  setSort?(sort: HostSort | null): Awaitable<void>;
  setSearch?(search: string): Awaitable<void>;
  /** Replaces the whole bag; `{}` clears it. */
  setFilters?(filters: JsonObject): Awaitable<void>;
  /** Offered when `source().grouping` says where groups are made. */
  setGroupBy?(column: string | null): Awaitable<void>;
  /** Replaces all: column id to operation id. */
  setAggregations?(aggregations: Record<string, string>): Awaitable<void>;
  setPinnedColumns?(pinned: { start: string[]; end: string[] }): Awaitable<void>;
  setHiddenColumns?(hidden: string[]): Awaitable<void>;
  /** Every column's id once. */
  setColumnOrder?(order: string[]): Awaitable<void>;
  setPinnedRows?(pinned: { top: string[]; bottom: string[] }): Awaitable<void>;
  setSelection?(rowKeys: string[]): Awaitable<void>;
  /** What `setAggregations` starts from and `restoreDefaults` goes back to; nothing unless given. */
  defaultAggregations?(): Record<string, string>;
  /** Aggregates over all rows that match, by column id, when they are known at once. */
  totals?(): JsonObject;

  savedViews?(): { id: string; label: string }[];
  applySavedView?(id: string): Awaitable<void>;

  /** Puts edits where the reader sees them unsaved. All or none: throwing staged nothing. */
  stageCells?(edits: CellEdit[], options: WriteOptions): Awaitable<void>;
  /** Saves cells of one row. Throwing saved nothing of this row; the message says why. */
  applyCells?(rowKey: string, cells: JsonObject, options: WriteOptions): Awaitable<void>;
  /** Saves a new row and returns its key. */
  addRow?(cells: JsonObject, options: WriteOptions): Awaitable<string>;
  deleteRow?(rowKey: string, options: WriteOptions): Awaitable<void>;
  /** Moves a row to where another stands. */
  reorderRow?(fromKey: string, toKey: string, options: WriteOptions): Awaitable<void>;

  actions?(): HostAction[];
  exportFormats?(): string[];
  /** Hands the reader a file with these columns only; the answer goes to the agent, so it holds no cell. */
  exportRows?(request: { format: string; columns: string[] }, options: WriteOptions): Awaitable<JsonObject>;
}

export interface WriteOptions {
  /** Aborted when the reader gave up; what was saved by then stays saved and is told. */
  signal: AbortSignal;
}

export interface HostColumn {
  id: string;
  label: string;
  /** `string`, `number`, `boolean`, `date` (cells are `YYYY-MM-DD…`), or the host's own. */
  type: string;
  /** Whether an agent may see its values; true unless given. */
  readable?: boolean;
  /** Whether an agent may write its cells; false unless given. */
  writable?: boolean;
  /** False unless given. */
  sortable?: boolean;
  /** True unless given, like `hideable` and `groupable`. */
  pinnable?: boolean;
  hideable?: boolean;
  groupable?: boolean;
  /** A cell may be emptied with `null`. */
  nullable?: boolean;
  description?: string;
  examples?: Json[];
  sampled?: true;
  aggregations?: { id: string; label: string; description?: string }[];
}

/** What a host publishes of where it is; what is absent is not knowable, or not a thing of this table. */
export interface HostView {
  /** From 1. */
  page?: number;
  limit?: number;
  pageSizes?: number[];
  /** Rows that match the filters and the search. */
  totalRows?: number;
  hasNext?: boolean;
  /** False when pages only follow one another. */
  canJump?: boolean;
  search?: string;
  sort?: HostSort | null;
  groupBy?: string | null;
  filters?: JsonObject;
  aggregations?: Record<string, string>;
  /** Aggregates set but not yet computed by the server. */
  aggregationsPending?: boolean;
  pinnedColumns?: { start: string[]; end: string[] };
  hiddenColumns?: string[];
  columnOrder?: string[];
  pinnedRows?: { top: string[]; bottom: string[] };
  /** Keys of the selected rows. */
  selection?: string[];
}

export interface HostSort {
  key: string;
  dir: "asc" | "desc";
}

/** Operators and keys of the filter bag follow the type unless given. */
export interface HostFilter {
  key: string;
  label: string;
  type: string;
  /** The column it reads; the one with the filter's key unless given. Filters of unreadable columns are not offered. */
  column?: string;
  operators?: string[];
  defaultOperator?: string;
  valueKeys?: string[];
  options?: { value: Json; label: string }[];
}

export interface RowsRequest {
  scope: RowScope;
  /** From 0. */
  offset: number;
  limit: number;
  /** Ids of the columns wanted. */
  columns: string[];
}

export interface HostRows {
  rows: HostRow[];
  /** Rows of the whole scope, when known. */
  total?: number;
}

export interface HostRow {
  rowKey: string;
  cells: JsonObject;
}

export interface CellEdit {
  rowKey: string;
  column: string;
  value: Json;
}

/** Something rows can be put through, such as archiving. */
export interface HostAction {
  /** Offered as `rowAction.<key>` or `bulkAction.<key>`. */
  key: string;
  label: string;
  scope: "row" | "bulk";
  kind: "write" | "destructive";
  description?: string;
  /** Its work waits for the reader's save, so that a policy of staging permits it. */
  stages?: boolean;
  run(rowKeys: string[], options: WriteOptions): Awaitable<void>;
}
