import type { Json, JsonObject } from "../../../turn/json.ts";
import type {
  CellEdit,
  HostAction,
  HostColumn,
  HostFilter,
  HostRow,
  HostRows,
  HostSort,
  RowsRequest,
  TableHost,
} from "../table-host.ts";
import type { ExportedFile } from "./export-file.ts";

/** What a write would do to one row, for a host's own rules. `cells` of a deletion is empty. */
export interface RowWrite {
  type: "edit" | "add" | "delete";
  rowKey: string;
  cells: JsonObject;
}

/** Everything a memory table knows of where it is. */
export interface MemoryView {
  page: number;
  limit: number;
  search: string;
  sort: HostSort | null;
  groupBy: string | null;
  filters: JsonObject;
  aggregations: Record<string, string>;
  pinnedColumns: { start: string[]; end: string[] };
  pinnedRows: { top: string[]; bottom: string[] };
  hiddenColumns: string[];
  columnOrder: string[];
  selection: string[];
}

export interface SavedView {
  id: string;
  label: string;
  view: Partial<MemoryView>;
}

export interface MemoryTableOptions {
  /** `table` unless given. */
  tableId?: string;
  /** Sortable unless said otherwise; operations follow the type unless given. */
  columns: HostColumn[];
  /** One object of cells a row. They are taken as they are and never changed in place. */
  rows: JsonObject[];
  /** The cell that is a row's key, `id` unless given; rows without it are numbered. */
  rowKey?: string;
  /** One of each column, by its type, unless given. */
  filters?: HostFilter[];
  /** Where the table starts; page 1 of 10 rows, nothing narrowed, unless given. */
  view?: Partial<MemoryView>;
  pageSizes?: number[];
  /** Today as `YYYY-MM-DD`, for relative filters; the machine's own day unless given. */
  today?(): string;
  /** Columns a search looks into; the readable ones unless given. */
  searchColumns?: string[];
  /** Why a write is refused; undefined lets it through. */
  refuse?(write: RowWrite): string | undefined;
  savedViews?: SavedView[];
  actions?: HostAction[];
  /** Gets the files that are exported. */
  onExport?(file: ExportedFile): void;
  /** Members of a host this one is to be without, such as `deleteRow`. */
  without?: (keyof TableHost)[];
}

/** A group of the rows that match, with its aggregates. */
export interface MemoryGroup {
  value: Json;
  count: number;
  aggregates: JsonObject;
}

/**
 * A table in memory with every member of a host but those it was made `without`, and what a page that draws it needs.
 */
export interface MemoryTableHost extends Required<TableHost> {
  rows(request: RowsRequest): HostRows;
  findRow(rowKey: string): HostRow | undefined;
  rowsVersion(): number;
  subscribe(listener: () => void): () => void;
  /** Every saved row in its own order. */
  allRows(): readonly HostRow[];
  /** Groups in the order shown; empty when nothing is grouped. */
  groups(): MemoryGroup[];
  totals(): JsonObject;
  /** Edits that wait for a save. */
  staged(): CellEdit[];
  /** Saves staged edits row by row; those of refused rows stay staged, with the reason. */
  saveStaged(): { rowKey: string; ok: boolean; error?: string }[];
  discardStaged(): void;
  /** Changes a column, such as what may be read of it. */
  updateColumn(id: string, change: Partial<HostColumn>): void;
}
