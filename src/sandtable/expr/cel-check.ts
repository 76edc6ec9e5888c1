import type { Environment } from "@marcbachmann/cel-js";
import type { NamedParam, Param } from "../domain/types.ts";
import {
  asCelError,
  celEnvironment,
  type EngineError,
  isEngineError,
  parseCel,
  timestampType,
} from "./cel-environment.ts";
import { CelError } from "./cel-error.ts";
import { type CelScope, NameCheck, Problem, unknownName } from "./cel-names.ts";

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
