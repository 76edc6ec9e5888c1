import type { Json, JsonObject } from "../../turn/json.ts";

/** Whether a value that came out of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value that came out of JSON is a string with something in it. */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether a value that came out of JSON is a number. `1e999` parses to infinity, which is none here. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Whether lists and objects lie in a value more than `levels` deep. Never looks deeper than that. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inside) => isDeeper(inside, levels - 1));
}

/** `key` with `value`, or nothing: for optional properties, which must not stand there as `undefined`. */
export function given<K extends string, const V>(key: K, value: V | undefined): { [P in K]?: V } {
  const entry: { [P in K]?: V } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

/** The strings of a list; everything else in it is left out. `undefined` when it is no list. */
export function strings(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

/** A fault of a message: what it says follows "agent HTTP ". */
export function fault(message: string): TypeError {
  return new TypeError(`agent HTTP ${message}`);
}
