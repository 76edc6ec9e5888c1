import type { Json } from "../../../turn/json.ts";
import type { TableContract, TableView } from "../../protocol/contract.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import type { BrainCall } from "../brain.ts";
import { ownValue } from "./own-value.ts";
import { Pause, type RowSearch } from "./pause.ts";
import { isObject, type ReadRows, rowBytes, windowOf } from "./rows.ts";
import { fold } from "./words.ts";

/** Bytes of rows that all searches of one plan may bring: receipts travel with everything else in one request. */
const maxFoundBytes = 80_000;
/** Names looked for in one plan, at most. */
const maxNames = 8;
/** Columns read beside those that are needed, at most. */
const maxColumns = 24;
/** Most rows read of one search. */
const maxFound = 200;

/**
 * Rows found by name where a table is too long to be read. The plan searches for a name, reads the few rows that are left
 * and puts search and page back as they were, so that the view is untouched whether or not the turn goes on; the receipts
 * bring the rows to the next phase. What is in them is only ever compared and repeated.
 */
export class FoundRows {
  readonly #contract: TableContract;
  readonly #view: TableView;
  readonly #phaseId: number;
  readonly #byName = new Map<string, { said: string; read: ReadRows }>();

  constructor(contract: TableContract, view: TableView, phaseId: number, results: readonly ToolResult[]) {
    this.#contract = contract;
    this.#view = view;
    this.#phaseId = phaseId;
    if (phaseId > 0) this.#take(results);
  }

  /** Names that were looked for in the phase before. */
  get names(): string[] {
    return [...this.#byName.values()].map(({ said }) => said);
  }

  /**
   * The rows that contain each name. Pauses until they are there; null where the table has no search, where nobody knows
   * what it is set to now, or where the search was made and brought nothing back.
   */
  search(names: readonly string[], columns: readonly string[]): ReadRows[] | null {
    const found = names.map((name) => this.#byName.get(fold(name))?.read);
    const all = found.filter((one) => one !== undefined);
    if (all.length === names.length) return all;
    const offered = new Set(this.#contract.capabilities.map(({ key }) => key));
    const can =
      this.#phaseId === 0 &&
      offered.has("view.setSearch") &&
      offered.has("rows.read") &&
      (this.#view.page === 1 || offered.has("view.setPage")) &&
      !this.#view.unknown?.some((what) => what === "search" || what === "page");
    if (!can || names.length > maxNames) return null;
    throw new Pause({ search: { names: [...names], columns: [...columns] } });
  }

  /** The plan that finds the rows of searches and leaves the view as it was. */
  calls(searches: readonly RowSearch[]): BrainCall[] {
    const names = namesOf(searches).slice(0, maxNames);
    // All cells within reason: what else is wished of the same rows cannot be read again in the next phase.
    const readable = this.#contract.columns.flatMap(({ id, readable: may }) => (may ? [id] : []));
    const columns = [
      ...new Set([...searches.flatMap((search) => search.columns), ...readable.slice(0, maxColumns)]),
    ];
    const fit = Math.floor(maxFoundBytes / (rowBytes(columns) * names.length));
    const limit = Math.max(1, Math.min(this.#contract.limits.readMax, maxFound, fit));
    const { fullDataset } = this.#contract.source;
    const { search, page } = this.#view;
    return [
      ...names.flatMap((name): BrainCall[] => [
        { name: "view.setSearch", args: { query: name } },
        { name: "rows.read", args: { offset: 0, limit, columns, scope: fullDataset ? "full" : "page" } },
      ]),
      { name: "view.setSearch", args: { query: search } },
      ...(page === 1 ? [] : [{ name: "view.setPage", args: { page } }]),
    ];
  }

  /** Each window belongs to the search that succeeded right before it. */
  #take(results: readonly ToolResult[]): void {
    let name: string | null = null;
    for (const entry of results) {
      const result: Json =
        "error" in entry || !isObject(entry.result) ? null : ownValue(entry.result, "result");
      const query = isObject(result) ? ownValue(result, "query") : null;
      const window = windowOf(result);
      if (window !== null && name !== null && name !== "") {
        const most = this.#contract.source.fullDataset
          ? window.limit
          : Math.min(window.limit, this.#view.limit);
        const complete = window.rows.length < most;
        this.#byName.set(fold(name), { said: name, read: { rows: window.rows, complete, total: null } });
      }
      name = typeof query === "string" ? query : null;
    }
  }
}

/** The different names of searches, in order. */
export function namesOf(searches: readonly RowSearch[]): string[] {
  const byName = new Map(searches.flatMap(({ names }) => names).map((name) => [fold(name), name]));
  return [...byName.values()];
}
