import type { Environment } from "@marcbachmann/cel-js";
import type { Json } from "../../turn/json.ts";
import { amounts } from "../text/amounts.ts";
import { says } from "../text/says.ts";
import {
  asCelError,
  type CelHost,
  celEnvironment,
  type EngineError,
  isEngineError,
  parseCel,
  timestampType,
} from "./cel-environment.ts";
import { CelError } from "./cel-error.ts";
import { fromCel, toCel } from "./cel-values.ts";
import type { EvalContext } from "./context.ts";

export { type CelProblem, checkCel } from "./cel-check.ts";
export { CelError } from "./cel-error.ts";
export type { CelScope } from "./cel-names.ts";

/** Rows that the `rows` calls of one evaluation may go through together. */
const rowBudget = 1_000_000;

/**
 * Evaluates CEL against a context. Numbers come back as numbers, timestamps and durations as texts.
 * Compiles anew unless the context carries `programs`. Throws CelError with a one-line message.
 */
export function evaluateCel(source: string, ctx: EvalContext): Json {
  return (ctx.programs ?? new CelPrograms()).evaluate(source, ctx);
}

/**
 * Compiled expressions of one owner, such as a trial: each source is parsed once. Holds nothing of a context after an
 * evaluation. As large as the number of different expressions it is given.
 */
export class CelPrograms {
  private readonly environment: Environment;
  private readonly compiled = new Map<string, (variables: object) => unknown>();
  private evaluation: Evaluation | null = null;

  constructor() {
    const current = (): Evaluation => {
      if (this.evaluation === null) throw new CelError("no evaluation is under way");
      return this.evaluation;
    };
    this.environment = celEnvironment({
      row: (table, key) => current().row(table, key),
      rows: (table) => current().rows(table),
      says,
      amounts,
    });
    for (const [name, type] of variableTypes) this.environment.registerVariable(name, type);
  }

  /** As evaluateCel. */
  evaluate(source: string, ctx: EvalContext): Json {
    let run = this.compiled.get(source);
    if (run === undefined) {
      run = parseCel(this.environment, source).run;
      this.compiled.set(source, run);
    }
    const evaluation = new Evaluation(ctx);
    const outer = this.evaluation;
    this.evaluation = evaluation;
    try {
      const result = fromCel(run(evaluation.variables));
      evaluation.rethrow();
      return result;
    } catch (error) {
      evaluation.rethrow();
      throw evaluation.explain(error);
    } finally {
      this.evaluation = outer;
    }
  }
}

const variableTypes: [string, string][] = [
  ["args", "dyn"],
  ["tool", "string"],
  ["calls", "list"],
  ["messages", "list"],
  ["said", "string"],
  ["now", timestampType],
  ["reply", "string"],
  ["turn", "int"],
];

/** Whether the engine failed to read a field directly off a `row` call. */
function readsRow({ node }: EngineError): boolean {
  const of: unknown = Array.isArray(node?.args) ? node.args[0] : undefined;
  if (typeof of !== "object" || of === null || !("args" in of) || !Array.isArray(of.args)) return false;
  return "op" in of && of.op === "call" && of.args[0] === "row";
}

/** One evaluation: its variables, made when an expression asks for them, and what its functions saw. */
class Evaluation implements Pick<CelHost, "row" | "rows"> {
  readonly variables: object;
  private readonly ctx: EvalContext;
  private rowsLeft = rowBudget;
  private absent: { table: string; key: string } | null = null;
  /** What a read of the world or the context threw: no fault of the expression, and not the engine's to swallow. */
  private outside: { error: unknown } | null = null;

  constructor(ctx: EvalContext) {
    this.ctx = ctx;
    this.variables = this.lazy({
      args: () => toCel(ctx.args),
      tool: () => ctx.tool ?? "",
      calls: () =>
        ctx.conversation.calls.map(({ tool, args, ok, result, error, turn }) =>
          toCel({ tool, args, ok, result: result ?? null, error: error ?? null, turn }),
        ),
      messages: () =>
        ctx.conversation.messages.map(({ role, text, turn, act }) => ({
          role,
          text,
          turn,
          act: act ?? null,
        })),
      said: () => ctx.conversation.messages.findLast((message) => message.role === "caller")?.text ?? "",
      now: () => new Date(ctx.clock),
      reply: () => ctx.reply ?? "",
      turn: () => BigInt(ctx.conversation.messages.at(-1)?.turn ?? 0),
    });
  }

  row(table: string, key: string): unknown {
    const row = this.reading(() => this.ctx.world.get(table, key));
    if (row !== undefined) return toCel(row);
    this.absent = { table, key };
    return null;
  }

  rows(table: string): unknown[] {
    return this.reading(() => {
      const rows: unknown[] = [];
      for (const row of this.ctx.world.scan(table)) {
        if (--this.rowsLeft < 0) throw new CelError(`goes through more than ${rowBudget} rows`);
        rows.push(toCel(row));
      }
      return rows;
    });
  }

  /** Throws what a read threw, if one did. */
  rethrow(): void {
    if (this.outside !== null) throw this.outside.error;
  }

  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.outside ??= { error };
      throw error;
    }
  }

  /** An error of the engine in words for whoever wrote the expression. */
  explain(error: unknown): unknown {
    if (isEngineError(error) && error.code === "no_such_key") {
      if (this.absent !== null && readsRow(error)) {
        return new CelError(`${this.absent.table} has no row ${this.absent.key}`, error.range?.start);
      }
      return new CelError(
        error.summary.replace(/^No such key: (.*)$/, 'there is no "$1"'),
        error.range?.start,
      );
    }
    return asCelError(error);
  }

  /** An object whose properties are computed at most once, when read. */
  private lazy(makers: Record<string, () => unknown>): object {
    const made = new Map<string, unknown>();
    const object = {};
    for (const [name, make] of Object.entries(makers)) {
      Object.defineProperty(object, name, {
        get: () => {
          if (!made.has(name)) made.set(name, this.reading(make));
          return made.get(name);
        },
      });
    }
    return object;
  }
}
