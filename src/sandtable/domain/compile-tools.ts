import type { Holey } from "./check-shape.ts";
import { compileEffects, compileRowKey, compileSelector } from "./compile-effects.ts";
import { compileValue } from "./compile-value.ts";
import { compileWhere, everything } from "./compile-where.ts";
import { eachOf, isMapping, written } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import {
  type Compilation,
  checkedCel,
  checkTemplate,
  findPath,
  findTable,
  type Scope,
  type ToolInfo,
  tableSubject,
  toolSubject,
} from "./references.ts";
import type { ToolSource } from "./source/tools.ts";
import type { Action, Guard, Tool } from "./types.ts";

/** Compiles one tool. `undefined`: something essential is mistaken, and that is reported. */
export function compileTool(
  c: Compilation,
  info: ToolInfo,
  source: Holey<ToolSource> | undefined,
  place: Place,
): Tool | undefined {
  if (source === undefined) return undefined;
  const scope = toolScope(info);
  const guards = eachOf(source.guard).flatMap(({ value, path }) => {
    const guard = compileGuard(c, info, value, inside(place, "guard", ...path), scope);
    return guard === undefined ? [] : [guard];
  });
  const action = compileAction(c, info, source, place, scope);
  if (action === undefined || source.description === undefined) return undefined;
  return { name: info.name, description: source.description, params: info.params, guards, action };
}

/** Inside a tool, `$name` is one of its arguments. */
function toolScope(info: ToolInfo): Scope {
  return {
    subjects: [toolSubject(info)],
    none: "",
    cel: [{ kind: "tool", params: info.params }],
    complete: info.complete,
  };
}

type GuardSource = Exclude<Holey<ToolSource>["guard"], readonly unknown[] | undefined>;

function compileGuard(
  c: Compilation,
  info: ToolInfo,
  source: GuardSource | undefined,
  place: Place,
  scope: Scope,
): Guard | undefined {
  if (source === undefined) return undefined;
  if (source.error !== undefined) checkTemplate(c, source.error, inside(place, "error"), toolSubject(info));
  if (written(source, "if") === written(source, "unless")) {
    c.problems.at(
      place,
      `a guard has ${written(source, "if") ? "both if and unless" : "neither if nor unless"}; expected one`,
    );
  }
  const on = source.if === undefined ? "unless" : "if";
  const test = compileTest(c, source[on], inside(place, on), scope);
  return test && source.error !== undefined ? { on, test, error: source.error } : undefined;
}

function compileTest(
  c: Compilation,
  source: GuardSource["if"],
  place: Place,
  scope: Scope,
): Guard["test"] | undefined {
  if (source === undefined) return undefined;
  if (!isMapping(source)) {
    const cel = checkedCel(c, source, place, scope, "bool");
    return cel === undefined ? undefined : { kind: "cel", source: cel };
  }
  const table = findTable(c, source.table, inside(place, "table"));
  const subjects = table === undefined ? [] : [tableSubject(table)];
  const where = compileWhere(c, source.where, inside(place, "where"), subjects, scope);
  if (source.key === undefined) return table && { kind: "rows", table: table.name, where };
  const key = compileRowKey(c, source.key, inside(place, "key"), scope);
  return table && key && { kind: "row", table: table.name, key, where };
}

const actionKeys = ["lookup", "search", "create", "update", "delete", "respond"] as const;

function compileAction(
  c: Compilation,
  info: ToolInfo,
  source: Holey<ToolSource>,
  place: Place,
  scope: Scope,
): Action | undefined {
  const given = actionKeys.filter((key) => written(source, key));
  const reads = given.filter((key) => key === "lookup" || key === "search");
  if (given.length === 0) {
    c.problems.atKey(
      place,
      "the tool does nothing; expected lookup, search, create, update, delete or respond",
    );
  } else if (reads.length > 0 && given.length > 1) {
    const other = given.find((key) => key !== reads[0]);
    c.problems.atKey(inside(place, other ?? ""), `${reads[0]} stands alone; ${other} cannot stand beside it`);
  }
  const actions = [compileLookup(c, info, source, place, scope), compileSearch(c, source, place, scope)];
  const effects = compileEffects(c, source, place, scope);
  const respond =
    source.respond === undefined
      ? undefined
      : compileValue(c, source.respond, inside(place, "respond"), scope);
  const read = actions.find((action) => action !== undefined);
  if (read !== undefined || reads.length > 0) return read;
  if (effects.length > 0) return { kind: "write", effects, ...(respond !== undefined && { respond }) };
  return respond && { kind: "respond", value: respond };
}

function compileLookup(
  c: Compilation,
  info: ToolInfo,
  source: Holey<ToolSource>,
  place: Place,
  scope: Scope,
): Action | undefined {
  if (source.lookup === undefined) return undefined;
  const there = inside(place, "lookup");
  const { error } = source.lookup;
  if (error !== undefined) checkTemplate(c, error, inside(there, "error"), toolSubject(info));
  const rows = compileSelector(c, source.lookup, there, scope);
  const fields = compileFields(c, source.lookup, there);
  if (rows === undefined) return undefined;
  return { kind: "lookup", rows, ...(fields && { fields }), ...(error !== undefined && { error }) };
}

function compileSearch(
  c: Compilation,
  source: Holey<ToolSource>,
  place: Place,
  scope: Scope,
): Action | undefined {
  if (source.search === undefined) return undefined;
  const there = inside(place, "search");
  const table = findTable(c, source.search.table, inside(there, "table"));
  const subjects = table === undefined ? [] : [tableSubject(table)];
  const where = compileWhere(c, source.search.where, inside(there, "where"), subjects, scope);
  const sort = eachOf(source.search.sort).flatMap(({ value, path }) => {
    if (value === undefined) return [];
    const descending = value.startsWith("-");
    const dotted = descending ? value.slice(1) : value;
    const found = findPath(c, dotted, inside(there, "sort", ...path), "value", subjects);
    return found === undefined ? [] : [{ path: found.path, descending }];
  });
  const fields = compileFields(c, source.search, there);
  if (table === undefined) return undefined;
  return {
    kind: "search",
    table: table.name,
    ...(where !== everything && { where }),
    sort,
    ...(source.search.limit !== undefined && { limit: source.search.limit }),
    ...(fields && { fields }),
  };
}

function compileFields(
  c: Compilation,
  source: { table?: string | undefined; fields?: (string | undefined)[] | undefined },
  place: Place,
): string[] | undefined {
  const table = c.tables.get(source.table ?? "");
  return source.fields?.flatMap((field, index) => {
    if (field === undefined) return [];
    const subjects = table === undefined ? [] : [tableSubject(table)];
    findPath(c, field, inside(place, "fields", index), "value", subjects);
    return [field];
  });
}
