import type { Json, JsonObject } from "../../turn/json.ts";

/** Schemas nested deeper than this, recursive ones above all, are cut short. */
const maxDepth = 8;

/**
 * A value that fits a JSON Schema, the same one every time: the first of what is allowed, required and optional members
 * alike. Knows types, const, enum, default, examples, anyOf, oneOf, allOf, local $ref, items, lengths and bounds; not
 * patterns.
 */
export function sampleJson(schema: JsonObject): Json {
  return sample(schema, schema, 0);
}

function sample(schema: Json | undefined, root: JsonObject, depth: number): Json {
  if (!isObject(schema) || depth > maxDepth) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  for (const choices of [schema.enum, schema.examples]) {
    if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  }
  if (typeof schema.$ref === "string") return sample(resolve(schema.$ref, root), root, depth + 1);
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choices)) return sample(choices[0], root, depth + 1);
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => sample(part, root, depth + 1));
    return parts.every(isObject) ? Object.assign({}, ...parts) : (parts[0] ?? null);
  }
  return sampleOfType(schema, root, depth);
}

function sampleOfType(schema: JsonObject, root: JsonObject, depth: number): Json {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type ?? (isObject(schema.properties) ? "object" : undefined)) {
    case "object":
      return Object.fromEntries(
        Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, member]) => [
          name,
          sample(member, root, depth + 1),
        ]),
      );
    case "array": {
      const least = typeof schema.minItems === "number" ? schema.minItems : 1;
      return Array.from({ length: Math.min(least, 20) }, () => sample(schema.items, root, depth + 1));
    }
    case "number":
    case "integer":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "string": {
      const least = typeof schema.minLength === "number" ? Math.min(schema.minLength, 1_000) : 0;
      const most = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
      return "sample".padEnd(least, ".").slice(0, most);
    }
    default:
      return null;
  }
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonObject): number {
  if (typeof minimum === "number") return minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  if (typeof multipleOf === "number") return multipleOf;
  return typeof maximum === "number" ? Math.min(maximum, 1) : 1;
}

function resolve(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const key of ref.slice(1).split("/").slice(1)) {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
