import type { CallExpect } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { cut } from "../expr/show.ts";
import { type ResolvedWhere, resolveWhere } from "../expr/where.ts";
import type { Reason } from "../report/results.ts";
import {
  describeArguments,
  describeValues,
  describeWhere,
  failedTests,
  type ResolvedTest,
} from "./describe.ts";
import type { Placed } from "./read-transcript.ts";

type Call = Placed["calls"][number];

/** A call held against an expectation whose values are known for it. */
interface Candidate {
  call: Call;
  failed: ResolvedTest[];
  /** The call succeeded where it should have failed, or the other way round. */
  wrongOutcome: boolean;
}

/**
 * Why a trial's calls do not meet an expected call, with the call that came closest; `null` when they do.
 * Throws CelError when the expectation's CEL cannot be evaluated.
 */
export function gradeCalled(expected: CallExpect, calls: Call[], ctx: EvalContext): Reason | null {
  const { tool, times } = expected;
  const candidates = candidatesOf(expected, calls, ctx);
  const counted = candidates.filter(meets);
  if (times === undefined ? counted.length > 0 : counted.length === times) return null;
  const wanted = describeCall(expected, ctx);
  if (counted.length > 0) {
    const message = `${wanted} was expected ${often(times ?? 1)} and was made ${often(counted.length)}`;
    return { kind: "called", message, ...at(counted.at(-1)) };
  }
  const missing = `no ${wanted}${times === undefined ? "" : `, expected ${often(times)}`}`;
  const closest = closestOf(candidates);
  if (closest !== undefined)
    return { kind: "called", message: `${missing}; closest: ${describeMiss(closest)}`, ...at(closest) };
  const plain = expected.args === undefined && expected.ok !== false && times === undefined;
  return {
    kind: "called",
    message: plain ? `${tool} was never called` : `${missing}; ${tool} was never called`,
  };
}

/**
 * Why a trial's calls break an expectation that a call is not made, pointing at the first; `null` when none does.
 * Throws CelError when the expectation's CEL cannot be evaluated.
 */
export function gradeNotCalled(expected: CallExpect, calls: Call[], ctx: EvalContext): Reason | null {
  const counted = candidatesOf(expected, calls, ctx).filter(meets);
  // With `times`, that many calls are too many and fewer are not.
  const first = counted[(expected.times ?? 1) - 1];
  if (first === undefined) return null;
  const { tool, args, ok } = expected;
  const { call } = first;
  const made = describeMade(tool, describeArguments(call.args));
  const failed = call.ok ? "" : `, which failed: ${cut(call.error ?? "no error text")}`;
  const repeated = counted.length > 1 ? `; ${counted.length} such calls` : "";
  const allowed =
    args === undefined && ok === undefined
      ? `${tool} must not be called`
      : `expected no ${describeCall(expected, ctx)}`;
  return { kind: "not_called", message: `${allowed}; called: ${made}${failed}${repeated}`, ...at(first) };
}

function candidatesOf({ tool, args, ok }: CallExpect, calls: Call[], ctx: EvalContext): Candidate[] {
  return calls
    .filter((call) => call.tool === tool)
    .map((call) => ({
      call,
      failed: args === undefined ? [] : failedTests(call.args, resolveFor(call, args, ctx)),
      wrongOutcome: ok !== undefined && call.ok !== ok,
    }));
}

function resolveFor(call: Call, args: NonNullable<CallExpect["args"]>, ctx: EvalContext): ResolvedWhere {
  return resolveWhere(args, { ...ctx, args: call.args });
}

function meets({ failed, wrongOutcome }: Candidate): boolean {
  return failed.length === 0 && !wrongOutcome;
}

/**
 * The one with the fewest failed tests, then the one with the right outcome; the first of equals. A call with the right
 * arguments that failed says more than one that succeeded with others.
 */
function closestOf(candidates: Candidate[]): Candidate | undefined {
  const distance = ({ failed, wrongOutcome }: Candidate) => failed.length + (wrongOutcome ? 0.5 : 0);
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best === undefined || distance(one) < distance(best) ? one : best),
    undefined,
  );
}

function describeMiss({ call, failed, wrongOutcome }: Candidate): string {
  const values = failed.length > 0 ? describeValues(call.args, failed) : describeArguments(call.args);
  const made = describeMade(call.tool, values);
  if (!wrongOutcome) return made;
  return call.ok
    ? `${made}, which succeeded`
    : `${made}, which failed: ${cut(call.error ?? "no error text")}`;
}

function describeMade(tool: string, values: string): string {
  return values === "" ? tool : `${tool} ${values}`;
}

function describeCall({ tool, args, ok }: CallExpect, ctx: EvalContext): string {
  const outcome = ok === undefined ? "" : ok ? "successful " : "failed ";
  return `${outcome}${tool}${args === undefined ? "" : ` with ${describeWhere(resolveWhere(args, ctx))}`}`;
}

function often(times: number): string {
  return times === 1 ? "once" : times === 2 ? "twice" : `${times} times`;
}

function at(candidate: Candidate | undefined): { entry?: number } {
  return candidate === undefined ? {} : { entry: candidate.call.entry };
}
