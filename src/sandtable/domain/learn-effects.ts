import type { Holey } from "./check-shape.ts";
import { childOf, elementOf, emptyTree, type FieldTree, learn, mergeTree, step } from "./field-tree.ts";
import { eachOf, isList, isMapping } from "./forms.ts";
import type { TableInfo, ToolInfo } from "./references.ts";
import type { TaskSource } from "./source/tasks.ts";
import type { ToolSource } from "./source/tools.ts";

/**
 * Adds the fields that a tool gives to rows to what is known of its tables, so that conditions may name them. A table
 * whose fields are listed is left as it is: there an unknown field is a mistake.
 */
export function learnEffects(
  source: Holey<ToolSource> | undefined,
  tool: ToolInfo,
  tables: ReadonlyMap<string, TableInfo>,
): void {
  for (const { value } of eachOf(source?.create)) {
    const table = tables.get(value?.table ?? "");
    if (table === undefined) continue;
    table.created = true;
    for (const [path, given] of Object.entries(value?.set ?? {}))
      learnValue(at(table, path), given, tool.args);
  }
  for (const { value } of eachOf(source?.update)) {
    const table = tables.get(value?.table ?? "");
    if (table === undefined) continue;
    for (const [path, given] of Object.entries(value?.set ?? {}))
      learnValue(at(table, path), given, tool.args);
    for (const [path, given] of Object.entries(value?.append ?? {})) {
      const list = at(table, path);
      if (list !== undefined) learnValue(elementOf(list), given, tool.args);
    }
  }
}

/** Adds the fields of the rows that tasks give; of a table whose fields are listed, only what those hold. */
export function learnGiven(
  source: Holey<TaskSource> | undefined,
  tables: ReadonlyMap<string, TableInfo>,
): void {
  for (const [name, rows] of Object.entries(source?.given ?? {})) {
    const table = tables.get(name);
    if (table === undefined) continue;
    for (const row of Object.values(rows ?? {})) {
      for (const [field, value] of Object.entries(row ?? {})) {
        if (!table.declared || table.fields.children.has(field)) learn(childOf(table.fields, field), value);
      }
    }
  }
}

/** What a successful call of a tool returns, as far as it can be told beforehand. */
export function resultOf(
  source: Holey<ToolSource> | undefined,
  args: FieldTree,
  tables: ReadonlyMap<string, TableInfo>,
): FieldTree {
  const unknown = emptyTree(true);
  if (source?.respond !== undefined) {
    const result = emptyTree();
    learnValue(result, source.respond, args);
    return result;
  }
  if (source?.lookup !== undefined) {
    const table = tables.get(source.lookup.table ?? "")?.fields;
    const { fields } = source.lookup;
    if (table === undefined || fields === undefined) return table ?? unknown;
    const names = new Set(fields.map((field) => field?.split(".")[0] ?? ""));
    return { ...table, children: new Map([...table.children].filter(([name]) => names.has(name))) };
  }
  const kinds = Object.keys(source ?? {}).filter(
    (key) => key === "create" || key === "update" || key === "delete",
  );
  if (kinds[0] !== "create" && kinds[0] !== "update") return unknown;
  const first = eachOf(source?.[kinds[0]])[0]?.value;
  // An update by condition may touch several rows, and then returns a list.
  if (first === undefined || "where" in first) return unknown;
  return tables.get(first.table ?? "")?.fields ?? unknown;
}

/** The place of a dotted path in a table; `undefined` where the table does not have it. */
function at(table: TableInfo, dotted: string): FieldTree | undefined {
  const path = dotted.split(".");
  if (path.includes("") || (table.declared && !table.fields.children.has(path[0] ?? ""))) return undefined;
  return path.reduce((tree, name) => childOf(tree, name), table.fields);
}

function learnValue(tree: FieldTree | undefined, value: unknown, args: FieldTree): void {
  if (tree === undefined) return;
  if (typeof value === "string" && /^\$[^$]/.test(value)) {
    learnArgument(tree, value.slice(1).split("."), args);
  } else if (isList(value)) {
    for (const item of value) learnValue(elementOf(tree), item, args);
  } else if (isMapping(value)) {
    if (Object.hasOwn(value, "cel")) tree.open = true;
    else for (const [name, inner] of Object.entries(value)) learnValue(childOf(tree, name), inner, args);
  } else learn(tree, value);
}

function learnArgument(tree: FieldTree, path: readonly string[], args: FieldTree): void {
  let from = args;
  for (const name of path) {
    const next = step(from, name);
    if (next === "unknown") tree.open = true;
    if (typeof next === "string") return;
    from = next;
  }
  mergeTree(tree, from);
}
