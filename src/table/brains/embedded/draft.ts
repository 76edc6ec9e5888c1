import type { Json, JsonObject } from "../../../turn/json.ts";
import type { BrainCall } from "../brain.ts";
import type { Row } from "./rows.ts";

/** What a turn is going to ask of the table, gathered wish by wish. */
export interface Draft {
  /** The whole filter bag; null while no wish touched it. */
  filters: JsonObject | null;
  search: string | null;
  sort: { key: string; dir: "asc" | "desc" } | "none" | null;
  group: { key: string | null } | null;
  aggregations: [string, string][];
  page: number | null;
  limit: number | null;
  /** Calls on columns, rows and selections, in the order wished. */
  others: BrainCall[];
  edits: { rowKey?: string; position?: number; scope?: string; column: string; value: Json }[];
  /** Writes beside edits, exports and saved views. */
  last: BrainCall[];
  /** Sentences on what is being done. */
  doing: string[];
  /** Answers and remarks. */
  told: string[];
  /** Why wishes cannot be met. */
  refused: string[];
  /** Wishes that were not understood. */
  unclear: string[];
  /** Rows the last wish was about, for `it` and `them`. */
  rows: Row[] | null;
  /** Rows whose cells a wish changes: where they are the last wish's, the next change may go without naming them. */
  edited: Row[] | null;
}

export function emptyDraft(): Draft {
  return {
    filters: null,
    search: null,
    sort: null,
    group: null,
    aggregations: [],
    page: null,
    limit: null,
    others: [],
    edits: [],
    last: [],
    doing: [],
    told: [],
    refused: [],
    unclear: [],
    rows: null,
    edited: null,
  };
}

/** The plan: the view first, then rows and columns, then writes. */
export function callsOf(draft: Draft, page: number): BrainCall[] {
  const { filters, search, sort, group, aggregations, limit, edits } = draft;
  const calls: BrainCall[] = [];
  if (filters !== null) calls.push({ name: "view.setFilters", args: { filters } });
  if (search !== null) calls.push({ name: "view.setSearch", args: { query: search } });
  if (sort !== null)
    calls.push({
      name: "view.setSort",
      args: sort === "none" ? { key: null } : { key: sort.key, dir: sort.dir },
    });
  if (group !== null) calls.push({ name: "view.setGroupBy", args: { key: group.key } });
  if (aggregations.length > 0)
    calls.push({ name: "view.setAggregations", args: { set: Object.fromEntries(aggregations) } });
  if (draft.page !== null || limit !== null)
    calls.push({
      name: "view.setPage",
      args: { page: draft.page ?? (limit === null ? page : 1), ...(limit === null ? {} : { limit }) },
    });
  calls.push(...draft.others);
  if (edits.length > 0) calls.push({ name: "edit.cells", args: { edits } });
  calls.push(...draft.last);
  return calls;
}
