import type { Json } from "../../turn/json.ts";

/** Deepest nesting of a value, which is more than anybody writes and less than what ends the stack. */
const maxDepth = 200;

/**
 * A value as JSON carries it, or why it cannot: told with the place, `value.items[2].at`. Members that are undefined
 * are left out, as JSON does; everything else that JSON would change silently (a Date, a Map, NaN) is refused, so that
 * code gets the same from a stored value as from a fresh one.
 */
export function readJsonValue(
  value: unknown,
  name = "value",
): { ok: true; value: Json } | { ok: false; message: string } {
  try {
    return { ok: true, value: copy(value, name, [], 0) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, message: error.message };
    throw error;
  }
}

/** Bytes of a value's JSON as UTF-8. */
export function jsonBytes(json: string): number {
  let bytes = json.length;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    // Half of a pair is two of the four bytes.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes += 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Whether two values are the same, whatever the order of their members. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, at) => sameJson(one, b[at] ?? null))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null))
  );
}

class NotJson extends Error {}

function copy(value: unknown, place: string, above: unknown[], depth: number): Json {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (value === undefined && depth === 0) return null;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${place} is ${value}, which JSON cannot carry`);
  }
  if (typeof value !== "object") throw new NotJson(`${place} is ${named(value)}, which JSON cannot carry`);
  if (above.includes(value)) throw new NotJson(`${place} contains itself`);
  if (depth >= maxDepth) throw new NotJson(`${place} is nested more than ${maxDepth} levels deep`);
  const path = [...above, value];
  if (Array.isArray(value)) {
    return value.map((one, at) => copy(one ?? null, `${place}[${at}]`, path, depth + 1));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotJson(
      `${place} is ${named(value)}, which JSON cannot carry; use plain objects, texts and numbers`,
    );
  }
  const made: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const copied = copy(inner, `${place}.${key}`, path, depth + 1);
    // Assigned, this one name would become the prototype.
    if (key === "__proto__") throw new NotJson(`${place} has a key named "__proto__"`);
    made[key] = copied;
  }
  return made;
}

function named(value: unknown): string {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const name = value.constructor?.name ?? "object";
  return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
}
