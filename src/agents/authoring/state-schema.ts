import * as z from "zod";
import type { Json, JsonObject } from "../../turn/json.ts";

/** Keywords whose values are no schemas. */
const values: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Keywords that hold schemas by names of the author's choice. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/**
 * A check of values against a JSON Schema. Throws, in words for the agent's author, on one that says what cannot be
 * checked, such as `if`, `not` or `contains`: a value that was let through unchecked would look checked.
 */
export function stateSchema(schema: JsonObject): z.ZodType {
  if (hasContains(schema)) throw new Error("contains is not supported");
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

/** The one keyword that would be passed over in silence. */
function hasContains(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasContains);
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === "contains") return true;
    if (values.has(keyword) || typeof value !== "object" || value === null) return false;
    return named.has(keyword) ? Object.values(value).some(hasContains) : hasContains(value);
  });
}
