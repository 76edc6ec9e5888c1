import type { Table, Task } from "../domain/types.ts";
import { plantRow } from "./plant-row.ts";
import type { WorldStore } from "./world.ts";

/**
 * Applies what a task gives to a world that holds the base rows: merged into a row, added as one, or, when null, taken
 * away. Of several given for one key the last counts.
 */
export function applyGiven(
  store: WorldStore,
  tables: Pick<Table, "name" | "key">[],
  given: Task["given"],
): void {
  const last = new Map(given.map((one) => [JSON.stringify([one.table, one.key]), one]));
  for (const { table: name, key, row } of last.values()) {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) continue;
    if (row === null) store.remove(name, key);
    else store.put(name, key, plantRow(table, key, store.get(name, key) ?? {}, row));
  }
}
