import type { Holey } from "./check-shape.ts";
import { compileRowKey } from "./compile-effects.ts";
import type { RuleContext } from "./compile-rules.ts";
import { compileValue } from "./compile-value.ts";
import { checkOperand, compileWhere, type Field } from "./compile-where.ts";
import type { FieldTree } from "./field-tree.ts";
import { eachOf, has, isList, isMapping, written } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { oneOf } from "./problem-list.ts";
import {
  type Compilation,
  checkedCel,
  findPath,
  findTable,
  findTool,
  noCall,
  tableSubject,
  toolSubject,
} from "./references.ts";
import type { RuleSource, SecretSource } from "./source/rules.ts";
import type { Bound, RuleForm } from "./types.ts";

/** Compiles what a rule demands. `undefined`: nothing, or something mistaken, which is reported. */
export function compileRuleForm(
  c: Compilation,
  source: Holey<RuleSource>,
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  const forms = [
    compileRequires(c, source.requires, inside(place, "requires"), context),
    compileBound(c, source.bound, inside(place, "bound"), context),
    compileCheck(c, source.check, inside(place, "check"), context),
    compileLimit(c, source.limit, inside(place, "limit"), context),
    compileConfirmed(c, source.confirmed, inside(place, "confirmed"), context),
    compileNeverDisclose(c, source.never_disclose, inside(place, "never_disclose")),
  ];
  return forms.find((form) => form !== undefined);
}

/** Reads paths of arguments of the guarded call. */
function argumentPaths(
  c: Compilation,
  source: readonly (string | undefined)[] | undefined,
  place: Place,
  context: RuleContext,
): string[][] {
  return (source ?? []).flatMap((dotted, index) => {
    if (dotted === undefined) return [];
    const found = findPath(c, dotted, inside(place, index), "value", context.subjects);
    return found === undefined ? [] : [found.path];
  });
}

function compileRequires(
  c: Compilation,
  source: Holey<RuleSource>["requires"],
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  const earlier = eachOf(source.call).flatMap(
    ({ value, path }) => findTool(c, value, inside(place, "call", ...path)) ?? [],
  );
  const earlierArgs = earlier.map(toolSubject);
  const pairs = isList(source.same)
    ? source.same.map((name, index) => ({
        ours: name,
        theirs: name,
        at: inside(place, "same", index),
        part: "value" as const,
      }))
    : Object.entries(source.same ?? {}).map(([ours, theirs]) => ({
        ours,
        theirs,
        at: inside(place, "same", ours),
        part: "key" as const,
      }));
  const same = pairs.flatMap(({ ours, theirs, at, part }) => {
    if (ours === undefined || theirs === undefined) return [];
    const argument = findPath(c, ours, at, part, context.subjects);
    const before = findPath(c, theirs, at, "value", earlierArgs);
    return argument && before ? [{ argument: argument.path, earlier: before.path }] : [];
  });
  const results = earlier.map((tool) => ({
    tree: tool.result,
    what: "field" as const,
    name: `the result of ${tool.name}`,
  }));
  const args = source.args && compileWhere(c, source.args, inside(place, "args"), earlierArgs, context.scope);
  const result =
    source.result && compileWhere(c, source.result, inside(place, "result"), results, context.scope);
  if (earlier.length === 0) return undefined;
  return {
    kind: "requires",
    tools: earlier.map((tool) => tool.name),
    same,
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
  };
}

const boundOps = ["eq", "ne", "gt", "gte", "lt", "lte"] as const;

function compileBound(
  c: Compilation,
  source: Holey<RuleSource>["bound"],
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  const argument =
    source.arg === undefined
      ? undefined
      : findPath(c, source.arg, inside(place, "arg"), "value", context.subjects);
  const given = boundOps.filter((op) => written(source, op));
  if (given.length === 0) c.problems.atKey(place, `the bound has no limit; ${oneOf(boundOps)}`);
  const ordered = given.find((op) => op !== "eq" && op !== "ne");
  if (ordered !== undefined && argument?.ends.some(hasNoOrder)) {
    c.problems.at(inside(place, "arg"), `${source.arg} has no order; ${ordered} needs a number or a string`);
  }
  const field: Field = { path: [], ends: argument?.ends ?? [], what: "argument", dotted: source.arg ?? "" };
  const bounds = given.flatMap((op): Bound[] => {
    if (source[op] === undefined) return [];
    const limit = compileBoundLimit(c, source[op], inside(place, op), context, field);
    if (limit?.kind === "value" && limit.value.kind === "literal") {
      checkOperand(c, op, limit.value.value, inside(place, op), field);
    }
    return limit === undefined ? [] : [{ op, limit }];
  });
  return argument && { kind: "bound", argument: argument.path, bounds };
}

/** Whether values of two fields may have one type. Nothing known is no objection. */
function comparable(a: FieldTree, b: FieldTree): boolean {
  if (a.open || b.open || a.types.size === 0 || b.types.size === 0) return true;
  return [...a.types].some((type) => b.types.has(type));
}

function hasNoOrder(end: FieldTree): boolean {
  if (end.open) return false;
  return end.children.size > 0 || end.element !== undefined || end.types.has("boolean");
}

function compileBoundLimit(
  c: Compilation,
  source: unknown,
  place: Place,
  context: RuleContext,
  argument: Field,
): Bound["limit"] | undefined {
  if (!has("table")(source)) {
    const value = compileValue(c, source, place, context.scope);
    return value && { kind: "value", value };
  }
  const text = (key: string): string | undefined =>
    typeof source[key] === "string" ? source[key] : undefined;
  const table = findTable(c, text("table"), inside(place, "table"));
  const key = compileRowKey(c, source.key, inside(place, "key"), context.scope);
  const subjects = table === undefined ? [] : [tableSubject(table)];
  const dotted = text("field");
  const field =
    dotted === undefined ? undefined : findPath(c, dotted, inside(place, "field"), "value", subjects);
  for (const end of field?.ends ?? []) {
    if (argument.ends.every((own) => comparable(own, end))) continue;
    const found = [...end.types].join(" or ");
    const own = argument.ends.flatMap(({ types }) => [...types]).join(" or ");
    c.problems.at(inside(place, "field"), `field "${dotted}" is a ${found}; ${argument.dotted} is a ${own}`);
  }
  return table && key && field && { kind: "row", table: table.name, key, path: field.path };
}

function compileCheck(
  c: Compilation,
  source: string | undefined,
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  const cel = checkedCel(c, source, place, context.scope, "bool");
  return cel === undefined ? undefined : { kind: "check", cel };
}

function compileLimit(
  c: Compilation,
  source: Holey<RuleSource>["limit"],
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  const per = argumentPaths(c, source.per, inside(place, "per"), context);
  if (source.times === undefined) return undefined;
  return { kind: "limit", times: source.times, per, counting: source.counting ?? "successful" };
}

function compileConfirmed(
  c: Compilation,
  source: Holey<RuleSource>["confirmed"],
  place: Place,
  context: RuleContext,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  if (!isMapping(source)) return { kind: "confirmed", states: [] };
  const states = argumentPaths(c, source.states, inside(place, "states"), context);
  const words = source.words?.filter((word) => word !== undefined);
  return { kind: "confirmed", states, ...(words !== undefined && { words }) };
}

function compileNeverDisclose(
  c: Compilation,
  source: Holey<RuleSource["never_disclose"]>,
  place: Place,
): RuleForm | undefined {
  if (source === undefined) return undefined;
  const secrets = eachOf<Holey<SecretSource> | undefined>(source);
  const texts = secrets.flatMap(({ value }) => (value && "texts" in value ? (value.texts ?? []) : []));
  const scope = noCall("what the agent says is no call");
  const fields = secrets.flatMap(({ value, path }) => {
    if (value === undefined || !("table" in value)) return [];
    const there = inside(place, ...path);
    const table = findTable(c, value.table, inside(there, "table"));
    const subjects = table === undefined ? [] : [tableSubject(table)];
    const where = value.where && compileWhere(c, value.where, inside(there, "where"), subjects, scope);
    const field =
      value.field === undefined
        ? undefined
        : findPath(c, value.field, inside(there, "field"), "value", subjects);
    if (table === undefined || field === undefined) return [];
    return [{ table: table.name, path: field.path, ...(where !== undefined && { where }) }];
  });
  return { kind: "never_disclose", fields, texts: texts.filter((text) => text !== undefined) };
}
