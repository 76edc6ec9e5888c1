import type { Json, JsonObject } from "../../turn/json.ts";
import type { Operator } from "../domain/types.ts";
import { getPath } from "../expr/path.ts";
import { cut, show } from "../expr/show.ts";
import { matchesResolved, type ResolvedWhere } from "../expr/where.ts";

export type ResolvedTest = ResolvedWhere[number][number];

/** A condition in words, such as `rate at most 1375 and load_id L-1002`; alternatives are joined by `, or `. */
export function describeWhere(where: ResolvedWhere): string {
  return where.map((tests) => tests.map(describeTest).join(" and ")).join(", or ");
}

/** Tests of the alternative that `subject` fails least, in their order; empty when it matches. */
export function failedTests(subject: Json, where: ResolvedWhere): ResolvedTest[] {
  const failed = where.map((tests) => tests.filter((test) => !matchesResolved(subject, [[test]])));
  return failed.reduce((best, tests) => (tests.length < best.length ? tests : best), failed[0] ?? []);
}

/** What `subject` holds where `tests` look, such as `rate 1600, note missing`. */
export function describeValues(subject: JsonObject, tests: ResolvedTest[]): string {
  const paths = new Map(tests.map(({ path }) => [path.join("."), path]));
  return [...paths].map(([name, path]) => `${name} ${show(getPath(subject, path))}`).join(", ");
}

/** The arguments of a call, such as `load_id L-1002, rate 1600`. */
export function describeArguments(args: JsonObject): string {
  const pairs = Object.entries(args).map(([name, value]) => `${name} ${show(value)}`);
  return cut(pairs.join(", "), 200);
}

function describeTest(test: ResolvedTest): string {
  const name = test.path.join(".");
  if (test.op === "any") return `some element of ${name} with ${describeWhere(test.where)}`;
  if (test.op === "exists") return `${test.value === false ? "no" : "a"} ${name}`;
  const { op, value } = test;
  const limit =
    (op === "in" || op === "not_in") && Array.isArray(value) ? value.map(show).join(", ") : show(value);
  return `${name} ${words[op]}${limit}`;
}

const words: Record<Exclude<Operator, "exists">, string> = {
  eq: "",
  ne: "other than ",
  gt: "above ",
  gte: "at least ",
  lt: "below ",
  lte: "at most ",
  in: "one of ",
  not_in: "none of ",
  contains: "containing ",
  not_contains: "not containing ",
  starts_with: "starting with ",
  ends_with: "ending with ",
};
