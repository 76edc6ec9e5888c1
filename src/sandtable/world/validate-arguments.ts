import type { NamedParam, Param, Tool } from "../domain/types.ts";
import { show } from "../expr/show.ts";

/**
 * What is wrong with the arguments of a call, as the agent is told, or null. Never throws. Examples:
 * `unknown argument "foo"`, `missing argument "load_id"`, `argument "stops[0].city" must be a string, not a number`.
 * A number that JSON reads and cannot write (`1e999`) is refused wherever it stands: it would be stored as null.
 */
export function validateArguments(tool: Tool, args: unknown): string | null {
  if (!isObject(args)) return `arguments must be an object, not ${nameOf(args)}`;
  return checkProperties(tool.params, args, "");
}

function checkProperties(
  params: NamedParam[],
  object: Record<string, unknown>,
  prefix: string,
): string | null {
  for (const name of Object.keys(object)) {
    if (!params.some((param) => param.name === name)) return `unknown argument "${prefix}${name}"`;
  }
  for (const param of params) {
    const path = `${prefix}${param.name}`;
    if (!Object.hasOwn(object, param.name)) {
      if (!param.optional) return `missing argument "${path}"`;
      continue;
    }
    const problem = checkValue(param, object[param.name], path);
    if (problem !== null) return problem;
  }
  return null;
}

function checkValue(param: Param, value: unknown, path: string): string | null {
  const must = (what: string): string => `argument "${path}" must ${what}`;
  const wrongType = (what: string): string => must(`be ${what}, not ${nameOf(value)}`);
  if (isTooLarge(value)) return tooLarge(path);
  if (param.enum !== undefined && !param.enum.some((one) => one === value)) {
    const comparable = param.enum.some((one) => typeof one === typeof value);
    const given =
      comparable && (typeof value === "string" || typeof value === "number") ? show(value) : nameOf(value);
    return must(`be one of ${param.enum.map(show).join(", ")}, not ${given}`);
  }
  switch (param.type) {
    case "string":
      return typeof value === "string" ? checkLength(param, value, must) : wrongType("a string");
    case "number":
      return typeof value === "number" ? checkBounds(param, value, must) : wrongType("a number");
    case "integer":
      if (typeof value !== "number") return wrongType("a whole number");
      return Number.isInteger(value)
        ? checkBounds(param, value, must)
        : must(`be a whole number, not ${value}`);
    case "boolean":
      return typeof value === "boolean" ? null : wrongType("true or false");
    case "object":
      if (!isObject(value)) return wrongType("an object");
      return param.properties === undefined
        ? checkNumbers(value, path)
        : checkProperties(param.properties, value, `${path}.`);
    case "list":
      return Array.isArray(value) ? checkItems(param, value, path, must) : wrongType("a list");
  }
}

type Must = (what: string) => string;

function checkLength({ minLength, maxLength }: Param, value: string, must: Must): string | null {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength)
    return must(`have at least ${plural(minLength, "character")}`);
  if (maxLength !== undefined && length > maxLength)
    return must(`have at most ${plural(maxLength, "character")}`);
  return null;
}

function checkBounds({ minimum, maximum }: Param, value: number, must: Must): string | null {
  if (minimum !== undefined && value < minimum) return must(`be at least ${minimum}, not ${value}`);
  if (maximum !== undefined && value > maximum) return must(`be at most ${maximum}, not ${value}`);
  return null;
}

function checkItems(
  { items, minItems, maxItems }: Param,
  list: unknown[],
  path: string,
  must: Must,
): string | null {
  if (minItems !== undefined && list.length < minItems)
    return must(`have at least ${plural(minItems, "item")}`);
  if (maxItems !== undefined && list.length > maxItems)
    return must(`have at most ${plural(maxItems, "item")}`);
  if (items === undefined) return checkNumbers(list, path);
  for (const [i, item] of list.entries()) {
    const problem = checkValue(items, item, `${path}[${i}]`);
    if (problem !== null) return problem;
  }
  return null;
}

/** Looks through what no declaration describes. */
function checkNumbers(value: unknown, path: string): string | null {
  if (isTooLarge(value)) return tooLarge(path);
  const inner: [string, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [`${path}[${i}]`, item])
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [`${path}.${name}`, item])
      : [];
  for (const [at, item] of inner) {
    const problem = checkNumbers(item, at);
    if (problem !== null) return problem;
  }
  return null;
}

function isTooLarge(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function tooLarge(path: string): string {
  return `argument "${path}" is too large a number`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "object":
      return "an object";
    case "boolean":
      return "a boolean";
    default:
      return `a ${typeof value}`;
  }
}
