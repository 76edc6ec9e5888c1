import type {
  HostAction,
  HostColumn,
  HostFilter,
  MemoryView,
  RowWrite,
  SavedView,
} from "../../../../../src/table/index.ts";
import type { Json, JsonObject } from "../../../../../src/turn/json.ts";

/** A column with what a page needs to draw it and to edit its cells by hand. */
export interface DemoColumn extends HostColumn {
  /** Pixels. */
  width: number;
  /** Values a cell may have, with the words for them. */
  choices?: { value: Json; label: string }[];
  /** How a number is written; as it is unless given. */
  format?: "money" | "percent";
}

/** One of the tables people can try. Its rows are made here: nothing is loaded. */
export interface DemoTable {
  id: string;
  label: string;
  /** What a row is, for counts. */
  noun: { one: string; many: string };
  columns: DemoColumn[];
  filters: HostFilter[];
  /** The same rows for the same day (`YYYY-MM-DD`). */
  rows(today: string): JsonObject[];
  view: Partial<MemoryView>;
  savedViews?: SavedView[];
  /** What rows can be put through. */
  actions?(edit: (rowKey: string, cells: JsonObject) => void): HostAction[];
  /** The table's own rules: why a write is refused. */
  refuse?(write: RowWrite): string | undefined;
  /** Things to say. Those that name rows fit only as long as all rows stand in their own order. */
  suggestions: { say: string; namesRows?: true }[];
}

/** Options of a filter whose values are their own labels. */
export function options(values: readonly string[]): { value: Json; label: string }[] {
  return values.map((value) => ({ value, label: value }));
}
