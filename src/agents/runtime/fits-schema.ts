import type { Json, JsonObject } from "../../turn/index.ts";
import { stateSchema } from "../authoring/state-schema.ts";

/** Whether a value fits a JSON Schema of an agent's `editableState`, which was checked when the agent was defined. */
export function fitsSchema(schema: JsonObject, value: Json): boolean {
  return stateSchema(schema).safeParse(value).success;
}
