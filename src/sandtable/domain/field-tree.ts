import { isList, isMapping } from "./forms.ts";
import type { NamedParam, Param } from "./types.ts";

/**
 * What is known of the values at one place of a row or of a call's arguments: nested fields, list elements, types.
 * References and literals are checked against it. Nothing known means nothing is refused.
 */
export interface FieldTree {
  children: Map<string, FieldTree>;
  element?: FieldTree;
  /** Types of the plain values seen or declared. */
  types: Set<"string" | "number" | "boolean">;
  /** Anything may stand here. */
  open: boolean;
  /** The only values allowed. */
  values?: (string | number)[];
}

export function emptyTree(open = false): FieldTree {
  return { children: new Map(), types: new Set(), open };
}

/** The child `name`, made when there is none yet. */
export function childOf(tree: FieldTree, name: string): FieldTree {
  let child = tree.children.get(name);
  if (child === undefined) {
    child = emptyTree();
    tree.children.set(name, child);
  }
  return child;
}

/** The element of the list at `tree`, made when there is none yet. */
export function elementOf(tree: FieldTree): FieldTree {
  tree.element ??= emptyTree();
  return tree.element;
}

/** Adds what a value shows. Linear in the size of the value. */
export function learn(tree: FieldTree, value: unknown): void {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    tree.types.add(typeof value as "string" | "number" | "boolean");
  } else if (isList(value)) {
    const element = elementOf(tree);
    for (const item of value) learn(element, item);
  } else if (isMapping(value)) {
    for (const name of Object.keys(value)) learn(childOf(tree, name), value[name]);
  }
}

/** Adds all that `source` knows. */
export function mergeTree(tree: FieldTree, source: FieldTree): void {
  if (source.open) tree.open = true;
  for (const type of source.types) tree.types.add(type);
  if (source.element !== undefined) mergeTree(elementOf(tree), source.element);
  for (const [name, child] of source.children) mergeTree(childOf(tree, name), child);
}

/** What a tool's parameters declare. */
export function treeOfParams(params: readonly NamedParam[]): FieldTree {
  const tree = emptyTree();
  for (const param of params) tree.children.set(param.name, treeOfParam(param));
  return tree;
}

function treeOfParam(param: Param): FieldTree {
  switch (param.type) {
    case "object":
      return param.properties === undefined ? emptyTree(true) : treeOfParams(param.properties);
    case "list": {
      const element = param.items === undefined ? emptyTree(true) : treeOfParam(param.items);
      return { ...emptyTree(), element };
    }
    default: {
      const type = param.type === "integer" ? "number" : param.type;
      return {
        ...emptyTree(),
        types: new Set([type]),
        ...(param.enum !== undefined && { values: param.enum }),
      };
    }
  }
}

/** One step down: `unknown` when nothing is known there, `missing` when it is known that there is no such field. */
export function step(tree: FieldTree, name: string): FieldTree | "unknown" | "missing" {
  const child = tree.children.get(name);
  if (child !== undefined) return child;
  if (tree.element !== undefined && /^\d+$/.test(name)) return tree.element;
  const known = tree.children.size > 0 || tree.element !== undefined || tree.types.size > 0;
  return tree.open || !known ? "unknown" : "missing";
}
