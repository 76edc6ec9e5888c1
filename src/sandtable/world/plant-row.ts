import type { Json, JsonObject } from "../../turn/json.ts";
import type { Table } from "../domain/types.ts";
import { setOwn } from "../expr/path.ts";

/**
 * A row of a key with changes merged in: objects field by field, everything else replaced; null is a value like any
 * other. Carries its key whatever the arguments say, neither of which is changed.
 */
export function plantRow(
  table: Pick<Table, "key">,
  key: string,
  base: JsonObject,
  change: JsonObject,
): JsonObject {
  return merge({ [table.key]: key, ...base }, { ...change, [table.key]: key });
}

function merge(base: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const old = Object.hasOwn(merged, name) ? merged[name] : undefined;
    setOwn(merged, name, isObject(old) && isObject(value) ? merge(old, value) : value);
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
