import type { Json, JsonObject } from "../../turn/json.ts";
import type { Bound, Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { getPath } from "../expr/path.ts";
import { show } from "../expr/show.ts";
import { evaluateValue } from "../expr/value.ts";
import { testValue } from "../expr/where.ts";
import type { Call } from "./call.ts";
import { broken, kept, type RuleVerdict, unchecked } from "./verdict.ts";

/** An argument within limits, each a value or a field of a row. Unchecked where the argument or the limit is missing. */
export function checkBound(rule: Rule & { kind: "bound" }, call: Call, ctx: EvalContext): RuleVerdict {
  const argument = rule.argument.join(".");
  const value = getPath(call.args, rule.argument);
  if (value === undefined) return unchecked(`${call.tool} has no ${argument} to compare`);
  for (const bound of rule.bounds) {
    const limit = readLimit(bound, ctx);
    if (typeof limit === "string") return unchecked(limit, { argument, value });
    const evidence: JsonObject = { argument, value, [bound.op]: limit.value, ...limit.source };
    if (bound.op !== "eq" && bound.op !== "ne" && typeof value !== typeof limit.value) {
      return unchecked(`${argument} ${show(value)} and ${limit.words} cannot be compared`, evidence);
    }
    if (!testValue(value, bound.op, limit.value)) {
      return broken(`${argument} ${show(value)} ${breaches[bound.op]} ${limit.words}`, evidence);
    }
  }
  return kept;
}

const breaches: Record<Bound["op"], string> = {
  lte: "is above",
  lt: "is not below",
  gte: "is below",
  gt: "is not above",
  eq: "is not",
  ne: "must not be",
};

interface Limit {
  value: Json;
  /** Such as `the ceiling 1500 of loads L-1002`. */
  words: string;
  source: JsonObject;
}

/** The limit, or a sentence on why there is none. */
function readLimit({ limit }: Bound, ctx: EvalContext): Limit | string {
  if (limit.kind === "value") {
    const value = evaluateValue(limit.value, ctx);
    return value === undefined
      ? "the limit is an argument the call left out"
      : { value, words: show(value), source: {} };
  }
  const key = evaluateValue(limit.key, ctx);
  if (key === undefined) return `the call does not say which row of ${limit.table} to compare with`;
  if (typeof key !== "string" && typeof key !== "number")
    return `${show(key)} is not a key of ${limit.table}`;
  const row = ctx.world.get(limit.table, String(key));
  if (row === undefined) return `${limit.table} has no row ${key}`;
  const field = limit.path.join(".");
  const value = getPath(row, limit.path);
  if (value === undefined || value === null) return `${limit.table} ${key} has no ${field}`;
  return {
    value,
    words: `the ${field} ${show(value)} of ${limit.table} ${key}`,
    source: { table: limit.table, key: String(key), field },
  };
}
