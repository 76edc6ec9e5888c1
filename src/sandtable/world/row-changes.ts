import jsonPatch, { type Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/json.ts";

/**
 * RFC 6902 operations that turn a row into another, or make or remove it, in a world whose paths are
 * `/table/key/field...`. Empty when nothing differs. Before each `replace` and `remove` a `test` says what stood there,
 * so that the change can be shown whole and taken back. The operations hold copies.
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
  if (after === undefined) {
    return [
      { op: "test", path, value: structuredClone(before) },
      { op: "remove", path },
    ];
  }
  return jsonPatch
    .compare(before, after, true)
    .map((operation) => ({ ...operation, path: path + operation.path }));
}

function escapePart(part: string): string {
  return jsonPatch.escapePathComponent(part);
}
