import jsonPatch, { type Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/index.ts";

/** Paths that libraries refuse to patch, because a careless one would change what every object is. */
const refusedPath = /\/__proto__(\/|$)|\/constructor\/prototype(\/|$)/;

/**
 * RFC 6902 operations that make `after` of `before`; none when they are equal. Any patch library applies them: where a
 * member's name is one that libraries refuse, the whole state is replaced.
 */
export function statePatch(before: JsonObject, after: JsonObject): Operation[] {
  const patch = jsonPatch.compare(before, after);
  if (!patch.some(({ path }) => refusedPath.test(path))) return patch;
  return [{ op: "replace", path: "", value: after }];
}
