import type { Json, JsonObject } from "../../turn/json.ts";

/**
 * Value at `path` inside `value`, or undefined where there is none. Only own properties count, so a path such as
 * `constructor` finds nothing that the data does not hold. List elements are reached by their position.
 */
export function getPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const name of path) {
    if (at === null || typeof at !== "object") return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(name) ? at[Number(name)] : undefined;
    else at = Object.hasOwn(at, name) ? at[name] : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** Sets an own property whatever its name, `__proto__` included. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}

/**
 * Sets the value at `path` inside `object`, in place, making objects on the way where there is nothing or null.
 * Returns null, or the part of the path that holds something else and so cannot be gone through.
 */
export function setPath(object: JsonObject, path: readonly string[], value: Json): string | null {
  let at: JsonObject | Json[] = object;
  for (const [depth, name] of path.entries()) {
    const last = depth === path.length - 1;
    if (Array.isArray(at)) {
      const index = /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1;
      const element: Json | undefined = at[index];
      if (element === undefined) return path.slice(0, depth).join(".");
      if (last) at[index] = value;
      else if (element !== null && typeof element === "object") at = element;
      else return path.slice(0, depth + 1).join(".");
      continue;
    }
    if (last) {
      setOwn(at, name, value);
      return null;
    }
    const inner: Json | undefined = Object.hasOwn(at, name) ? at[name] : undefined;
    if (inner === undefined || inner === null) {
      const made: JsonObject = {};
      setOwn(at, name, made);
      at = made;
    } else if (typeof inner === "object") at = inner;
    else return path.slice(0, depth + 1).join(".");
  }
  return null;
}
