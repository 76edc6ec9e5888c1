import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import type { NamedParam, Param, Table } from "../domain/types.ts";
import { nearest } from "../text/nearest.ts";
import {
  asCelError,
  boundVariable,
  celEnvironment,
  childrenOf,
  type EngineError,
  isEngineError,
  parseCel,
  timestampType,
} from "./cel-environment.ts";
import { CelError } from "./cel-error.ts";

/** Where an expression stands, and so what it may name. */
export interface CelScope {
  /** `tool` and `rule`: a call is under way. `caller`: a scripted caller looks at the agent's turn; there is no `args`. */
  kind: "tool" | "rule" | "caller";
  /** Parameters of the tool, or of all tools a rule guards. */
  params: NamedParam[];
  tables: Pick<Table, "name" | "fields">[];
  /** `bool` for conditions: rule checks, guards, a caller's `cel`. Default `any`. */
  expects?: "bool" | "any";
}

/** What is wrong with an expression. */
export interface CelProblem {
  /** One sentence, such as `unknown argument "lode_id"`. */
  message: string;
  /** Position in the source, from 0. */
  offset: number;
  /** Nearest right word, when there is one close enough. */
  suggestion?: string;
}

/**
 * Checks an expression without running it: syntax, variables, functions, arguments, tables and fields it names, and
 * types as far as they are known. Null when nothing is wrong; of several problems the first.
 */
export function checkCel(source: string, scope: CelScope): CelProblem | null {
  const environment = scopedEnvironment(scope);
  try {
    const { ast } = parseCel(environment, source);
    new NameCheck(scope).shapeOf(ast, new Map());
    const { valid, type, error } = environment.check(source);
    if (!valid) throw isEngineError(error) ? error : asCelError(error);
    if (scope.expects === "bool" && type !== "bool" && !type?.startsWith("dyn")) {
      throw new Problem(`the result must be true or false, not ${typeName(type ?? "")}`, 0);
    }
    return null;
  } catch (error) {
    return asProblem(error, environment, source);
  }
}

class Problem extends Error {
  readonly offset: number;
  readonly suggestion: string | undefined;

  constructor(message: string, offset: number, suggestion?: string) {
    super(message);
    this.offset = offset;
    this.suggestion = suggestion;
  }
}

function unknownName(what: string, name: string, offset: number, known: Iterable<string>): Problem {
  return new Problem(`unknown ${what} "${name}"`, offset, nearest(name, known));
}

/** What is known of a part's value: arguments with declared properties, an object with these fields, a list. */
type Shape =
  | { kind: "params"; params: NamedParam[] }
  | { kind: "fields"; of: string; names: string[] }
  | { kind: "list"; of: Shape | undefined };

const callFields: Shape = {
  kind: "fields",
  of: "a call",
  names: ["tool", "args", "ok", "result", "error", "turn"],
};
const messageFields: Shape = { kind: "fields", of: "a message", names: ["role", "text", "turn", "act"] };

/** Checks the names an expression uses: arguments, tables and fields. Throws Problem. */
class NameCheck {
  private readonly scope: CelScope;

  constructor(scope: CelScope) {
    this.scope = scope;
  }

  /** Checks a part and all inside it; `bound` holds the variables of comprehensions around it. */
  shapeOf(node: ASTNode, bound: Map<string, Shape | undefined>): Shape | undefined {
    switch (node.op) {
      case "id":
        return bound.has(node.args) ? bound.get(node.args) : this.variable(node.args);
      case ".":
      case ".?":
        return this.member(this.shapeOf(node.args[0], bound), node.args[1], node.pos);
      case "[]":
      case "[?]": {
        const [of, index] = node.args;
        const shape = this.shapeOf(of, bound);
        this.shapeOf(index, bound);
        if (shape?.kind === "list") return shape.of;
        return index.op === "value" && typeof index.args === "string"
          ? this.member(shape, index.args, index.start)
          : undefined;
      }
      case "call": {
        const [name, args] = node.args;
        for (const arg of args) this.shapeOf(arg, bound);
        if (name !== "row" && name !== "rows" && name !== "has_row") return undefined;
        const row = this.tableRow(args[0]);
        if (name === "rows") return { kind: "list", of: row };
        return name === "row" ? row : undefined;
      }
      case "rcall":
        return this.method(node.args[0], node.args[1], node.args[2], boundVariable(node), bound);
      default:
        for (const child of childrenOf(node)) this.shapeOf(child, bound);
        return undefined;
    }
  }

  private method(
    name: string,
    receiver: ASTNode,
    args: ASTNode[],
    variable: string | null,
    bound: Map<string, Shape | undefined>,
  ): Shape | undefined {
    const shape = this.shapeOf(receiver, bound);
    if (variable === null) {
      for (const arg of args) this.shapeOf(arg, bound);
      return undefined;
    }
    const inside = new Map(bound).set(variable, shape?.kind === "list" ? shape.of : undefined);
    const results = args.slice(1).map((arg) => this.shapeOf(arg, inside));
    if (name === "filter") return shape;
    return name === "map" ? { kind: "list", of: results.at(-1) } : undefined;
  }

  private variable(name: string): Shape | undefined {
    if (name === "calls") return { kind: "list", of: callFields };
    if (name === "messages") return { kind: "list", of: messageFields };
    return name === "args" && this.scope.kind !== "caller"
      ? { kind: "params", params: this.scope.params }
      : undefined;
  }

  private member(shape: Shape | undefined, name: string, offset: number): Shape | undefined {
    if (shape?.kind === "params") {
      const param = shape.params.find((one) => one.name === name);
      if (param !== undefined) return shapeOfParam(param);
      throw unknownName(
        "argument",
        name,
        offset,
        shape.params.map((one) => one.name),
      );
    }
    if (shape?.kind === "fields" && !shape.names.includes(name)) {
      throw new Problem(`${shape.of} has no field "${name}"`, offset, nearest(name, shape.names));
    }
    return undefined;
  }

  private tableRow(name: ASTNode | undefined): Shape | undefined {
    if (name?.op !== "value" || typeof name.args !== "string") return undefined;
    const table = this.scope.tables.find((one) => one.name === name.args);
    if (table !== undefined) return { kind: "fields", of: `table ${table.name}`, names: table.fields };
    throw unknownName(
      "table",
      name.args,
      name.start,
      this.scope.tables.map((one) => one.name),
    );
  }
}

function shapeOfParam(param: Param): Shape | undefined {
  if (param.type === "object" && param.properties !== undefined)
    return { kind: "params", params: param.properties };
  if (param.type === "list")
    return { kind: "list", of: param.items === undefined ? undefined : shapeOfParam(param.items) };
  return undefined;
}

/** The environment an expression of a scope is type-checked in; it is never run. */
function scopedEnvironment(scope: CelScope): Environment {
  const unused = (): never => {
    throw new CelError("checked, not run");
  };
  const environment = celEnvironment({ row: unused, rows: unused, says: unused, amounts: unused });
  environment.registerOperator("double in list<int>: bool", unused);
  environment.registerOperator("int in list<double>: bool", unused);
  const variables: [string, string][] = [
    ["calls", "list"],
    ["messages", "list"],
    ["said", "string"],
    ["now", timestampType],
  ];
  if (scope.kind === "caller") variables.push(["reply", "string"], ["turn", "int"]);
  else {
    variables.push(["tool", "string"]);
    environment.registerVariable({ name: "args", schema: schemaOf(scope.params) });
  }
  for (const [name, type] of variables) environment.registerVariable(name, type);
  return environment;
}

type Schema = { [field: string]: string | Schema };

function schemaOf(params: NamedParam[]): Schema {
  return Object.fromEntries(
    params.map((param) => [
      param.name,
      param.type === "object" && param.properties !== undefined ? schemaOf(param.properties) : celType(param),
    ]),
  );
}

function celType(param: Param): string {
  switch (param.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "double";
    case "boolean":
      return "bool";
    case "object":
      return "map";
    case "list":
      return param.items === undefined ? "list" : `list<${celType(param.items)}>`;
  }
}

const typeNames: [RegExp, string][] = [
  [/google\.protobuf\.Timestamp/g, "timestamp"],
  [/google\.protobuf\.Duration/g, "duration"],
  [/\$args[\w.]*/g, "object"],
  [/\bmap(<[^<>]*>)?/g, "object"],
  [/\b(double|uint|int)\b/g, "number"],
  [/\bstring\b/g, "text"],
  [/\bbool\b/g, "true/false"],
  [/\bdyn\b/g, "any"],
];

/** The engine's type names in the words of the domain format. */
function typeName(type: string): string {
  return typeNames.reduce((text, [pattern, word]) => text.replace(pattern, word), type);
}

function asProblem(error: unknown, environment: Environment, source: string): CelProblem {
  if (error instanceof Problem) {
    const { message, offset, suggestion } = error;
    return suggestion === undefined ? { message, offset } : { message, offset, suggestion };
  }
  if (error instanceof CelError) return { message: error.message, offset: error.offset ?? 0 };
  if (!isEngineError(error)) throw error;
  return asProblem(translate(error, environment, source), environment, source);
}

/** The engine's complaint in plain words, with the nearest right name where one is unknown. */
function translate(error: EngineError, environment: Environment, source: string): Problem {
  const offset = error.range?.start ?? 0;
  const { variables, functions } = environment.getDefinitions();
  if (error.code === "unknown_variable") {
    const name = source.slice(offset, error.range?.end);
    return unknownName(
      "variable",
      name,
      offset,
      variables.filter((one) => one.type !== "type").map((one) => one.name),
    );
  }
  if (error.code === "no_matching_overload" && Array.isArray(error.node?.args)) {
    const name = String(error.node.args[0]);
    const known = functions.filter((one) => (one.receiverType === null) === (error.node?.op === "call"));
    if (!known.some((one) => one.name === name)) {
      return unknownName(
        "function",
        name,
        offset,
        known.map((one) => one.name),
      );
    }
    const wanted = known.filter((one) => one.name === name).map((one) => signature(one.name, one.params));
    const given = /\((.*)\)'$/.exec(error.summary)?.[1] ?? "";
    const forms = [...new Set(wanted)].slice(0, 3).join(" or ");
    return new Problem(`${name}() cannot take (${typeName(given)}); it is ${forms}`, offset);
  }
  if (error.code === "no_such_overload") {
    const operation = error.summary.replace(/^no such overload: /, "");
    return new Problem(`cannot compute ${typeName(operation)}`, offset);
  }
  return new Problem(typeName(error.summary.charAt(0).toLowerCase() + error.summary.slice(1)), offset);
}

function signature(name: string, params: { type: string }[]): string {
  return `${name}(${params.map((param) => typeName(param.type)).join(", ")})`;
}
