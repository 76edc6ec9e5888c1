import jsonPatch, { type Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/index.ts";

/** Paths that libraries refuse to patch, because a careless one would change what every object is. */
const refusedPath = /\/__proto__(\/|$)|\/constructor\/prototype(\/|$)/;

/**
 * RFC 6902 operations that make `after` of `before`; none when they are equal. Any patch library applies them: where a
 * member's name is one that libraries refuse, the whole state is replaced.
 */
export function statePatch(before: JsonObject, after: JsonObject): Operation[] {
  return safe(jsonPatch.compare(before, after), after);
}

/**
 * RFC 6902 operations that set each key that is not as it was in `before` to what it is in `after`; keys that are gone
 * are left out. Applied to `before` as to `after` itself, they make the same.
 */
export function stateRestated(before: JsonObject, after: JsonObject): Operation[] {
  const patch: Operation[] = [];
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key) && jsonPatch.compare({ value: before[key] }, { value }).length === 0)
      continue;
    patch.push({ op: "add", path: `/${jsonPatch.escapePathComponent(key)}`, value });
  }
  return safe(patch, after);
}

function safe(patch: Operation[], after: JsonObject): Operation[] {
  if (!patch.some(({ path }) => refusedPath.test(path))) return patch;
  return [{ op: "replace", path: "", value: after }];
}
