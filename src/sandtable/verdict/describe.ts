import type { Json, JsonObject } from "../../turn/json.ts";
import type { FieldTest, Operator, Value, Where } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { evaluateValue } from "../expr/value.ts";
import { matches } from "../expr/where.ts";

/** A condition in words, such as `rate at most 1375 and load_id L-1002`; alternatives are joined by `, or `. */
export function describeWhere(where: Where, ctx: EvalContext): string {
  return where.map((tests) => tests.map((test) => describeTest(test, ctx)).join(" and ")).join(", or ");
}

/** Tests of the alternative that `subject` fails least; empty when it matches. */
export function failedTests(subject: Json, where: Where, ctx: EvalContext): FieldTest[] {
  const failed = where.map((tests) => tests.filter((test) => !matches(subject, [[test]], ctx)));
  return failed.reduce((best, tests) => (tests.length < best.length ? tests : best), failed[0] ?? []);
}

/** What `subject` holds where `tests` look, such as `rate 1600, note missing`. */
export function describeValues(subject: JsonObject, tests: FieldTest[]): string {
  const paths = [...new Map(tests.map((test) => [test.path.join("."), test.path])).entries()];
  return paths
    .map(([name, path]) => {
      const value = valueAt(subject, path);
      return value === undefined ? `${name} missing` : named(name, show(value));
    })
    .join(", ");
}

function describeTest(test: FieldTest, ctx: EvalContext): string {
  const name = test.path.join(".");
  if (test.op === "any") return `${name} with an element that has ${describeWhere(test.where, ctx)}`;
  if (test.op === "exists")
    return `${name} ${describeLimit(test.value, ctx) === "false" ? "absent" : "present"}`;
  return named(name, `${words[test.op]}${describeLimit(test.value, ctx)}`);
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

function describeLimit(value: Value, ctx: EvalContext): string {
  if (value.kind === "cel") return value.source;
  const limit = evaluateValue(value, ctx);
  return limit === undefined ? "absent" : show(limit);
}

function named(name: string, text: string): string {
  return name === "" ? text : `${name} ${text}`;
}

/** A value as a reader sees it: bare where that is clear, JSON elsewhere, cut when long. */
export function show(value: Json): string {
  if (typeof value === "string" && /^[\w.:+-]+$/.test(value)) return clip(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== "object"))
    return clip(value.map(show).join(", "));
  return clip(JSON.stringify(value));
}

function clip(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function valueAt(subject: Json, path: string[]): Json | undefined {
  let value: Json | undefined = subject;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) value = value[Number(step)];
    else value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
