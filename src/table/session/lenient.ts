import type { Json, JsonObject } from "../../turn/json.ts";
import { fold } from "./match-name.ts";

/** Arguments with `from` renamed to `to`, when `to` is not given already. The first name that is there is taken. */
export function renamed(args: JsonObject, from: string[], to: string): JsonObject {
  if (Object.hasOwn(args, to)) return args;
  const name = from.find((alias) => Object.hasOwn(args, alias));
  if (name === undefined) return args;
  const { [name]: value, ...rest } = args;
  return { ...rest, [to]: value ?? null };
}

/** Arguments where one item instead of a list of items becomes a list of one. */
function listed(args: JsonObject, name: string): JsonObject {
  const value = args[name];
  return value === undefined || Array.isArray(value) ? args : { ...args, [name]: [value] };
}

/** Arguments where an item written in place of the whole batch becomes a batch of one. */
export function batched(args: JsonObject, name: string, hints: string[]): JsonObject {
  if (Object.hasOwn(args, name)) return listed(args, name);
  return hints.some((hint) => Object.hasOwn(args, hint)) ? { [name]: [args] } : args;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const descending = [
  "desc",
  "descending",
  "down",
  "highest",
  "highestfirst",
  "largest",
  "largestfirst",
  "biggest",
  "biggestfirst",
  "newest",
  "newestfirst",
  "latest",
  "latestfirst",
  "ztoa",
  "za",
  "hightolow",
  "-1",
];
const ascending = [
  "asc",
  "ascending",
  "up",
  "lowest",
  "lowestfirst",
  "smallest",
  "smallestfirst",
  "oldest",
  "oldestfirst",
  "earliest",
  "earliestfirst",
  "atoz",
  "az",
  "lowtohigh",
  "1",
];

/** `asc` or `desc` for the usual words; anything else as it came, for the schema to refuse. */
export function sortDirection(value: Json): Json {
  if (typeof value === "boolean" || value === null || typeof value === "object") return value;
  const word = value === -1 ? "-1" : fold(String(value));
  if (descending.includes(word)) return "desc";
  return ascending.includes(word) ? "asc" : value;
}
