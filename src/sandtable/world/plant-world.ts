import type { Table, Task } from "../domain/types.ts";
import { applyGiven } from "./apply-given.ts";
import type { WorldStore } from "./world.ts";

/** Fills an empty store with the base rows, in file order, and what a task gives; added rows come last. */
export function plantWorld(store: WorldStore, tables: Table[], given: Task["given"]): void {
  for (const table of tables) {
    for (const row of table.rows) {
      const key = row[table.key];
      if (typeof key === "string") store.put(table.name, key, row);
    }
  }
  applyGiven(store, tables, given);
}
