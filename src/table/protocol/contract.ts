import type { Json, JsonObject } from "../../turn/json.ts";

/** What a table lets an agent do: its capabilities, columns, filters, limits and policy. Never a row. */
export interface TableContract {
  tableId: string;
  /** Changes whenever anything here does. */
  version: string;
  capabilities: Capability[];
  columns: TableColumn[];
  filters: TableFilter[];
  aggregations?: TableAggregations;
  rowAddressing: { scope: RowScope; key: "rowKey" };
  limits: { pageMax: number; readMax: number };
  policy: TablePolicy;
  source: TableSource;
}

export interface Capability {
  /** Such as `view.setSort`, `edit.cells` or `rowAction.archive`. */
  key: string;
  summary: string;
  summaryShort?: string;
  guide?: string;
  /** JSON Schema of the arguments. */
  input?: JsonObject;
  /** JSON Schema of the result. */
  output?: JsonObject;
}

/** How much a capability does; what approval and commit policy ask about. */
export type CapabilityKind = "read" | "view" | "write" | "destructive";

export interface TableColumn {
  id: string;
  label: string;
  /** `string`, `number`, `boolean`, `date`, or the host's own. */
  type: string;
  readable: boolean;
  writable: boolean;
  sortable: boolean;
  pinnable?: boolean;
  hideable?: boolean;
  visible?: boolean;
  description?: string;
  /** At most five values that show the format; never of an unreadable column. */
  examples?: Json[];
  /** The examples are real cells rather than the author's. */
  sampled?: true;
}

export interface TableFilter {
  key: string;
  label: string;
  /** `text`, `select`, `multiSelect`, `checklist`, `boolean`, `dateRange`, `numberRange`, or the host's own. */
  type: string;
  operators: string[];
  defaultOperator: string;
  /** Keys of the filter bag this filter reads, such as `salaryMin`. */
  valueKeys: string[];
  options?: { value: Json; label: string }[];
  /** There are more options than a contract carries. */
  optionsOmitted?: true;
}

export interface TableAggregations {
  columns: { id: string; operations: { id: string; label: string; description?: string }[] }[];
  active: { id: string; operation?: string }[];
}

export type RowScope = "visible" | "page" | "full";

export interface TablePolicy {
  write: "deny" | "allow";
  approval: "writes" | "destructive" | "never";
  commit: "stage" | "immediate";
}

export interface TableSource {
  fullDataset: boolean;
  /** `false`, or where groups are made, such as `client` or `server`. */
  grouping: false | string;
  selectAcrossPages: boolean;
  exportScope: string;
  /** How well the count of rows is known, such as `exact` or `loaded`; of some hosts the count itself. */
  totalCount: number | string | null;
}

/** Which parts of a contract travelled, and what was left for discovery. */
export interface ContextSelection {
  profile: "compact" | "full";
  version: string;
  selected: string[];
  deferred: { key: string; reason: "budget" | "hard-limit"; kind?: "guide" | "column" }[];
  deferredColumns?: string[];
  contractBytes: number;
  viewBytes: number;
  estimatedTokens: number;
  estimated: boolean;
  notes?: string[];
}

/** Where the table is now. `unknown` lists what the host never published; those have stand-in values. */
export interface TableView {
  revision: number;
  page: number;
  limit: number;
  search: string;
  sortBy?: string | null;
  sortDir?: "asc" | "desc" | null;
  groupBy?: string | null;
  /** The filter bag, such as `{ "salaryMin": "80000", "salaryOp": "gte" }`. */
  filters?: JsonObject;
  pinnedColumns?: JsonObject;
  pinnedRows?: JsonObject;
  hiddenColumns?: string[];
  columnOrder?: string[];
  pagination?: TablePagination;
  unknown?: string[];
}

export interface TablePagination {
  page: number;
  pageSize: number;
  pageSizeOptions?: number[];
  totalRows?: number;
  totalPages?: number;
  hasNext?: boolean;
  hasPrevious: boolean;
  canJump: boolean;
}

/** The contract without guides, in the shape older backends read. */
export interface TableManifest {
  schemaVersion: string;
  tableId: string;
  viewRevision: number;
  capabilities: string[];
  columns: TableColumn[];
  rowAddressing: TableContract["rowAddressing"];
  aggregateOperations?: { id: string; operations: string[] }[];
  pagination?: TablePagination;
  limits: TableContract["limits"];
  policy: TablePolicy;
  source: TableSource;
}

export interface CatalogEntry {
  key: string;
  summary: string;
  summaryShort?: string;
  kind?: CapabilityKind;
  idempotent?: boolean;
}
