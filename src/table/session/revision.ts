import { textHash } from "./as-json.ts";
import { offeredBy } from "./capabilities/catalogue.ts";
import type { LiveTable } from "./live-table.ts";

/**
 * Counts the states of a table: the number rises when the view, the rows or what is permitted differ from when they
 * were last looked at. Selecting rows is no other state.
 */
export class Revisions {
  private count = 0;
  private last = "";

  of(table: LiveTable): number {
    const { selection, ...view } = table.view;
    const state = JSON.stringify([view, table.host.rowsVersion?.(), permissionsOf(table)]);
    if (state !== this.last) {
      this.last = state;
      this.count += 1;
    }
    return this.count;
  }
}

/** A name for what an agent may do here; hiding a column or adding rows leaves it the same. */
export function permissionsOf(table: LiveTable): string {
  const { host, policy, columns, filters } = table;
  return textHash(
    JSON.stringify([
      host.tableId,
      policy,
      table.source.fullDataset,
      columns.map(({ visible, description, examples, sampled, ...column }) => column),
      filters.map(({ options, ...filter }) => [filter, options?.length]),
      offeredBy(table).map((definition) => definition.key),
    ]),
  );
}

/** What someone narrowed the view to, beside where they stand in it: a write of ours changes none of it. */
export function narrowingOf(table: LiveTable): string {
  const { sort, search, filters, groupBy } = table.view;
  return JSON.stringify([sort, search, filters, groupBy]);
}
