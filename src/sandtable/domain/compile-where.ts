import type { Json } from "../../turn/json.ts";
import { nearest } from "../text/nearest.ts";
import { describe } from "./check-shape.ts";
import { compileValue } from "./compile-value.ts";
import { emptyTree, type FieldTree } from "./field-tree.ts";
import { isList, isMapping } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { oneOf } from "./problem-list.ts";
import { type Compilation, findPath, type Scope, type Subject } from "./references.ts";
import type { WhereMap } from "./source/value.ts";
import { type FieldTest, type Operator, operators, type Where } from "./types.ts";

/** A condition that every object meets. */
export const everything: Where = [[]];

/**
 * Compiles a condition on the fields of `subjects` (each path must lead somewhere in all of them; none: nothing is
 * known). Mistaken tests are reported and left out. A source that is not there is met by everything.
 */
export function compileWhere(
  c: Compilation,
  source: unknown,
  place: Place,
  subjects: readonly Subject[],
  scope: Scope,
): Where {
  if (isList(source)) {
    return source.map((item, index) => compileMap(c, item, inside(place, index), subjects, scope));
  }
  return source === undefined ? everything : [compileMap(c, source, place, subjects, scope)];
}

function compileMap(
  c: Compilation,
  source: unknown,
  place: Place,
  subjects: readonly Subject[],
  scope: Scope,
): FieldTest[] {
  if (!isMapping(source)) return [];
  return Object.entries(source).flatMap(([dotted, condition]) => {
    const there = inside(place, dotted);
    const found = findPath(c, dotted, there, "key", subjects);
    const ends = found?.ends ?? [];
    const name = { what: subjects[0]?.what ?? "field", dotted };
    return compileCondition(c, condition, there, { path: found?.path ?? [dotted], ends, ...name }, scope);
  });
}

/** A field or an argument, in the words of a message, with what is known of its values. */
export interface Field {
  path: string[];
  ends: readonly FieldTree[];
  what: string;
  dotted: string;
}

function compileCondition(
  c: Compilation,
  source: unknown,
  place: Place,
  field: Field,
  scope: Scope,
): FieldTest[] {
  if (source === undefined) return [];
  if (isMapping(source) && !Object.hasOwn(source, "cel"))
    return compileOperators(c, source, place, field, scope);
  return compileTest(c, "eq", source, place, field, scope);
}

/** Operators on an amount, which has no path. */
export function compileAmountTests(
  c: Compilation,
  source: WhereMap,
  place: Place,
  scope: Scope,
): FieldTest[] {
  const amount = { ...emptyTree(), types: new Set(["number" as const]) };
  return compileOperators(
    c,
    source,
    place,
    { path: [], ends: [amount], what: "the", dotted: "amount" },
    scope,
  );
}

function compileOperators(
  c: Compilation,
  source: WhereMap,
  place: Place,
  field: Field,
  scope: Scope,
): FieldTest[] {
  const entries = Object.entries(source);
  if (entries.length === 0) c.problems.at(place, `no operator; ${oneOf([...operators, "any"])}`);
  return entries.flatMap(([name, operand]) => {
    const there = inside(place, name);
    if (name === "any") return compileAny(c, operand, there, field, scope);
    const op = operators.find((known) => known === name);
    return op === undefined ? [] : compileTest(c, op, operand, there, field, scope);
  });
}

function compileAny(c: Compilation, source: unknown, place: Place, field: Field, scope: Scope): FieldTest[] {
  const subjects = field.ends.flatMap((end): Subject[] =>
    end.element === undefined ? [] : [{ tree: end.element, what: "field", name: field.dotted }],
  );
  const notList = field.ends.some((end) => !end.open && end.element === undefined && end.types.size > 0);
  if (notList) c.problems.atKey(place, `any looks into a list, and ${field.what} "${field.dotted}" is none`);
  return [{ path: field.path, op: "any", where: compileWhere(c, source, place, subjects, scope) }];
}

function compileTest(
  c: Compilation,
  op: Operator,
  source: unknown,
  place: Place,
  field: Field,
  scope: Scope,
): FieldTest[] {
  if (source === undefined) return [];
  const value = compileValue(c, source, place, scope);
  if (value === undefined) return [];
  if (value.kind === "literal") checkOperand(c, op, value.value, place, field);
  return [{ path: field.path, op, value }];
}

/** Reports a literal the field can never compare with, such as a number where rows hold strings. */
export function checkOperand(c: Compilation, op: Operator, operand: Json, place: Place, field: Field): void {
  if (op === "gt" || op === "gte" || op === "lt" || op === "lte") {
    if (typeof operand !== "number" && typeof operand !== "string") {
      c.problems.at(place, `${op} compares with a number or a string, not ${describe(operand)}`);
      return;
    }
    checkScalar(c, operand, place, field);
  } else if (op === "eq" || op === "ne") {
    checkScalar(c, operand, place, field);
  } else if ((op === "in" || op === "not_in") && Array.isArray(operand)) {
    for (const [index, item] of operand.entries()) checkScalar(c, item, inside(place, index), field);
  } else if (op === "starts_with" || op === "ends_with") {
    if (typeof operand !== "string")
      c.problems.at(place, `${op} compares with a string, not ${describe(operand)}`);
  }
}

function checkScalar(c: Compilation, operand: Json, place: Place, field: Field): void {
  if (typeof operand !== "string" && typeof operand !== "number" && typeof operand !== "boolean") return;
  for (const { open, types, values, children, element } of field.ends) {
    if (open || children.size > 0 || element !== undefined || types.size === 0) continue;
    const type = typeof operand;
    if (type !== "string" && type !== "number" && type !== "boolean") continue;
    if (!types.has(type)) {
      const quote = types.has("string") ? "; put it in quotes" : "";
      const known = [...types].join(" or ");
      c.problems.at(place, `${field.what} "${field.dotted}" is a ${known}, not ${describe(operand)}${quote}`);
      return;
    }
    if (values !== undefined && type !== "boolean" && !values.some((value) => value === operand)) {
      const words = values.map(String);
      const message = `${field.what} "${field.dotted}" is never ${describe(operand)}; ${oneOf(words)}`;
      c.problems.at(place, message, nearest(String(operand), words));
      return;
    }
  }
}
