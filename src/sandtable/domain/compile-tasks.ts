import type { Json, JsonObject } from "../../turn/json.ts";
import { describe, type Holey } from "./check-shape.ts";
import { compileCaller } from "./compile-callers.ts";
import { compileExpect } from "./compile-expect.ts";
import { compileReference } from "./compile-reference.ts";
import { checkDeclared } from "./compile-world.ts";
import { isMapping } from "./forms.ts";
import { inside, keysInOrder, type Place } from "./place.ts";
import { type Compilation, findTable } from "./references.ts";
import type { TaskSource } from "./source/tasks.ts";
import type { Caller, Task, Tool } from "./types.ts";

/** Caller lines a trial may take when the task does not say. */
const defaultMaxTurns = 20;

/** What tasks refer to, compiled before them. */
export interface Shared {
  callers: ReadonlyMap<string, Caller | undefined>;
  tools: readonly Tool[];
}

/** Compiles one task. `undefined`: something essential is mistaken, and that is reported. */
export function compileTask(
  c: Compilation,
  id: string,
  source: Holey<TaskSource> | undefined,
  place: Place,
  shared: Shared,
): Task | undefined {
  if (source === undefined) return undefined;
  const given = compileGiven(c, source.given, inside(place, "given"));
  const caller = findCaller(c, source.caller, inside(place, "caller"), shared);
  const reference = compileReference(c, source.reference, inside(place, "reference"), shared.tools);
  const hasRow = (table: string, key: string): boolean => {
    const own = given.findLast((one) => one.table === table && one.key === key);
    return own === undefined ? (c.tables.get(table)?.rowKeys.has(key) ?? true) : own.row !== null;
  };
  const expect = compileExpect(c, source.expect, inside(place, "expect"), hasRow);
  if (caller === undefined) return undefined;
  return {
    id,
    ...(source.description !== undefined && { description: source.description }),
    tags: (source.tags ?? []).filter((tag) => tag !== undefined),
    critical: source.critical ?? false,
    maxTurns: source.max_turns ?? defaultMaxTurns,
    given,
    caller,
    reference,
    expect,
  };
}

function findCaller(
  c: Compilation,
  source: Holey<TaskSource>["caller"],
  place: Place,
  shared: Shared,
): Caller | undefined {
  if (source === undefined || isMapping(source)) return compileCaller(c, source, place);
  if (!shared.callers.has(source) && c.complete.callers) {
    c.problems.unknown(place, "value", { what: "caller", name: source, known: shared.callers.keys() });
  }
  return shared.callers.get(source);
}

function compileGiven(c: Compilation, source: Holey<TaskSource>["given"], place: Place): Task["given"] {
  return Object.entries(source ?? {}).flatMap(([name, rows]) => {
    const there = inside(place, name);
    const table = findTable(c, name, there, "key");
    return keysInOrder(there).flatMap((key): Task["given"] => {
      const row = rows?.[key];
      if (table === undefined || row === undefined) return [];
      const at = inside(there, key);
      if (row === null) {
        if (table.rowsKnown && !table.rowKeys.has(key)) {
          c.problems.unknown(at, "key", { what: "row", name: key, of: name, known: table.rowKeys });
        }
        return [{ table: name, key, row }];
      }
      checkDeclared(table, row, at, c.problems);
      const inner = row[table.key];
      if (inner !== undefined && inner !== key) {
        const message = `the row stands under "${key}", so its ${table.key} cannot be ${describe(inner)}`;
        c.problems.at(inside(at, table.key), message);
      }
      return [{ table: name, key, row: asJson(row) }];
    });
  });
}

/** Rows come from a document, which holds nothing but JSON. */
function asJson(row: { [field: string]: unknown }): JsonObject {
  return row as { [field: string]: Json };
}
