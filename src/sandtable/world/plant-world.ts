import type { Json, JsonObject } from "../../turn/json.ts";
import type { Table, Task } from "../domain/types.ts";
import { setOwn } from "../expr/path.ts";
import type { WorldStore } from "./world.ts";

/**
 * Fills an empty store with the base rows and what a task gives: a given row is merged into the base row of its key
 * (objects field by field, everything else replaced), added when there is none, or removes it when null.
 * Rows come out in file order, added ones last.
 */
export function plantWorld(store: WorldStore, tables: Table[], given: Task["given"]): void {
  for (const table of tables) {
    const changes = new Map(given.filter((one) => one.table === table.name).map((one) => [one.key, one.row]));
    for (const base of table.rows) {
      const key = base[table.key];
      if (typeof key !== "string") continue;
      const change = changes.get(key);
      changes.delete(key);
      if (change === null) continue;
      store.put(table.name, key, change === undefined ? base : plantRow(table, key, base, change));
    }
    for (const [key, row] of changes) {
      if (row !== null) store.put(table.name, key, plantRow(table, key, {}, row));
    }
  }
}

/** A row of a key with changes merged in; neither argument is changed. */
export function plantRow(table: Pick<Table, "key">, key: string, base: JsonObject, change: JsonObject): JsonObject {
  return mergeObjects({ [table.key]: key, ...base }, { ...change, [table.key]: key });
}

function mergeObjects(base: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const old = Object.hasOwn(merged, name) ? merged[name] : undefined;
    setOwn(merged, name, isObject(old) && isObject(value) ? mergeObjects(old, value) : value);
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
