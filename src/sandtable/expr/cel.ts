import type { Environment } from "@marcbachmann/cel-js";
import type { Json } from "../../turn/json.ts";
import { celEnvironment, parseCel, timestampType } from "./cel-environment.ts";
import { CelError } from "./cel-error.ts";
import { Evaluation } from "./cel-evaluation.ts";
import { registerMeter } from "./cel-meter.ts";
import { fromCel } from "./cel-values.ts";
import type { EvalContext } from "./context.ts";

export { type CelProblem, checkCel } from "./cel-check.ts";
export { CelError } from "./cel-error.ts";
export type { CelScope } from "./cel-names.ts";

/**
 * Evaluates CEL against a context. Numbers come back as numbers, timestamps and durations as texts.
 * Compiles anew unless the context carries `programs`. Throws CelError with a one-line message,
 * also for an evaluation that takes more than 20 million steps.
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
      says: (text, phrase) => current().says(text, phrase),
      amounts: (text) => current().amounts(text),
    });
    registerMeter(this.environment, { spend: (steps) => current().spend(steps) });
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
