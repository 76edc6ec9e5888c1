import type { Json, JsonObject } from "../../turn/json.ts";
import { isObject } from "../protocol/shape.ts";
import type { CallSubject } from "./turn-report.ts";

/** Which columns and rows the arguments of a call mention, each once, in the order they stand there. */
export function callSubject(args: JsonObject, columnIds: ReadonlySet<string>): CallSubject {
  const columns = new Set<string>();
  const rowKeys = new Set<string>();

  function look(value: Json, field: string): void {
    if (Array.isArray(value)) {
      for (const item of value) look(item, field === "rowKeys" || field === "ids" ? "rowKey" : field);
    } else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (columnIds.has(name)) columns.add(name);
        look(inner, name);
      }
    } else if (typeof value === "string") {
      if (rowFields.has(field)) rowKeys.add(value);
      else if (columnFields.has(field) && columnIds.has(value)) columns.add(value);
    }
  }

  look(args, "");
  return { args, columns: [...columns], rowKeys: [...rowKeys] };
}

const rowFields: ReadonlySet<string> = new Set(["rowKey", "fromKey", "toKey"]);
const columnFields: ReadonlySet<string> = new Set(["key", "column", "columns", "order", "remove"]);
