import jsonPatch, { type Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/json.ts";

/**
 * RFC 6902 operations that turn a row into another, or make or remove it, in a world whose paths are
 * `/table/key/field...`. Empty when nothing differs. The operations hold copies.
 */
export function rowChanges(
  table: string,
  key: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Operation[] {
  const path = `/${escapePart(table)}/${escapePart(key)}`;
  if (before === undefined)
    return after === undefined ? [] : [{ op: "add", path, value: structuredClone(after) }];
  if (after === undefined) return [{ op: "remove", path }];
  return jsonPatch.compare(before, after).map((operation) => ({ ...operation, path: path + operation.path }));
}

function escapePart(part: string): string {
  return jsonPatch.escapePathComponent(part);
}
