import type { Operation } from "fast-json-patch";
import type { Json } from "../../turn/json.ts";

/** One change of the world in words a person can follow. */
export interface Change {
  kind: "added" | "changed" | "removed";
  /** Table, key and field, unescaped, such as `["loads", "L-1002", "status"]`. */
  path: string[];
  /** Absent when the patch does not say what stood there. */
  before?: Json;
  /** Absent for a removal. */
  after?: Json;
}

/**
 * Reads JSON Patch operations as changes. A `test` right before an operation on the same path says what stood there.
 * Operations that change nothing by themselves are left out.
 */
export function readChanges(operations: Operation[]): Change[] {
  const changes: Change[] = [];
  let tested: { path: string; value: Json } | null = null;
  for (const operation of operations) {
    if (operation.op === "test") {
      tested = { path: operation.path, value: operation.value as Json };
      continue;
    }
    const before = tested?.path === operation.path ? { before: tested.value } : {};
    tested = null;
    const path = pointer(operation.path);
    if (operation.op === "remove") changes.push({ kind: "removed", path, ...before });
    else if (operation.op === "add")
      changes.push({ kind: "added", path, ...before, after: operation.value as Json });
    else if (operation.op === "replace")
      changes.push({ kind: "changed", path, ...before, after: operation.value as Json });
    else if (operation.op === "move") {
      changes.push({ kind: "removed", path: pointer(operation.from) }, { kind: "added", path });
    } else if (operation.op === "copy") changes.push({ kind: "added", path });
  }
  return changes;
}

/** Segments of a JSON Pointer. */
function pointer(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
