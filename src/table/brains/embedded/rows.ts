import type { Json, JsonObject } from "../../../turn/json.ts";
import type { RowScope, TableContract, TableView } from "../../protocol/contract.ts";
import { AGENT_HTTP_LIMITS } from "../../protocol/limits.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import type { BrainCall } from "../brain.ts";
import { ownValue } from "./own-value.ts";
import { Pause, Refusal } from "./pause.ts";

export interface Row {
  key: string;
  cells: JsonObject;
}

/** Rows that were read, and how much of the table they are. */
export interface ReadRows {
  rows: Row[];
  /** All rows of the scope are among them. */
  complete: boolean;
  /** Rows in the whole table, when it is known. */
  total: number | null;
}

/** Bytes of row windows asked for in one turn, below what the client takes. */
const maxWindowBytes = 100_000;
/** Windows asked for at once while nobody knows how many rows there are. */
const firstWindows = 4;

/**
 * The rows this turn has read. Reading changes no view: all rows where the source holds them, else the page shown. What
 * is in them was typed by someone and is only ever compared and repeated.
 */
export class Rows {
  readonly #contract: TableContract;
  readonly #view: TableView;
  readonly #windows = new Map<number, { rows: Row[]; limit: number }>();
  #error: string | null = null;
  #answers = 0;

  constructor(contract: TableContract, view: TableView, results: readonly ToolResult[]) {
    this.#contract = contract;
    this.#view = view;
    for (const entry of results) {
      if ("error" in entry) this.#error = entry.error.message;
      else this.#take(entry.result);
    }
  }

  /** Whether rows of the whole table can be read, not only those of the page shown. */
  get wide(): boolean {
    return this.#contract.source.fullDataset;
  }

  /** All rows that can be read, with these columns. Pauses until they are there; refuses when rows cannot be read. */
  read(columns: readonly string[]): ReadRows {
    if (!this.#contract.capabilities.some(({ key }) => key === "rows.read"))
      throw new Refusal("This table does not let me read its rows.");
    const wanted = this.windows(columns).filter((offset) => !this.#windows.has(offset));
    const lacking = this.#answers < 40 && this.#lacks(columns);
    if (wanted.length > 0 || lacking) {
      if (this.#error !== null) throw new Refusal(`I could not read the rows: ${this.#error}`);
      throw new Pause({ columns: [...columns] });
    }
    const ordered = [...this.#windows].sort(([a], [b]) => a - b);
    const seen = new Map<string, Row>();
    for (const [, { rows }] of ordered) for (const row of rows) seen.set(row.key, row);
    const last = ordered.at(-1)?.[1];
    const total = this.#total();
    const complete =
      (last !== undefined && last.rows.length < last.limit) || (total !== null && seen.size >= total);
    return {
      rows: [...seen.values()],
      complete: complete && (this.wide || !this.#hasMorePages(seen.size)),
      total: this.#whole(seen.size, complete),
    };
  }

  /** The `read` calls that bring the windows that are missing. */
  calls(columns: readonly string[]): BrainCall[] {
    const lacking = this.#lacks(columns);
    return this.windows(columns)
      .filter((offset) => lacking || !this.#windows.has(offset))
      .map((offset) => ({
        name: "read",
        args: { offset, limit: this.#size(), columns: [...columns], scope: this.#scope() },
      }));
  }

  /** Offsets of the windows that show all rows, as far as one turn goes. */
  windows(columns: readonly string[]): number[] {
    const size = this.#size();
    const most = this.#mostWindows(columns);
    const total = this.#total();
    const read = [...this.#windows].some(([, { rows, limit }]) => rows.length < limit);
    const known =
      total === null
        ? read
          ? this.#windows.size
          : this.#windows.size === 0
            ? firstWindows
            : most
        : Math.ceil(total / size);
    return Array.from({ length: Math.max(1, Math.min(most, known)) }, (_, index) => index * size);
  }

  /** Whether it is certain before reading that the rows are more than one turn can read. */
  isBeyond(columns: readonly string[]): boolean {
    const { totalRows } = this.#view.pagination ?? {};
    const isNarrow = Object.keys(this.#view.filters ?? {}).length > 0 || this.#view.search !== "";
    const total = isCount(totalRows) ? totalRows : isNarrow ? null : this.#contract.source.totalCount;
    if (!isCount(total)) return false;
    return total > (this.wide ? this.#mostWindows(columns) * this.#size() : this.#view.limit);
  }

  #mostWindows(columns: readonly string[]): number {
    const most = Math.floor(maxWindowBytes / (rowBytes(columns) * this.#size()));
    return Math.max(1, Math.min(AGENT_HTTP_LIMITS.maxReadCalls, most));
  }

  #size(): number {
    return Math.max(1, Math.floor(this.#contract.limits.readMax));
  }

  #scope(): RowScope {
    return this.wide ? "full" : "page";
  }

  /** Rows of the scope, when the contract and the view tell. */
  #total(): number | null {
    const { totalCount } = this.#contract.source;
    const pages = this.#view.pagination;
    if (this.wide) return isCount(totalCount) ? totalCount : null;
    if (pages === undefined || !isCount(pages.totalRows)) return null;
    return Math.max(0, Math.min(pages.pageSize, pages.totalRows - (pages.page - 1) * pages.pageSize));
  }

  /** Rows of the whole table, for saying how many were not read. */
  #whole(read: number, complete: boolean): number | null {
    if (this.wide) return this.#total() ?? (complete ? read : null);
    const { totalRows } = this.#view.pagination ?? {};
    return isCount(totalRows) ? totalRows : null;
  }

  #hasMorePages(read: number): boolean {
    const { totalRows, hasNext, hasPrevious } = this.#view.pagination ?? {};
    return isCount(totalRows) ? totalRows > read : (hasNext ?? false) || (hasPrevious ?? false);
  }

  /** Whether rows that were read lack a column that is needed, because another wish read them. */
  #lacks(columns: readonly string[]): boolean {
    const first = [...this.#windows.values()].find(({ rows }) => rows.length > 0)?.rows[0];
    return first !== undefined && columns.some((id) => !Object.hasOwn(first.cells, id));
  }

  #take(result: Json): void {
    const window = windowOf(result);
    if (window === null) return;
    this.#answers++;
    this.#windows.set(window.offset, window);
  }
}

/** A window of rows as reading answers it; null when it is none. */
export function windowOf(result: Json): { rows: Row[]; offset: number; limit: number } | null {
  const envelope =
    isObject(result) && ownValue(result, "source") === "table-rows" ? ownValue(result, "rows") : null;
  if (!isObject(envelope)) return null;
  const { rows, offset, limit } = envelope;
  if (!Array.isArray(rows) || typeof offset !== "number" || typeof limit !== "number") return null;
  const taken = rows.flatMap((row): Row[] => {
    if (!isObject(row)) return [];
    const [key, cells] = [ownValue(row, "rowKey"), ownValue(row, "cells")];
    return typeof key === "string" && isObject(cells) ? [{ key, cells }] : [];
  });
  return { rows: taken, offset, limit };
}

/** What a row takes in an answer, at most, with these columns. */
export function rowBytes(columns: readonly string[]): number {
  return 60 + columns.reduce((sum, id) => sum + id.length + 40, 0);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
