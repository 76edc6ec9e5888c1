import type { Json, JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";

/** What an object itself holds under a key, `null` when nothing: a column may be called `constructor`. */
export function ownValue(object: JsonObject, key: string): Json {
  return own(object, key) ?? null;
}
