import type { Json, JsonObject } from "../../turn/json.ts";
import type { Action } from "../domain/types.ts";
import { getPath, setPath } from "../expr/path.ts";
import { matchesResolved, remainingWhere } from "../expr/where.ts";
import { Refusal } from "./refusal.ts";
import { fillArguments, keyOf, notFound, type ToolCall, tableOf } from "./tool-call.ts";

/**
 * The row a lookup finds: by key without going through the table, or the first that matches; none where nothing is left
 * of the condition. Throws Refusal.
 */
export function lookUp(call: ToolCall, action: Action & { kind: "lookup" }): JsonObject {
  const { rows, fields, error } = action;
  const table = tableOf(call, rows.table);
  const missing = (fallback: Refusal): Refusal =>
    error === undefined ? fallback : new Refusal(fillArguments(call, error));
  if (rows.key !== undefined) {
    const key = keyOf(call, rows.key);
    const row = call.ctx.world.get(table.name, key);
    if (row === undefined) throw missing(notFound(table, key));
    return project(row, fields);
  }
  const where = remainingWhere(rows.where, call.ctx);
  if (where !== null) {
    for (const row of call.ctx.world.scan(table.name))
      if (matchesResolved(row, where)) return project(row, fields);
  }
  throw missing(new Refusal(`${table.noun} not found`));
}

/** The rows a search finds, in its order, else in insertion order. */
export function search(call: ToolCall, action: Action & { kind: "search" }): JsonObject[] {
  const where = action.where === undefined ? null : remainingWhere(action.where, call.ctx);
  const limit = action.limit ?? Number.POSITIVE_INFINITY;
  const found: JsonObject[] = [];
  for (const row of call.ctx.world.scan(action.table)) {
    if (action.sort.length === 0 && found.length >= limit) break;
    if (where === null || matchesResolved(row, where)) found.push(row);
  }
  found.sort((a, b) => {
    for (const { path, descending } of action.sort) {
      const sign = compareForSort(getPath(a, path), getPath(b, path), descending);
      if (sign !== 0) return sign;
    }
    return 0;
  });
  return found.slice(0, limit).map((row) => project(row, action.fields));
}

/** A row with only some of its fields, in the order asked for; a dotted name keeps its nesting. */
function project(row: JsonObject, fields: string[] | undefined): JsonObject {
  if (fields === undefined) return row;
  const projected: JsonObject = {};
  for (const field of fields) {
    const path = Object.hasOwn(row, field) ? [field] : field.split(".");
    const value = getPath(row, path);
    if (value !== undefined) setPath(projected, path, value);
  }
  return projected;
}

/** Numbers before texts before the rest; what is missing or null comes last in either direction. */
function compareForSort(a: Json | undefined, b: Json | undefined, descending: boolean): number {
  const [left, right] = [rank(a), rank(b)];
  if (left === missingRank || right === missingRank) return left - right;
  let sign = left - right;
  if (typeof a === "number" && typeof b === "number") sign = a - b;
  else if (typeof a === "string" && typeof b === "string") sign = a < b ? -1 : a > b ? 1 : 0;
  else if (typeof a === "boolean" && typeof b === "boolean") sign = Number(a) - Number(b);
  return descending ? -sign : sign;
}

const missingRank = 9;

function rank(value: Json | undefined): number {
  if (value === undefined || value === null) return missingRank;
  if (typeof value === "number") return 0;
  if (typeof value === "string") return 1;
  return typeof value === "boolean" ? 2 : 3;
}
