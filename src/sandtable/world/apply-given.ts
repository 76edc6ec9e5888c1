import type { Table, Task } from "../domain/types.ts";
import { plantRow } from "./plant-row.ts";
import type { WorldStore } from "./world.ts";

/** Applies what a task gives to a world that holds the base rows: merged into a row, added as one, or, when null, taken away. */
export function applyGiven(
  store: WorldStore,
  tables: Pick<Table, "name" | "key">[],
  given: Task["given"],
): void {
  for (const { table: name, key, row } of given) {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) continue;
    if (row === null) store.remove(name, key);
    else store.put(name, key, plantRow(table, key, store.get(name, key) ?? {}, row));
  }
}
