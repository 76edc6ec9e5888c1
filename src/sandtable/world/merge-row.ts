import type { Json, JsonObject } from "../../turn/json.ts";
import { setOwn } from "../expr/path.ts";

/**
 * A row with changes merged in: objects field by field, everything else replaced; null is a value like any other.
 * Neither argument is changed.
 */
export function mergeRow(base: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const old = Object.hasOwn(merged, name) ? merged[name] : undefined;
    setOwn(merged, name, isObject(old) && isObject(value) ? mergeRow(old, value) : value);
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
