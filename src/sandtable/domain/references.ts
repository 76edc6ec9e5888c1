import { type CelProblem, type CelScope, checkCel } from "../expr/cel.ts";
import { describe } from "./check-shape.ts";
import { emptyTree, type FieldTree, step } from "./field-tree.ts";
import { offsetOf, type Place, scalarAt } from "./place.ts";
import type { ProblemList } from "./problem-list.ts";
import { offsetInScalar } from "./scalar-offset.ts";
import type { NamedParam, Table } from "./types.ts";

/** What is known of a table before anything that refers to it is compiled. */
export interface TableInfo {
  name: string;
  key: string;
  /** Fields of a row, the key included. */
  fields: FieldTree;
  /** `fields` were listed in the world: nothing else may be set. */
  declared: boolean;
  /** Keys of the base rows. */
  rowKeys: Set<string>;
  /** All rows could be read: only then a missing key is a mistake. */
  rowsKnown: boolean;
  /** Some tool makes rows of this table. */
  created: boolean;
}

export interface ToolInfo {
  name: string;
  params: NamedParam[];
  args: FieldTree;
  /** What a successful call returns, where it can be known. */
  result: FieldTree;
  /** `false` when a parameter was mistaken, so that `params` lacks it. */
  complete: boolean;
}

/** The names of a domain, and where problems go. */
export interface Compilation {
  problems: ProblemList;
  files: Map<string, string>;
  tables: Map<string, TableInfo>;
  tools: Map<string, ToolInfo>;
  /** Parts whose files could all be read: only there a missing name is a mistake. */
  complete: { world: boolean; tools: boolean; callers: boolean };
  /** Tables as compiled, for type-checking expressions. */
  compiledTables: Table[];
}

/** What a path or an argument is looked up in. `name` is the table or tool, for messages. */
export interface Subject {
  tree: FieldTree;
  what: "field" | "argument" | "placeholder";
  name: string;
}

/** Where an expression stands: the arguments it can name, and what its CEL sees. */
export interface Scope {
  /** Tools whose arguments `$name` stands for: the name must fit all of them. Empty: there is no call here. */
  subjects: Subject[];
  /** Why there is no call, for the message. */
  none: string;
  /** More than one: the expression must be right in each. */
  cel: Omit<CelScope, "tables">[];
  /** `false`: parameters are not all known, so CEL cannot be checked. */
  complete: boolean;
}

/** The scope of a condition that stands outside any call; `reason` completes "and ...". */
export function noCall(reason: string, kind: "rule" | "caller" = "rule"): Scope {
  return { subjects: [], none: reason, cel: [{ kind, params: [] }], complete: true };
}

/** The table a name means, or `undefined`, reported. */
export function findTable(
  c: Compilation,
  name: string | undefined,
  place: Place,
  part: "key" | "value" = "value",
): TableInfo | undefined {
  if (name === undefined) return undefined;
  const table = c.tables.get(name);
  if (table === undefined && c.complete.world)
    c.problems.unknown(place, part, { what: "table", name, known: c.tables.keys() });
  return table;
}

/** The tool a name means, or `undefined`, reported. */
export function findTool(
  c: Compilation,
  name: string | undefined,
  place: Place,
  part: "key" | "value" = "value",
): ToolInfo | undefined {
  if (name === undefined) return undefined;
  const tool = c.tools.get(name);
  if (tool === undefined && c.complete.tools)
    c.problems.unknown(place, part, { what: "tool", name, known: c.tools.keys() });
  return tool;
}

export const tableSubject = (table: TableInfo): Subject => ({
  tree: table.fields,
  what: "field",
  name: table.name,
});
export const toolSubject = (tool: ToolInfo): Subject => ({
  tree: tool.args,
  what: "argument",
  name: tool.name,
});

/** A dotted path, split, with what is known at its end; `undefined` when it leads nowhere, reported. */
export function findPath(
  c: Compilation,
  dotted: string,
  place: Place,
  part: "key" | "value",
  subjects: readonly Subject[],
): { path: string[]; ends: FieldTree[] } | undefined {
  const path = dotted.split(".");
  const offset = offsetOf(place, part);
  if (path.includes("")) {
    c.problems.atOffset(
      place.document,
      offset,
      `"${dotted}" is no path; expected names with single dots between them`,
    );
    return undefined;
  }
  const ends: FieldTree[] = [];
  for (const subject of subjects) {
    const end = follow(c, path, subject, place, part);
    if (end === undefined) return undefined;
    ends.push(end);
  }
  return { path, ends };
}

function follow(
  c: Compilation,
  path: readonly string[],
  { tree, what, name }: Subject,
  place: Place,
  part: "key" | "value",
): FieldTree | undefined {
  let at = tree;
  for (const [index, segment] of path.entries()) {
    const next = step(at, segment);
    if (next === "unknown") return emptyTree(true);
    if (next === "missing") {
      const inner = path.slice(0, index).join(".");
      if (index > 0 && at.children.size === 0) {
        const found = at.element === undefined ? `a ${[...at.types].join(" or ")}` : "a list";
        const offset = offsetOf(place, part);
        c.problems.atOffset(
          place.document,
          offset,
          `${what} "${inner}" of ${name} is ${found}; it has no "${segment}"`,
        );
      } else {
        const of = index === 0 ? name : `${inner} of ${name}`;
        c.problems.unknown(place, part, { what, name: segment, of, known: at.children.keys() });
      }
      return undefined;
    }
    at = next;
  }
  return at;
}

/** Type-checks a CEL source, reporting at the word that is wrong. Returns it when it is right. */
export function checkedCel(
  c: Compilation,
  source: string,
  place: Place,
  scope: Scope,
  expects: "bool" | "any",
): string | undefined {
  if (!scope.complete || !c.complete.world) return source;
  const problem = firstProblem(c, source, scope, expects);
  if (problem === undefined) return source;
  const scalar = scalarAt(place);
  const offset =
    scalar === undefined
      ? offsetOf(place, "value")
      : offsetInScalar(place.document.text, scalar, source, problem.offset);
  c.problems.atOffset(place.document, offset, `CEL: ${problem.message}`, problem.suggestion);
  return undefined;
}

function firstProblem(
  c: Compilation,
  source: string,
  scope: Scope,
  expects: "bool" | "any",
): CelProblem | undefined {
  for (const cel of scope.cel) {
    const problem = checkCel(source, { ...cel, tables: c.compiledTables, expects });
    if (problem !== null) return problem;
  }
  return undefined;
}

/** Reports a placeholder such as `{load_id}` that stands for nothing. */
export function checkTemplate(c: Compilation, text: string, place: Place, subject: Subject): void {
  for (const [whole, name = ""] of text.matchAll(/\{([A-Za-z_][\w.]*)\}/g)) {
    const head = name.split(".")[0] ?? "";
    if (step(subject.tree, head) !== "missing") continue;
    const scalar = scalarAt(place);
    const index = text.indexOf(whole) + 1;
    const offset =
      scalar === undefined
        ? offsetOf(place, "value")
        : offsetInScalar(place.document.text, scalar, text, index);
    const { what, name: of, tree } = subject;
    c.problems.unknownAt(place.document, offset, { what, name: head, of, known: tree.children.keys() });
  }
}

/** Reports a row's key that can be no key. */
export function checkKey(c: Compilation, key: unknown, place: Place): void {
  if (typeof key === "string" || key === undefined) return;
  const quote = typeof key === "number" ? "; put it in quotes" : "";
  c.problems.at(place, `the key of a row is a string, not ${describe(key)}${quote}`);
}
