import type { Json, JsonObject } from "../../turn/json.ts";
import { own } from "../protocol/own.ts";

/**
 * What is wrong with a value for a schema, as a sentence; null when nothing is. Understands what capabilities' schemas
 * say: type, enum, required, properties, additionalProperties, items and the bounds. Properties that a schema does not
 * name are refused unless it says how they look.
 */
export function checkArguments(schema: JsonObject, value: Json, path = "arguments"): string | null {
  const wrong = wrongType(schema, value, path) ?? wrongChoice(schema, value, path);
  if (wrong !== null) return wrong;
  if (typeof value === "number") return wrongNumber(schema, value, path);
  if (Array.isArray(value)) return wrongList(schema, value, path);
  if (typeof value === "object" && value !== null) return wrongObject(schema, value, path);
  return null;
}

function wrongType(schema: JsonObject, value: Json, path: string): string | null {
  const { type } = schema;
  if (type === undefined) return null;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((name) => isOfType(value, String(name)))) return null;
  return `${path} must be ${types.map((name) => own(typeNames, String(name)) ?? String(name)).join(" or ")}`;
}

const typeNames: Record<string, string> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function wrongChoice(schema: JsonObject, value: Json, path: string): string | null {
  const { enum: choices } = schema;
  if (!Array.isArray(choices) || choices.includes(value)) return null;
  return `${path} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
}

function wrongNumber(schema: JsonObject, value: number, path: string): string | null {
  const { minimum, maximum } = schema;
  if (typeof minimum === "number" && value < minimum) return `${path} must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `${path} must be at most ${maximum}`;
  return null;
}

function wrongList(schema: JsonObject, value: Json[], path: string): string | null {
  const { minItems, maxItems, items } = schema;
  if (typeof minItems === "number" && value.length < minItems)
    return `${path} must hold at least ${minItems}`;
  if (typeof maxItems === "number" && value.length > maxItems) return `${path} may hold at most ${maxItems}`;
  if (!isObject(items)) return null;
  for (const [position, item] of value.entries()) {
    const wrong = checkArguments(items, item, `${path}[${position}]`);
    if (wrong !== null) return wrong;
  }
  return null;
}

function wrongObject(schema: JsonObject, value: JsonObject, path: string): string | null {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path} must have "${missing}"`;
  for (const [name, inside] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (own === true || (own === undefined && schema.properties === undefined)) continue;
    if (!isObject(own)) {
      const known = Object.keys(properties).join(", ");
      return `${path} has no "${name}": it has ${known === "" ? "nothing" : known}`;
    }
    const wrong = checkArguments(own, inside, `${path}.${name}`);
    if (wrong !== null) return wrong;
  }
  return null;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
