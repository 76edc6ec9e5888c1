import type { Json } from "../../turn/json.ts";
import type { FieldTest, Operator, Value, Where } from "../domain/types.ts";
import type { EvalContext } from "./context.ts";
import { deepEqual } from "./equal.ts";
import { getPath } from "./path.ts";
import { show } from "./show.ts";
import { evaluateValue } from "./value.ts";

/** A condition whose values are known: one evaluation serves every row of a search. */
export type ResolvedWhere = ResolvedTest[][];
type ResolvedTest =
  | { path: string[]; op: Operator; value: Json }
  | { path: string[]; op: "any"; where: ResolvedWhere };

/**
 * What is left of a condition, with its values evaluated. A test that compares with nothing but arguments the call left
 * out falls away, and with its last test an alternative or an `any`; one written without tests stays and is met by
 * everything. Null when the whole condition fell away. Throws CelError.
 */
export function remainingWhere(where: Where, ctx: EvalContext): ResolvedWhere | null {
  const alternatives = where.flatMap((tests) => {
    const resolved = tests.flatMap((test) => resolveTest(test, ctx));
    return resolved.length === 0 && tests.length > 0 ? [] : [resolved];
  });
  return alternatives.length === 0 && where.length > 0 ? null : alternatives;
}

/** As remainingWhere; a condition that fell away is one that everything meets. */
export function resolveWhere(where: Where, ctx: EvalContext): ResolvedWhere {
  return remainingWhere(where, ctx) ?? [[]];
}

function resolveTest(test: FieldTest, ctx: EvalContext): ResolvedTest[] {
  if (test.op === "any") {
    const where = remainingWhere(test.where, ctx);
    return where === null ? [] : [{ path: test.path, op: "any", where }];
  }
  if (isLeftOut(test.value, ctx)) return [];
  const value = evaluateValue(test.value, ctx);
  return value === undefined ? [] : [{ path: test.path, op: test.op, value }];
}

/** Whether a value is made of nothing but arguments the call left out, such as `[$one, $other]` without either. */
function isLeftOut(value: Value, ctx: EvalContext): boolean {
  const parts =
    value.kind === "list"
      ? value.items
      : value.kind === "object"
        ? value.entries.map((entry) => entry.value)
        : null;
  if (parts !== null) return parts.length > 0 && parts.every((part) => isLeftOut(part, ctx));
  return value.kind === "arg" && evaluateValue(value, ctx) === undefined;
}

/** Whether `subject` meets a resolved condition. Never throws: a test that makes no sense on the subject is false. */
export function matchesResolved(subject: Json, where: ResolvedWhere): boolean {
  return where.some((tests) => tests.every((test) => passes(subject, test)));
}

/**
 * Whether `subject` meets a condition: all tests of one alternative. A test of a missing field is false, except that
 * `ne`, `not_in`, `not_contains` and `exists: false` are true. A condition that fell away is met. Throws CelError only
 * for a value that is CEL.
 */
export function matches(subject: Json, where: Where, ctx: EvalContext): boolean {
  return matchesResolved(subject, resolveWhere(where, ctx));
}

/**
 * One line on how `subject` differs from a condition, such as `rate was 1600, expected at most 1375`. Of several
 * alternatives it tells the one that fails in the fewest tests. Empty when the subject matches.
 */
export function explainMismatch(subject: Json, where: Where, ctx: EvalContext): string {
  return explainResolved(subject, resolveWhere(where, ctx));
}

/** As explainMismatch, for a resolved condition. */
export function explainResolved(subject: Json, where: ResolvedWhere): string {
  let closest: ResolvedTest[] | undefined;
  for (const tests of where) {
    const failing = tests.filter((test) => !passes(subject, test));
    if (failing.length === 0) return "";
    if (closest === undefined || failing.length < closest.length) closest = failing;
  }
  if (closest === undefined) return "nothing can match";
  return closest.map((test) => explainTest(subject, test)).join("; ");
}

function passes(subject: Json, test: ResolvedTest): boolean {
  const actual = getPath(subject, test.path);
  if (test.op === "any") {
    return Array.isArray(actual) && actual.some((element) => matchesResolved(element, test.where));
  }
  return testValue(actual, test.op, test.value);
}

/** One operator on one value; `undefined` is a missing field. Total. */
export function testValue(actual: Json | undefined, op: Operator, expected: Json): boolean {
  switch (op) {
    case "eq":
      return actual !== undefined && deepEqual(actual, expected);
    case "ne":
      return !testValue(actual, "eq", expected);
    case "in":
      return (
        actual !== undefined && Array.isArray(expected) && expected.some((one) => deepEqual(actual, one))
      );
    case "not_in":
      return !testValue(actual, "in", expected);
    case "contains":
      if (Array.isArray(actual)) return actual.some((element) => deepEqual(element, expected));
      return bothText(actual, expected, (a, b) => a.includes(b));
    case "not_contains":
      return !testValue(actual, "contains", expected);
    case "starts_with":
      return bothText(actual, expected, (a, b) => a.startsWith(b));
    case "ends_with":
      return bothText(actual, expected, (a, b) => a.endsWith(b));
    case "exists":
      return (actual !== undefined && actual !== null) === (expected !== false);
    case "gt":
      return order(actual, expected, (sign) => sign > 0);
    case "gte":
      return order(actual, expected, (sign) => sign >= 0);
    case "lt":
      return order(actual, expected, (sign) => sign < 0);
    case "lte":
      return order(actual, expected, (sign) => sign <= 0);
  }
}

/** Numbers by value, texts by code unit (which orders ISO dates); anything else has no order. */
function order(actual: Json | undefined, expected: Json, accept: (sign: number) => boolean): boolean {
  if (typeof actual === "number" && typeof expected === "number") return accept(actual - expected);
  if (typeof actual === "string" && typeof expected === "string") {
    return accept(actual < expected ? -1 : actual > expected ? 1 : 0);
  }
  return false;
}

function bothText(a: Json | undefined, b: Json, accept: (a: string, b: string) => boolean): boolean {
  return typeof a === "string" && typeof b === "string" && accept(a.toLowerCase(), b.toLowerCase());
}

const expectations: Record<Exclude<Operator, "exists">, string> = {
  eq: "",
  ne: "anything but ",
  gt: "more than ",
  gte: "at least ",
  lt: "less than ",
  lte: "at most ",
  in: "one of ",
  not_in: "none of ",
  contains: "something that contains ",
  not_contains: "nothing that contains ",
  starts_with: "something that starts with ",
  ends_with: "something that ends with ",
};

/** What a test wants, such as `at most 1375`. */
function expectation(op: Operator, expected: Json): string {
  if (op === "exists") return expected === false ? "no value" : "a value";
  if ((op === "in" || op === "not_in") && Array.isArray(expected)) {
    return expectations[op] + expected.map(show).join(", ");
  }
  return expectations[op] + show(expected);
}

function explainTest(subject: Json, test: ResolvedTest): string {
  const actual = getPath(subject, test.path);
  const name = test.path.length > 0 ? test.path.join(".") : "the value";
  const was = `${name} was ${show(actual)}`;
  if (test.op === "any") {
    if (!Array.isArray(actual)) return `${was}, expected a list`;
    const only = actual.length === 1 ? actual[0] : undefined;
    const detail = only === undefined ? "" : ` (${explainResolved(only, test.where)})`;
    return `no element of ${name} matches${detail}`;
  }
  return `${was}, expected ${expectation(test.op, test.value)}`;
}
