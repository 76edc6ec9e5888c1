import type { Json, JsonObject } from "../../turn/json.ts";
import { own, putOwn } from "../protocol/own.ts";
import type { PermittedFilter } from "./filters.ts";

/**
 * One filter in force. `value` is a text; two texts for `between`; a list of texts for `in` and `notIn`; absent for
 * `empty` and `notEmpty`. Of a host's own filter type it is what the host's bag says.
 */
export interface Condition {
  key: string;
  op: string;
  value?: Json;
}

const valueless = new Set(["empty", "notEmpty"]);
const listed = new Set(["in", "notIn"]);
const upper = new Set(["lt", "lte", "before"]);

/** Whether an operator takes no value. */
export function takesNoValue(op: string): boolean {
  return valueless.has(op);
}

/** Whether a filter's value with this operator is a list. */
export function takesList(filter: PermittedFilter, op: string): boolean {
  return listed.has(op) && (isChoice(filter) || filter.type === "numberRange" || filter.type === "text");
}

/** Whether a filter's values are among its options. */
export function isChoice(filter: PermittedFilter): boolean {
  return filter.type === "select" || filter.type === "multiSelect" || filter.type === "checklist";
}

/** The bag's entries for a condition whose value is in order. */
export function bagOf(filter: PermittedFilter, condition: Condition): JsonObject {
  const { op, value } = condition;
  const bag: JsonObject = {};
  const { low, high } = boundKeys(filter);
  if (takesNoValue(op) || value === undefined) {
    // An operator alone.
  } else if (low === undefined || listed.has(op)) {
    putOwn(bag, filter.id, value);
  } else if (op === "between" && Array.isArray(value)) {
    putOwn(bag, low, value[0] ?? null);
    putOwn(bag, high, value[1] ?? null);
  } else {
    putOwn(bag, upper.has(op) ? high : low, value);
  }
  const opKey = `${filter.id}Op`;
  if (filter.valueKeys.includes(opKey)) putOwn(bag, opKey, op);
  return bag;
}

/** The conditions a bag means; keys of no filter mean nothing. A filter without a value is not in force. */
export function conditionsOf(bag: JsonObject, filters: readonly PermittedFilter[]): Condition[] {
  return filters.flatMap((filter) => {
    const condition = conditionOf(bag, filter);
    return condition === undefined ? [] : [condition];
  });
}

function conditionOf(bag: JsonObject, filter: PermittedFilter): Condition | undefined {
  const key = filter.id;
  const named = own(bag, `${key}Op`);
  const op = typeof named === "string" && named !== "" ? named : undefined;
  if (op !== undefined && takesNoValue(op)) return { key, op };
  const bare = filled(own(bag, key));
  const { low, high } = boundKeys(filter);
  if (low === undefined) {
    return bare === undefined ? undefined : { key, op: op ?? filter.defaultOperator, value: bare };
  }
  if (bare !== undefined && (op === undefined || listed.has(op))) {
    return { key, op: op ?? "in", value: Array.isArray(bare) ? bare : [bare] };
  }
  const [from, to] = [filled(own(bag, low)), filled(own(bag, high))];
  const meant = op ?? impliedOperator(filter, from, to);
  if (meant === "between") {
    if (from !== undefined && to !== undefined) return { key, op: meant, value: [from, to] };
    if (from !== undefined) return { key, op: "gte", value: from };
    return to === undefined ? undefined : { key, op: "lte", value: to };
  }
  const bound = upper.has(meant) ? to : from;
  return bound === undefined ? undefined : { key, op: meant, value: bound };
}

function impliedOperator(filter: PermittedFilter, from: Json | undefined, to: Json | undefined): string {
  if (from !== undefined && to !== undefined) return "between";
  return to === undefined ? filter.defaultOperator : "lte";
}

function boundKeys(filter: PermittedFilter): { low: string | undefined; high: string } {
  const [low, high] = filter.type === "dateRange" ? ["From", "To"] : ["Min", "Max"];
  const lowKey = `${filter.id}${low}`;
  return { low: filter.valueKeys.includes(lowKey) ? lowKey : undefined, high: `${filter.id}${high}` };
}

function filled(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
