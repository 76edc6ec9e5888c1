import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import type { Json } from "../../turn/json.ts";
import { boundVariable, childrenOf } from "./cel-ast.ts";
import { CelError } from "./cel-error.ts";
import { metered } from "./cel-meter.ts";
import { timestampText } from "./cel-values.ts";

/** What the functions of an expression reach for. */
export interface CelHost {
  row(table: string, key: string): unknown;
  rows(table: string): unknown[];
  says(text: string, phrase: string): boolean;
  amounts(text: string): number[];
}

export const timestampType = "google.protobuf.Timestamp";

/** Bounds of one expression; far above what a rule needs. */
const limits = {
  /** Characters of source. */
  source: 4000,
  /** Comprehensions (`all`, `exists`, `map`, ...) inside one another. */
  nesting: 3,
  /** Comprehensions altogether. */
  comprehensions: 16,
} as const;

/**
 * A CEL environment with the domain's functions and without its variables. Numbers of JSON are CEL doubles and whole
 * literals are CEL ints, which plain CEL refuses to mix; here they mix, as whoever writes a rule expects.
 */
export function celEnvironment(host: CelHost): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: 1000,
      maxDepth: 50,
      maxListElements: 200,
      maxMapEntries: 200,
      maxCallArguments: 8,
    },
  });
  for (const [operator, compute] of arithmetic) {
    environment.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) =>
      compute(a, Number(b)),
    );
    environment.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) =>
      compute(Number(a), b),
    );
  }
  environment.registerOperator("double % double: double", (a: number, b: number) => a % b);
  environment.registerOperator("double == int", (a: number, b: bigint) => a === Number(b));
  const sync = { async: false };
  environment.registerFunction(
    "row(string, dyn): dyn",
    (table: string, key: unknown) => host.row(table, rowKey(key)),
    sync,
  );
  environment.registerFunction("rows(string): list", (table: string) => host.rows(table), sync);
  environment.registerFunction(
    "has_row(string, dyn): bool",
    (table: string, key: unknown) => host.row(table, rowKey(key)) !== null,
    sync,
  );
  environment.registerFunction(
    "says(string, string): bool",
    (text: string, phrase: string) => host.says(text, phrase),
    sync,
  );
  environment.registerFunction("amounts(string): list<double>", (text: string) => host.amounts(text), sync);
  environment.registerFunction(`string(${timestampType}): string`, (at: Date) => timestampText(at), sync);
  return environment;
}

const arithmetic: [string, (a: number, b: number) => number][] = [
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
  ["%", (a, b) => a % b],
];

/** Keys are texts; a number is taken for its digits. */
function rowKey(key: unknown): string {
  if (typeof key === "string") return key;
  if (typeof key === "number" || typeof key === "bigint") return String(key);
  throw new CelError("the key of a row must be text");
}

/**
 * Refuses what could run away: `matches` (its regular expressions backtrack), `cel.bind` (it doubles texts and lists
 * cheaply), comprehensions nested too deep and too many of them. Throws CelError.
 */
function refuseRunaway(ast: ASTNode): void {
  let comprehensions = 0;
  const visit = (node: ASTNode, depth: number): void => {
    if (node.op === "rcall") {
      if (node.args[0] === "matches") {
        const others = "contains(), startsWith(), endsWith() or says()";
        throw new CelError(`matches() is not available; use ${others}`, node.start);
      }
      if (node.args[0] === "bind" && node.args[1].op === "id" && node.args[1].args === "cel") {
        throw new CelError("cel.bind() is not available; write the value out", node.start);
      }
    }
    let inner = depth;
    if (boundVariable(node) !== null) {
      inner += 1;
      comprehensions += 1;
      const what = "of all(), exists(), exists_one(), filter() and map()";
      if (inner > limits.nesting)
        throw new CelError(`more than ${limits.nesting} ${what} inside one another`, node.start);
      if (comprehensions > limits.comprehensions) {
        throw new CelError(`more than ${limits.comprehensions} ${what}`, node.start);
      }
    }
    // What a comprehension goes through is evaluated once, what is inside it once for each element.
    const [first, ...rest] = childrenOf(node);
    if (first !== undefined) visit(first, depth);
    for (const child of rest) visit(child, inner);
  };
  visit(ast, 0);
}

/** Parses; throws CelError with a place. `run` is metered: see cel-meter.ts. */
export function parseCel(
  environment: Environment,
  source: string,
): { run: (variables: object) => unknown; ast: ASTNode } {
  if (source.length > limits.source) throw new CelError(`longer than ${limits.source} characters`);
  try {
    const { ast } = environment.parse(source);
    refuseRunaway(ast);
    const program = environment.parse(metered(source, ast));
    return { run: (variables) => program(variables), ast };
  } catch (error) {
    throw asCelError(error);
  }
}

/** What the engine threw as a CelError; its few plain errors too, such as two operators that both fit. */
export function asCelError(error: unknown): CelError {
  if (error instanceof CelError) return error;
  if (isEngineError(error)) return new CelError(plainWords(error.summary), error.range?.start);
  if (error instanceof RangeError) return new CelError("grows too large");
  return new CelError(plainWords(error instanceof Error ? error.message : String(error)));
}

/** One of the CEL engine's errors, which carry more than their message. */
export interface EngineError extends Error {
  code: string;
  summary: string;
  range?: { start: number; end: number };
  node?: { op?: string; args?: Json | unknown };
}

export function isEngineError(error: unknown): error is EngineError {
  return error instanceof Error && "summary" in error && typeof error.summary === "string" && "code" in error;
}

/** The engine's message as part of a sentence, on one line. */
function plainWords(summary: string): string {
  if (summary === "Unexpected token: EOF") return "the expression ends too early";
  const line = summary.split("\n", 1)[0] ?? summary;
  return line.charAt(0).toLowerCase() + line.slice(1);
}
