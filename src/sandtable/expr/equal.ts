import type { Json } from "../../turn/json.ts";

/** Whether two JSON values are the same: numbers by value, lists in order, objects whatever the order of their keys. */
export function deepEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, i) => {
      const other = b[i];
      return other !== undefined && deepEqual(element, other);
    });
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const left = a[name];
    const right = Object.hasOwn(b, name) ? b[name] : undefined;
    return left !== undefined && right !== undefined && deepEqual(left, right);
  });
}
