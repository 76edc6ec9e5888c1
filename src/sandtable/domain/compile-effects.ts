import { describe, type Holey } from "./check-shape.ts";
import { compileValue } from "./compile-value.ts";
import { compileWhere } from "./compile-where.ts";
import { eachOf, written } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import {
  type Compilation,
  checkKey,
  findPath,
  findTable,
  type Scope,
  type TableInfo,
  tableSubject,
} from "./references.ts";
import type { ToolSource } from "./source/tools.ts";
import type { Effect, RowSelector, Value } from "./types.ts";

type Assignments = { path: string[]; value: Value }[];
type SelectorSource = { table?: string | undefined; key?: unknown; where?: unknown };

/** Compiles the rows a lookup, an update or a delete is about: by key or by condition, exactly one of them. */
export function compileSelector(
  c: Compilation,
  source: SelectorSource,
  place: Place,
  scope: Scope,
): RowSelector | undefined {
  const table = findTable(c, source.table, inside(place, "table"));
  const keyed = written(source, "key");
  if (keyed === written(source, "where")) {
    c.problems.atKey(
      place,
      keyed ? "key and where exclude each other; expected one" : 'missing "key" or "where"',
    );
  }
  if (keyed) {
    const key = compileRowKey(c, source.key, inside(place, "key"), scope);
    return table && key && { table: table.name, key };
  }
  const subjects = table === undefined ? [] : [tableSubject(table)];
  const where = compileWhere(c, source.where, inside(place, "where"), subjects, scope);
  return table && { table: table.name, where };
}

/** Compiles a row's key: a string, an argument or CEL. */
export function compileRowKey(
  c: Compilation,
  source: unknown,
  place: Place,
  scope: Scope,
): Value | undefined {
  const value = source === undefined ? undefined : compileValue(c, source, place, scope);
  if (value === undefined) return undefined;
  if (value.kind === "literal") checkKey(c, value.value, place);
  if (value.kind === "object" || value.kind === "list") {
    c.problems.at(place, `the key of a row is a string, not ${describe(source)}`);
  }
  return value;
}

/** Compiles create, update and delete of a tool in the order they are written. */
export function compileEffects(
  c: Compilation,
  source: Holey<ToolSource>,
  place: Place,
  scope: Scope,
): Effect[] {
  const effects = Object.keys(source).flatMap((kind): (Effect | undefined)[] => {
    const there = inside(place, kind);
    switch (kind) {
      case "create":
        return eachOf(source.create).map((one) =>
          compileCreate(c, one.value, inside(there, ...one.path), scope),
        );
      case "update":
        return eachOf(source.update).map((one) =>
          compileUpdate(c, one.value, inside(there, ...one.path), scope),
        );
      case "delete":
        return eachOf(source.delete).map(({ value, path }) => {
          const rows = value && compileSelector(c, value, inside(there, ...path), scope);
          return rows && { kind: "delete", rows };
        });
      default:
        return [];
    }
  });
  return effects.filter((effect) => effect !== undefined);
}

type One<T> = Exclude<T, readonly unknown[] | undefined>;

function compileCreate(
  c: Compilation,
  source: One<Holey<ToolSource>["create"]> | undefined,
  place: Place,
  scope: Scope,
): Effect | undefined {
  if (source === undefined) return undefined;
  const table = findTable(c, source.table, inside(place, "table"));
  const set = compileAssignments(c, source.set, inside(place, "set"), table, scope);
  const key =
    source.key === undefined ? undefined : compileRowKey(c, source.key, inside(place, "key"), scope);
  return table && { kind: "create", table: table.name, ...(key !== undefined && { key }), set };
}

function compileUpdate(
  c: Compilation,
  source: One<Holey<ToolSource>["update"]> | undefined,
  place: Place,
  scope: Scope,
): Effect | undefined {
  if (source === undefined) return undefined;
  const rows = compileSelector(c, source, place, scope);
  const table = c.tables.get(source.table ?? "");
  const [set, append, remove] = (["set", "append", "remove"] as const).map((key) =>
    compileAssignments(c, source[key], inside(place, key), table, scope),
  );
  if (!["set", "append", "remove"].some((key) => written(source, key))) {
    c.problems.atKey(place, 'the update changes nothing; expected "set", "append" or "remove"');
  }
  return rows && { kind: "update", rows, set: set ?? [], append: append ?? [], remove: remove ?? [] };
}

function compileAssignments(
  c: Compilation,
  source: { [path: string]: unknown } | undefined,
  place: Place,
  table: TableInfo | undefined,
  scope: Scope,
): Assignments {
  return Object.entries(source ?? {}).flatMap(([dotted, raw]) => {
    const there = inside(place, dotted);
    const subjects = table === undefined ? [] : [tableSubject(table)];
    const found = findPath(c, dotted, there, "key", subjects);
    const value = raw === undefined ? undefined : compileValue(c, raw, there, scope);
    if (table !== undefined && dotted === table.key) {
      c.problems.atKey(
        there,
        `${dotted} is the key of ${table.name} and cannot be set; a create takes it as key`,
      );
    }
    return found === undefined || value === undefined ? [] : [{ path: found.path, value }];
  });
}
