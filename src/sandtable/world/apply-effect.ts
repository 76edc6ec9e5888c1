import type { Json, JsonObject } from "../../turn/json.ts";
import type { Effect, RowSelector } from "../domain/types.ts";
import type { TableShape } from "../expr/context.ts";
import { deepEqual } from "../expr/equal.ts";
import { getPath, setPath } from "../expr/path.ts";
import { evaluateValue } from "../expr/value.ts";
import { matchesResolved, remainingWhere } from "../expr/where.ts";
import type { PendingWorld } from "./pending-world.ts";
import { Refusal } from "./refusal.ts";
import { keyOf, notComputed, notFound, type ToolCall, tableOf } from "./tool-call.ts";

/** Rows an effect made, changed or deleted. `many` when it picks rows by a condition. */
export interface Affected {
  table: string;
  rows: { key: string; row: JsonObject }[];
  many: boolean;
}

/** Applies one effect to the pending world, which `call.ctx` reads from. Throws Refusal or CelError. */
export function applyEffect(call: ToolCall, world: PendingWorld, effect: Effect): Affected {
  switch (effect.kind) {
    case "create":
      return create(call, world, effect);
    case "update":
      return update(call, world, effect);
    case "delete": {
      const affected = pick(call, world, effect.rows);
      for (const { key } of affected.rows) world.set(affected.table, key, undefined);
      return affected;
    }
  }
}

function create(call: ToolCall, world: PendingWorld, effect: Effect & { kind: "create" }): Affected {
  const table = tableOf(call, effect.table);
  const set = evaluated(call, effect.set);
  const key = effect.key === undefined ? world.newKey(table) : keyOf(call, effect.key);
  if (world.get(table.name, key) !== undefined) throw new Refusal(`${table.noun} ${key} already exists`);
  const row: JsonObject = { [table.key]: key };
  setFields(call, table, key, row, set);
  world.set(table.name, key, row);
  return { table: table.name, rows: [{ key, row }], many: false };
}

function update(call: ToolCall, world: PendingWorld, effect: Effect & { kind: "update" }): Affected {
  const table = tableOf(call, effect.rows.table);
  const affected = pick(call, world, effect.rows);
  const set = evaluated(call, effect.set);
  const append = evaluated(call, effect.append);
  const remove = evaluated(call, effect.remove);
  const rows = affected.rows.map(({ key, row: before }) => {
    const row = structuredClone(before);
    setFields(call, table, key, row, set);
    for (const { path, value } of append) {
      const list = listAt(call, table, key, row, path) ?? [];
      list.push(structuredClone(value));
      setFields(call, table, key, row, [{ path, value: list }]);
    }
    for (const { path, value } of remove) {
      const list = listAt(call, table, key, row, path);
      if (list === null) continue;
      const kept = list.filter((element) => !deepEqual(element, value));
      setFields(call, table, key, row, [{ path, value: kept }]);
    }
    world.set(table.name, key, row);
    return { key, row };
  });
  return { ...affected, rows };
}

/**
 * The rows a selector picks. One by key must be there and costs no scan; by condition there may be none, and are none
 * where nothing is left of the condition: a call that names no row must not write to all of them.
 */
function pick(call: ToolCall, world: PendingWorld, selector: RowSelector): Affected {
  const table = tableOf(call, selector.table);
  if (selector.key !== undefined) {
    const key = keyOf(call, selector.key);
    const row = world.get(table.name, key);
    if (row === undefined) throw notFound(table, key);
    return { table: table.name, rows: [{ key, row }], many: false };
  }
  const where = remainingWhere(selector.where, call.ctx);
  const rows: Affected["rows"] = [];
  if (where === null) return { table: table.name, rows, many: true };
  for (const row of world.scan(table.name)) {
    if (matchesResolved(row, where)) rows.push({ key: String(row[table.key]), row });
  }
  return { table: table.name, rows, many: true };
}

interface Assignment {
  path: string[];
  value: Json;
}

/** Assignments with their values known; those whose value is an argument that was left out are dropped. */
function evaluated(call: ToolCall, set: Extract<Effect, { kind: "create" }>["set"]): Assignment[] {
  return set.flatMap(({ path, value }) => {
    const result = evaluateValue(value, call.ctx);
    return result === undefined ? [] : [{ path, value: result }];
  });
}

/** Sets fields of a row in place, with copies of the values. */
function setFields(call: ToolCall, table: TableShape, key: string, row: JsonObject, set: Assignment[]): void {
  for (const { path, value } of set) {
    if (path[0] === table.key)
      throw notComputed(call, `${table.key} is the key of ${table.name} and cannot be set`);
    const blocked = setPath(row, path, structuredClone(value));
    if (blocked !== null) throw notComputed(call, `${blocked} of ${table.noun} ${key} is not an object`);
  }
}

/** The list at a path, or null where there is nothing yet. Throws Refusal for anything else. */
function listAt(
  call: ToolCall,
  table: TableShape,
  key: string,
  row: JsonObject,
  path: string[],
): Json[] | null {
  const value = getPath(row, path);
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value;
  throw notComputed(call, `${path.join(".")} of ${table.noun} ${key} is not a list`);
}
