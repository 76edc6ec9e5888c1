import type { Json, JsonObject } from "../../turn/json.ts";
import { own, putOwn } from "../protocol/own.ts";
import { bagOf, type Condition, conditionsOf, takesNoValue } from "./filter-bag.ts";
import { isStock, readValue } from "./filter-values.ts";
import type { PermittedFilter } from "./filters.ts";
import { fold, matchName } from "./match-name.ts";
import { relativeToken, resolveOperator } from "./operators.ts";
import { Refusal } from "./refusal.ts";

const nameKeys = ["key", "column", "field", "filter"];
const operatorKeys = ["op", "operator"];
const valueKeys = ["value", "values"];

/**
 * The filter bag an argument means: a bag, one condition, or a list of conditions, names and operators by id, label or
 * usual word. Values come out as a bag holds them: texts and lists of texts. Throws `invalid-arguments` with what to
 * change.
 */
export function readFilters(given: Json, filters: readonly PermittedFilter[]): JsonObject {
  const bag: JsonObject = {};
  for (const filter of distinct(conditionsGiven(given, filters))) {
    for (const [key, value] of Object.entries(filter)) putOwn(bag, key, value);
  }
  return bag;
}

/** Bags of conditions, refused when two are of one filter, lest the second silently replaces the first. */
function distinct(given: { filter: PermittedFilter; bag: JsonObject }[]): JsonObject[] {
  const seen = new Set<string>();
  return given.map(({ filter, bag }) => {
    if (seen.has(filter.id)) {
      throw invalid(`filter "${filter.id}" is set twice: use one condition, such as between for two bounds`);
    }
    seen.add(filter.id);
    return bag;
  });
}

function conditionsGiven(given: Json, filters: readonly PermittedFilter[]) {
  if (Array.isArray(given)) return mergeBounds(given).map((item) => oneCondition(item, filters));
  if (!isObject(given)) throw invalid("filters must be an object or a list of { key, op, value }");
  if (looksLikeCondition(given, filters)) return [oneCondition(given, filters)];
  return readBag(given, filters);
}

function looksLikeCondition(given: JsonObject, filters: readonly PermittedFilter[]): boolean {
  const name = firstOf(given, nameKeys);
  if (typeof name?.value !== "string") return false;
  if (filters.some((filter) => filter.valueKeys.includes(name.key))) return false;
  return Object.keys(given).every((key) => [...nameKeys, ...operatorKeys, ...valueKeys].includes(key));
}

function oneCondition(given: Json, filters: readonly PermittedFilter[]) {
  if (!isObject(given)) throw invalid("each condition must be an object { key, op, value }");
  const known = [...nameKeys, ...operatorKeys, ...valueKeys];
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(`a condition has key, op and value, not "${unknown}"`);
  const name = firstOf(given, nameKeys)?.value;
  if (typeof name !== "string") throw invalid("each condition must name its filter in key");
  const filter = filterNamed(name, filters);
  const op = firstOf(given, operatorKeys)?.value;
  const value = firstOf(given, valueKeys)?.value;
  return { filter, bag: fromCondition(filter, op, value) };
}

/** Two conditions that bound one filter from both sides are one of `between`. */
function mergeBounds(given: Json[]): Json[] {
  const merged: Json[] = [];
  for (const item of given) {
    const at = merged.findIndex(
      (other) => isObject(item) && isObject(other) && bounds(other, item) !== undefined,
    );
    const other = merged[at];
    const joined = isObject(item) && isObject(other) ? bounds(other, item) : undefined;
    if (joined === undefined) merged.push(item);
    else merged[at] = joined;
  }
  return merged;
}

function bounds(first: JsonObject, second: JsonObject): JsonObject | undefined {
  const name = firstOf(first, nameKeys)?.value;
  if (name === undefined || name !== firstOf(second, nameKeys)?.value) return undefined;
  for (const [low, high] of [
    [first, second],
    [second, first],
  ] as const) {
    const ops = [firstOf(low, operatorKeys)?.value, firstOf(high, operatorKeys)?.value];
    const values = [firstOf(low, valueKeys)?.value, firstOf(high, valueKeys)?.value];
    const [from, to] = values;
    if (from === undefined || to === undefined) continue;
    if ((ops[0] === "gte" || ops[0] === ">=") && (ops[1] === "lte" || ops[1] === "<=")) {
      return { key: name, op: "between", value: [from, to] };
    }
  }
  return undefined;
}

function readBag(given: JsonObject, filters: readonly PermittedFilter[]) {
  const own = new Map<PermittedFilter, JsonObject>();
  const nested: { filter: PermittedFilter; bag: JsonObject }[] = [];
  for (const [key, value] of Object.entries(given)) {
    const { filter, bagKey } = bagKeyNamed(key, filters);
    if (isObject(value)) {
      nested.push(oneCondition({ ...nestedCondition(value), key: filter.id }, filters));
      continue;
    }
    const bag = own.get(filter) ?? {};
    if (Object.hasOwn(bag, bagKey)) throw invalid(`"${bagKey}" is given twice`);
    putOwn(bag, bagKey, value);
    own.set(filter, bag);
  }
  const plain = [...own].map(([filter, bag]) => ({ filter, bag: checkBag(filter, bag) }));
  return [...plain, ...nested];
}

/** What stands under a filter's name: a condition without its key, bounds, or one operator with its value. */
function nestedCondition(value: JsonObject): JsonObject {
  const keys = Object.keys(value);
  if (keys.every((key) => operatorKeys.includes(key) || valueKeys.includes(key))) return value;
  const low = firstOf(value, ["min", "from", "gte", ">="]);
  const high = firstOf(value, ["max", "to", "lte", "<="]);
  if (low !== undefined && high !== undefined && keys.length === 2) {
    return { op: "between", value: [low.value, high.value] };
  }
  const [op] = keys;
  if (keys.length !== 1 || op === undefined) {
    throw invalid("a filter's condition has an op and a value; two bounds are op between with a list of two");
  }
  return { op: low === undefined ? (high === undefined ? op : "lte") : "gte", value: own(value, op) ?? null };
}

function bagKeyNamed(key: string, filters: readonly PermittedFilter[]) {
  for (const same of [(own: string) => own === key, (own: string) => fold(own) === fold(key)]) {
    for (const filter of filters) {
      const bagKey = filter.valueKeys.find(same);
      if (bagKey !== undefined) return { filter, bagKey };
    }
  }
  const filter = matchName(key, filters);
  if (filter !== undefined) return { filter, bagKey: filter.id };
  throw unknownFilter(key, filters);
}

function filterNamed(name: string, filters: readonly PermittedFilter[]): PermittedFilter {
  const filter = matchName(name, filters);
  if (filter === undefined) throw unknownFilter(name, filters);
  return filter;
}

function unknownFilter(name: string, filters: readonly PermittedFilter[]): Refusal {
  const keys = filters.map((filter) => filter.id);
  const shown =
    keys.length > 12 ? `${keys.slice(0, 12).join(", ")} and ${keys.length - 12} more` : keys.join(", ");
  return invalid(`there is no filter "${name}": there are ${shown === "" ? "none" : shown}`);
}

/** A bag's entries of one filter, read as the condition they mean and written as a bag again. */
function checkBag(filter: PermittedFilter, bag: JsonObject): JsonObject {
  if (!isStock(filter)) return checkOwnBag(bag);
  const opKey = `${filter.id}Op`;
  const op = own(bag, opKey);
  if (op !== undefined && typeof op !== "string") throw invalid(`"${opKey}" must be a text`);
  const named = op === undefined || op === "" ? undefined : resolveOperator(op, filter);
  const bare = own(bag, filter.id);
  const bounded = filter.type === "numberRange" || filter.type === "dateRange";
  // A bound written under the bare key, which the bag keeps for lists.
  if (bounded && bare !== undefined && named !== "in" && named !== "notIn" && !Array.isArray(bare)) {
    return fromCondition(filter, named ?? "eq", bare);
  }
  const [condition] = conditionsOf(named === undefined ? bag : { ...bag, [opKey]: named }, [filter]);
  const read = condition === undefined ? {} : fromCondition(filter, condition.op, condition.value);
  const ignored = Object.keys(bag).find(
    (key) => key !== opKey && isFilled(own(bag, key)) && !Object.hasOwn(read, key),
  );
  if (ignored !== undefined) {
    throw invalid(
      `"${ignored}" means nothing with the operator ${condition?.op ?? named ?? filter.defaultOperator}`,
    );
  }
  return read;
}

function isFilled(value: Json | undefined): boolean {
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

function checkOwnBag(bag: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(bag)) {
    const items = Array.isArray(value) ? value : [value];
    if (items.some((item) => item !== null && typeof item === "object")) {
      throw invalid(`"${key}" must be a text, a number, true, false or a list of these`);
    }
  }
  return bag;
}

function fromCondition(
  filter: PermittedFilter,
  given: Json | undefined,
  value: Json | undefined,
): JsonObject {
  if (given !== undefined && given !== null && typeof given !== "string") throw invalid("op must be a text");
  let op = resolveOperator(given ?? impliedBy(filter, value), filter);
  if (takesNoValue(op)) return bagOf(filter, { key: filter.id, op });
  if (value === undefined || value === null) throw invalid(`filter "${filter.id}" with ${op} needs a value`);
  if (filter.type === "dateRange" && typeof value === "string" && relativeToken(value) !== undefined) {
    if ((op === "on" || op === filter.defaultOperator) && filter.operators.includes("relative"))
      op = "relative";
  }
  const condition: Condition = { key: filter.id, op, value: readValue(filter, op, value) };
  return bagOf(filter, condition);
}

function impliedBy(filter: PermittedFilter, value: Json | undefined): string {
  if (!Array.isArray(value)) return filter.defaultOperator;
  if (filter.type === "numberRange" || filter.type === "dateRange") {
    return value.length === 2 && filter.operators.includes("between") ? "between" : "in";
  }
  return filter.operators.includes("in") ? "in" : filter.defaultOperator;
}

function firstOf(object: JsonObject, keys: string[]): { key: string; value: Json } | undefined {
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && Object.hasOwn(object, key)) return { key, value };
  }
  return undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string): Refusal {
  return new Refusal("invalid-arguments", message);
}
