import type { Json } from "../../../turn/json.ts";
import type { TableContract, TableView } from "../../protocol/contract.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import type { BrainCall } from "../brain.ts";
import { ownValue } from "./own-value.ts";
import { Pause, type RowSearch } from "./pause.ts";
import { isObject, type ReadRows, type Row, rowBytes, windowOf } from "./rows.ts";
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
 * Rows found by name where a table is too long to be read. The plan narrows the table to a name, reads the few rows that
 * are left and puts the view back as it was, so that it is untouched whether or not the turn goes on; the receipts bring
 * the rows to the next phase. Names are looked for where a word of the naming column begins with them, by its filter, and
 * where that finds none, or there is no such filter, anywhere in a row, by the search. What is in rows is only ever
 * compared and repeated.
 */
export class FoundRows {
  readonly #contract: TableContract;
  readonly #view: TableView;
  readonly #phaseId: number;
  /** The naming column, where its own filter can look for the beginnings of words. */
  readonly #filter: string | null;
  readonly #byName = new Map<string, { said: string; read: ReadRows }>();
  /** The rows came by the filter, and not by the search. */
  #byFilter = false;

  /** `title`: the id of the column that names a row. */
  constructor(
    contract: TableContract,
    view: TableView,
    phaseId: number,
    results: readonly ToolResult[],
    title: string | undefined,
  ) {
    this.#contract = contract;
    this.#view = view;
    this.#phaseId = phaseId;
    this.#filter = title !== undefined && canFilterWords(contract, view, title) ? title : null;
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
    const again =
      this.#phaseId === 1 && this.#byFilter && this.#canSearch() && all.some(({ rows }) => rows.length === 0);
    if (all.length === names.length && !again) return all;
    const can = again || (this.#phaseId === 0 && (this.#filter !== null || this.#canSearch()));
    if (!can || names.length > maxNames || !offersReading(this.#contract, this.#view)) return null;
    throw new Pause({ search: { names: [...names], columns: [...columns] } });
  }

  #canSearch(): boolean {
    return (
      this.#contract.capabilities.some(({ key }) => key === "view.setSearch") &&
      this.#view.unknown?.includes("search") !== true
    );
  }

  /** The plan that finds the rows of searches and leaves the view as it was. */
  calls(searches: readonly RowSearch[]): BrainCall[] {
    // What was found before is not heard of any more in the phase after the next.
    const earlier = this.#phaseId === 0 ? [] : [{ names: this.names, columns: [] }];
    const names = namesOf([...searches, ...earlier]).slice(0, maxNames);
    const filter = this.#phaseId === 0 ? this.#filter : null;
    // All cells within reason: what else is wished of the same rows cannot be read again in the next phase.
    const readable = this.#contract.columns.flatMap(({ id, readable: may }) => (may ? [id] : []));
    const columns = [
      ...new Set([...searches.flatMap((search) => search.columns), ...readable.slice(0, maxColumns)]),
    ];
    const windows = names.length * (filter === null ? 1 : 2);
    const fit = Math.floor(maxFoundBytes / (rowBytes(columns) * windows));
    const limit = Math.max(1, Math.min(this.#contract.limits.readMax, maxFound, fit));
    const scope = this.#contract.source.fullDataset ? "full" : "page";
    const read: BrainCall = { name: "rows.read", args: { offset: 0, limit, columns, scope } };
    const { search, page, filters = {} } = this.#view;
    const back = page === 1 ? [] : [{ name: "view.setPage", args: { page } }];
    if (filter === null)
      return [
        ...names.flatMap((name) => [{ name: "view.setSearch", args: { query: name } }, read]),
        { name: "view.setSearch", args: { query: search } },
        ...back,
      ];
    const narrow = (op: string, text: string): BrainCall => ({
      name: "view.setFilters",
      args: { filters: { ...filters, [filter]: text, [`${filter}Op`]: op } },
    });
    return [
      ...names.flatMap((name) => [narrow("startsWith", name), read, narrow("contains", ` ${name}`), read]),
      { name: "view.setFilters", args: { filters } },
      ...back,
    ];
  }

  /** Each window belongs to the search, or the filter, that succeeded right before it. */
  #take(results: readonly ToolResult[]): void {
    let name: string | null = null;
    for (const entry of results) {
      const result: Json =
        "error" in entry || !isObject(entry.result) ? null : ownValue(entry.result, "result");
      const window = windowOf(result);
      if (window !== null && name !== null && name !== "") {
        const most = this.#contract.source.fullDataset
          ? window.limit
          : Math.min(window.limit, this.#view.limit);
        this.#add(name, window.rows, window.rows.length < most);
      }
      if (window === null) name = this.#nameIn(result);
    }
  }

  #add(name: string, rows: readonly Row[], complete: boolean): void {
    const before = this.#byName.get(fold(name))?.read;
    const known = before?.rows ?? [];
    const fresh = rows.filter((row) => known.every(({ key }) => key !== row.key));
    this.#byName.set(fold(name), {
      said: name,
      read: { rows: [...known, ...fresh], complete: complete && before?.complete !== false, total: null },
    });
  }

  /** What a receipt says the table was narrowed to; null where it says nothing of it. */
  #nameIn(result: Json): string | null {
    if (!isObject(result)) return null;
    const query = ownValue(result, "query");
    if (typeof query === "string") return query;
    const bag = ownValue(result, "filters");
    const text = this.#filter !== null && isObject(bag) ? ownValue(bag, this.#filter) : null;
    if (typeof text !== "string") return null;
    this.#byFilter = true;
    return text.trim();
  }
}

/**
 * Whether the column's own filter can be set to the beginning of a word, beside what else is set and without anything in
 * the way of putting it back.
 */
function canFilterWords({ capabilities, filters }: TableContract, view: TableView, column: string): boolean {
  const own = filters.find(({ key }) => key === column);
  return (
    own?.type === "text" &&
    own.operators.includes("startsWith") &&
    own.operators.includes("contains") &&
    capabilities.some(({ key }) => key === "view.setFilters") &&
    view.search === "" &&
    !own.valueKeys.some((key) => ownValue(view.filters ?? {}, key) !== null) &&
    !view.unknown?.some((what) => what === "search" || what === "filters")
  );
}

/** Whether rows can be read under a narrowed view and the page be put back. */
function offersReading({ capabilities }: TableContract, view: TableView): boolean {
  const offered = new Set(capabilities.map(({ key }) => key));
  return (
    offered.has("rows.read") &&
    (view.page === 1 || offered.has("view.setPage")) &&
    view.unknown?.includes("page") !== true
  );
}

/** The different names of searches, in order. */
export function namesOf(searches: readonly RowSearch[]): string[] {
  const byName = new Map(searches.flatMap(({ names }) => names).map((name) => [fold(name), name]));
  return [...byName.values()];
}
