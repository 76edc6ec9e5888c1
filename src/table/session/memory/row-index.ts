import type { JsonObject } from "../../../turn/json.ts";
import type { PermittedFilter } from "../filters.ts";
import type { HostRow, HostView } from "../table-host.ts";
import { rowTests } from "./row-filter.ts";
import { sortRows } from "./row-order.ts";
import { RowSearch, type SearchColumn } from "./row-search.ts";

/** What a list of rows depends on beside the rows. */
export interface Narrowing {
  view: HostView;
  filters: readonly PermittedFilter[];
  searchColumns: SearchColumn[];
  today: string;
}

/** Finds and orders rows, and remembers what it found until the rows or what was asked for change. */
export class RowIndex {
  private readonly search = new RowSearch();
  private version = -1;
  private readonly remembered = new Map<string, { key: string; rows: readonly HostRow[] }>();

  /** Rows that pass the filters and the search, as they stand. */
  matching(rows: readonly HostRow[], version: number, narrowing: Narrowing): readonly HostRow[] {
    this.keepFor(version);
    const { view, filters, searchColumns, today } = narrowing;
    const bag = view.filters ?? {};
    const search = view.search ?? "";
    if (search === "" && Object.keys(bag).length === 0) return rows;
    const filtered = this.remember("filtered", JSON.stringify([bag, today]), () =>
      passing(rows, rowTests(bag, filters, today)),
    );
    const test = this.search.test(search, searchColumns);
    if (test === undefined) return filtered;
    return this.remember("found", JSON.stringify([bag, today, search, searchColumns]), () =>
      passing(filtered, [test]),
    );
  }

  /** Matching rows in the order of the groups, then of the sort. */
  ordered(rows: readonly HostRow[], version: number, narrowing: Narrowing): readonly HostRow[] {
    const matching = this.matching(rows, version, narrowing);
    const { view, today, searchColumns } = narrowing;
    const { sort, groupBy } = view;
    if (!sort && !groupBy) return matching;
    const base = [view.filters ?? {}, today, view.search ?? "", searchColumns];
    const sorted = sort
      ? this.remember("sorted", JSON.stringify([base, sort]), () =>
          sortRows(matching, sort.key, sort.dir === "desc"),
        )
      : matching;
    if (!groupBy) return sorted;
    return this.remember("grouped", JSON.stringify([base, sort, groupBy]), () =>
      // Groups follow the sort when it is by their own column.
      sort?.key === groupBy ? sorted : sortRows(sorted, groupBy, false),
    );
  }

  private keepFor(version: number): void {
    if (version === this.version) return;
    this.version = version;
    this.remembered.clear();
  }

  private remember(kind: string, key: string, find: () => readonly HostRow[]): readonly HostRow[] {
    const known = this.remembered.get(kind);
    if (known?.key === key) return known.rows;
    const rows = find();
    this.remembered.set(kind, { key, rows });
    return rows;
  }
}

function passing(rows: readonly HostRow[], tests: ((cells: JsonObject) => boolean)[]): readonly HostRow[] {
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row.cells)));
}
