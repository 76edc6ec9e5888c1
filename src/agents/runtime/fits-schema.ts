import * as z from "zod";
import type { Json, JsonObject } from "../../turn/index.ts";

/**
 * Whether a value fits a JSON Schema. Nothing fits one that says what cannot be checked, such as `if`: a fault of the
 * agent's author, told in the log.
 */
export function fitsSchema(schema: JsonObject, value: Json): boolean {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ level: "error", event: "editable_state_schema", schema, error: said }));
    return false;
  }
}
