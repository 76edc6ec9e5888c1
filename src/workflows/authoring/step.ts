import type { Json } from "../../turn/json.ts";
import { defaultMaxRetries } from "../runtime/retry-policy.ts";
import { currentScope } from "../runtime/scope.ts";

/** A step's function, with how often it may be tried again. */
export interface StepFunction {
  name: string;
  maxRetries?: number;
}

/**
 * What a function that begins with `'use step'` becomes: in the body of a workflow its code runs once and its result is
 * kept; called from another step, or outside of a run, it is the plain function. `step.maxRetries` says how often it is
 * tried again, 3 times when it says nothing. Not for authors: the directive is.
 */
export async function runStep<Result>(
  step: StepFunction,
  name: string,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const scope = currentScope();
  if (scope?.kind !== "body") return run();
  const { maxRetries = defaultMaxRetries } = step;
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new Error(`${name}.maxRetries must be a whole number from 0 on`);
  // What comes back is what the function returned, as JSON.
  return (await scope.ops.step(name, maxRetries, run)) as Json as Result;
}
