import type { Json, JsonObject } from "../../turn/json.ts";
import { getPath, setOwn } from "../expr/path.ts";
import { show } from "../expr/show.ts";

/** A call a rule looks at. */
export interface Call {
  tool: string;
  args: JsonObject;
}

/** The values of some arguments, by dotted name; arguments the call left out are not in it. */
export function argumentsAt(args: JsonObject, paths: readonly string[][]): JsonObject {
  const values: JsonObject = {};
  for (const path of paths) {
    const value: Json | undefined = getPath(args, path);
    if (value !== undefined) setOwn(values, path.join("."), value);
  }
  return values;
}

/** `book_load for load_id L-1002 and rate 1600`: a call and some of its arguments in words. */
export function describeCall(tool: string, values: JsonObject): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} ${show(value)}`);
  return parts.length === 0 ? tool : `${tool} for ${joinWords(parts, "and")}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: string[], last: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}
