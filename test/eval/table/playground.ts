import type { BrainCall } from "../../../src/table/brains/brain.ts";
import type { TableView } from "../../../src/table/protocol/contract.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";
import { bagMeaning, lets, type Meaning } from "./bag-meaning.ts";
import type { EvalTable } from "./table-file.ts";

/** All that a request can have changed, in forms that compare by meaning. */
export interface Outcome {
  filters: Record<string, Meaning>;
  search: string;
  sort: string | null;
  page: number;
  limit: number;
  group: string | null;
  aggregations: Record<string, string>;
  pinned: Record<string, string>;
  hidden: string[];
  order: string[];
  pinnedRows: Record<string, string>;
  selection: string[];
  edits: Record<string, JsonObject>;
  added: JsonObject[];
  deleted: string[];
  moved: string[];
  exported: string | null;
  applied: string | null;
  ran: string[];
}

/** A table in memory that answers reads and runs plans, refusing what its contract does not permit by throwing. */
export class Playground {
  readonly #table: EvalTable;
  #view: TableView;
  readonly #did: Pick<
    Outcome,
    "aggregations" | "selection" | "edits" | "added" | "deleted" | "moved" | "exported" | "applied" | "ran"
  >;

  constructor(table: EvalTable, view: Partial<TableView> = {}) {
    this.#table = table;
    this.#view = { revision: 1, page: 1, limit: table.view.limit, search: "", ...view };
    this.#did = {
      aggregations: {},
      selection: ["before"],
      edits: {},
      added: [],
      deleted: [],
      moved: [],
      exported: null,
      applied: null,
      ran: [],
    };
  }

  /** The view as a request carries it. */
  view(): TableView {
    const { page, limit } = this.#view;
    const totalRows = this.#matching().length;
    const totalPages = Math.max(1, Math.ceil(totalRows / limit));
    const pageSizeOptions = this.#table.view.pageSizeOptions;
    return {
      ...this.#view,
      pagination: {
        page,
        pageSize: limit,
        pageSizeOptions,
        totalRows,
        totalPages,
        hasNext: page < totalPages,
        hasPrevious: page > 1,
        canJump: true,
      },
    };
  }

  /** What a `read` is answered with. */
  read(args: JsonObject): JsonObject {
    const { offset = 0, limit = 10, columns, scope = "page" } = args;
    if (typeof offset !== "number" || typeof limit !== "number") throw new Error("a read needs numbers");
    if (scope === "full" && !this.#table.contract.source.fullDataset) throw new Error("scope-denied");
    const from = scope === "full" ? 0 : (this.#view.page - 1) * this.#view.limit;
    const all = this.#matching();
    const inScope = scope === "full" ? all : all.slice(from, from + this.#view.limit);
    const most = Math.min(limit, this.#table.contract.limits.readMax);
    const readable = this.#table.contract.columns.filter((column) => column.readable).map(({ id }) => id);
    const wanted = Array.isArray(columns) ? readable.filter((id) => columns.includes(id)) : readable;
    const redacted = Array.isArray(columns) ? columns.filter((id) => !readable.includes(String(id))) : [];
    const rows = inScope.slice(offset, offset + most).map(({ rowKey, cells }) => ({
      rowKey,
      cells: Object.fromEntries(wanted.map((id) => [id, cells[id] ?? null])),
    }));
    return {
      source: "table-rows",
      untrusted: true,
      revision: this.#view.revision,
      rows: { rows, offset, limit: most, redacted },
    };
  }

  /** What a `describe` is answered with. */
  describe(args: JsonObject): JsonObject {
    const keys = Array.isArray(args.keys) ? args.keys.map(String) : [];
    const guides = keys.flatMap((key) => {
      const offered = this.#table.contract.capabilities.find((one) => one.key === key);
      const input = this.#table.describes[key] ?? offered?.input;
      return offered === undefined || input === undefined
        ? []
        : [{ schemaVersion: "adapttable.agent.v1", key, guide: key, input, output: {} }];
    });
    return { guides, unavailable: keys.filter((key) => !guides.some((guide) => guide.key === key)) };
  }

  /** Runs one call of a plan and tells what came of it. */
  run({ name, args }: BrainCall): JsonObject {
    const { contract } = this.#table;
    if (!contract.capabilities.some(({ key }) => key === name)) throw new Error(`${name} is not offered`);
    const writes = /^(edit\.|rows\.(add|delete|reorder)|rowAction\.|bulkAction\.)/.test(name);
    if (name === "rows.read") return this.read(args);
    if (writes && contract.policy.write === "deny") throw new Error(`${name}: write-denied`);
    if (writes && contract.policy.commit === "stage" && name !== "edit.cells")
      throw new Error(`${name}: commit-incompatible`);
    const run = this.#runners[name] ?? (name.includes("Action.") ? this.#act : undefined);
    if (run === undefined) throw new Error(`${name} is not played here`);
    run(args, name);
    return name === "view.setSearch" ? { query: this.#view.search } : {};
  }

  /** Whether a cell has a value already: an edit to it is none. */
  holds(rowKey: string, column: string, value: Json): boolean {
    return this.#table.rows.some((row) => row.rowKey === rowKey && row.cells[column] === value);
  }

  outcome(): Outcome {
    const { filters, search, sortBy, sortDir, groupBy, page, limit, hiddenColumns, columnOrder } = this.#view;
    const { contract, today } = this.#table;
    return {
      filters: bagMeaning(contract.filters, filters ?? {}, today),
      search: search.toLowerCase(),
      sort: sortBy ? `${sortBy} ${sortDir ?? "asc"}` : null,
      group: groupBy ?? null,
      page,
      limit,
      hidden: [...(hiddenColumns ?? [])].sort(),
      order: (columnOrder ?? contract.columns.map(({ id }) => id)).filter((id) =>
        contract.columns.some((column) => column.id === id && column.readable),
      ),
      pinned: sides(this.#view.pinnedColumns),
      pinnedRows: sides(this.#view.pinnedRows),
      ...this.#did,
      selection: [...this.#did.selection].sort(),
      deleted: [...this.#did.deleted].sort(),
      ran: [...this.#did.ran].sort(),
    };
  }

  #matching() {
    const { contract, today, rows } = this.#table;
    const meanings = Object.entries(bagMeaning(contract.filters, this.#view.filters ?? {}, today));
    const search = this.#view.search.toLowerCase();
    const kept = rows.filter(
      ({ cells }) =>
        meanings.every(([key, meaning]) => lets(meaning, cells[key] ?? null)) &&
        (search === "" || Object.values(cells).some((cell) => String(cell).toLowerCase().includes(search))),
    );
    const { sortBy, sortDir } = this.#view;
    if (!sortBy) return kept;
    const way = sortDir === "desc" ? -1 : 1;
    return [...kept].sort((a, b) => way * compare(a.cells[sortBy] ?? null, b.cells[sortBy] ?? null));
  }

  #change(change: Partial<TableView>): void {
    this.#view = { ...this.#view, ...change, revision: this.#view.revision + 1 };
  }

  #column(id: Json | undefined, may: "sortable" | "writable" | "readable"): string {
    const column = this.#table.contract.columns.find((one) => one.id === id);
    if (column === undefined) throw new Error(`no column ${JSON.stringify(id)}`);
    if (!column[may]) throw new Error(`${column.id} is not ${may}`);
    return column.id;
  }

  #row(ref: Json | undefined): string {
    const { rowKey, position } = object(ref);
    const row =
      position === undefined
        ? this.#table.rows.find((one) => one.rowKey === rowKey)
        : this.#matching()[Number(position) - 1];
    if (row === undefined) throw new Error(`no row ${JSON.stringify(ref)}`);
    return row.rowKey;
  }

  readonly #runners: Record<string, (args: JsonObject, name: string) => void> = {
    "view.setFilters": ({ filters }) => {
      bagMeaning(this.#table.contract.filters, object(filters), this.#table.today);
      this.#change({ filters: object(filters), page: 1 });
    },
    "view.setSort": ({ key, dir = "asc" }) => {
      const sortBy = key === null ? null : this.#column(key, "sortable");
      this.#change({ sortBy, sortDir: sortBy === null ? null : dir === "desc" ? "desc" : "asc" });
    },
    "view.setSearch": ({ query }) => this.#change({ search: string(query), page: 1 }),
    "view.setPage": ({ page, limit = this.#view.limit }) => {
      if (!this.#table.view.pageSizeOptions.includes(Number(limit)))
        throw new Error(`${limit} is no page size`);
      if (!Number.isInteger(page) || Number(page) < 1) throw new Error(`${page} is no page`);
      this.#change({ page: Number(page), limit: Number(limit) });
    },
    "view.setGroupBy": ({ key }) =>
      this.#change({ groupBy: key === null ? null : this.#column(key, "readable") }),
    "view.setAggregations": ({ set }) => {
      for (const [id, op] of Object.entries(object(set))) {
        const offered = this.#table.contract.aggregations?.columns.find((one) => one.id === id)?.operations;
        if (!offered?.some((one) => one.id === op))
          throw new Error(`no aggregation ${id} ${JSON.stringify(op)}`);
        this.#did.aggregations[id] = string(op);
      }
    },
    "view.pinColumn": ({ key, side }) => {
      const id = this.#column(key, "readable");
      if (side !== "start" && side !== null) throw new Error("a column is pinned at the start or not at all");
      this.#change({ pinnedColumns: placed(this.#view.pinnedColumns, id, side) });
    },
    "view.hideColumn": ({ key, hidden = true }) => {
      const id = this.#column(key, "readable");
      const others = (this.#view.hiddenColumns ?? []).filter((one) => one !== id);
      this.#change({ hiddenColumns: hidden === true ? [...others, id] : others });
    },
    "view.setColumnOrder": ({ key, index, order }) => {
      const ids = this.#table.contract.columns.map(({ id }) => id);
      if (Array.isArray(order)) {
        if ([...order.map(String)].sort().join() !== [...ids].sort().join())
          throw new Error("every column once");
        return this.#change({ columnOrder: order.map(String) });
      }
      const id = this.#column(key, "readable");
      const others = (this.#view.columnOrder ?? ids).filter((one) => one !== id);
      others.splice(Number(index), 0, id);
      this.#change({ columnOrder: others });
    },
    "view.pinRow": ({ side, ...ref }) =>
      this.#change({ pinnedRows: placed(this.#view.pinnedRows, this.#row(ref), side ?? null) }),
    "view.setSelection": ({ ids = [] }) => {
      this.#did.selection = list(ids).map((rowKey) => this.#row({ rowKey }));
    },
    "views.apply": ({ viewId }) => {
      this.#did.applied = string(viewId);
    },
    "export.run": ({ format }) => {
      this.#did.exported = string(format);
    },
    "edit.cells": ({ edits }) => {
      for (const edit of list(edits)) {
        const { column, value = null } = object(edit);
        const id = this.#column(column, "writable");
        const type = this.#table.contract.columns.find((one) => one.id === id)?.type;
        if (type === "number" && typeof value !== "number") throw new Error(`${id} takes numbers`);
        const key = this.#row(edit);
        if (this.holds(key, id, value)) continue;
        this.#did.edits[key] = { ...this.#did.edits[key], [id]: value };
      }
    },
    "rows.add": ({ rows }) => {
      for (const row of list(rows)) {
        for (const id of Object.keys(object(row))) this.#column(id, "readable");
        this.#did.added.push(object(row));
      }
    },
    "rows.delete": ({ rows }) => {
      this.#did.deleted.push(...list(rows).map((ref) => this.#row(ref)));
    },
    "rows.reorder": ({ fromKey = null, toKey = null }) => {
      this.#did.moved = [this.#row({ rowKey: fromKey }), this.#row({ rowKey: toKey })];
    },
  };

  readonly #act = (args: JsonObject, name: string): void => {
    const [kind = "", action = ""] = name.split(".");
    if (kind === "rowAction") {
      this.#did.ran.push(`${action} ${this.#row(args)}`);
      return;
    }
    const keys = list(args.rowKeys).map(String).sort();
    if (keys.join() !== [...this.#did.selection].sort().join())
      throw new Error("a bulk action takes the selection");
    this.#did.ran.push(`${action} ${keys.join()}`);
  };
}

/** `{ start: ["a"] }` as `{ a: "start" }`. */
function sides(pinned: JsonObject = {}): Record<string, string> {
  const pairs = Object.entries(pinned).flatMap(([side, ids]) =>
    list(ids).map((id) => [String(id), side] as const),
  );
  return Object.fromEntries(pairs);
}

function placed(pinned: JsonObject = {}, id: string, side: Json): JsonObject {
  const without = Object.fromEntries(
    Object.entries(pinned).map(([key, ids]) => [key, list(ids).filter((one) => one !== id)]),
  );
  return typeof side === "string" ? { ...without, [side]: [...list(without[side] ?? []), id] } : without;
}

function compare(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function object(value: Json | undefined): JsonObject {
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error(`${JSON.stringify(value)} is not an object`);
  return value;
}

function list(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is not a list`);
  return value;
}

function string(value: Json | undefined): string {
  if (typeof value !== "string") throw new Error(`${JSON.stringify(value)} is not text`);
  return value;
}
