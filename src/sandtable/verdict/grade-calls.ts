import type { CallExpect } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { matches } from "../expr/where.ts";
import type { Reason } from "../report/results.ts";
import { describeValues, describeWhere, failedTests, show } from "./describe.ts";
import type { Placed } from "./read-transcript.ts";

type Call = Placed["calls"][number];

/** Why a trial's calls do not meet an expected call, with the call that came closest; `null` when they do. */
export function gradeCalled(expected: CallExpect, calls: Call[], ctx: EvalContext): Reason | null {
  const { tool, times } = expected;
  const counted = calls.filter((call) => counts(expected, call, ctx));
  if (times === undefined ? counted.length > 0 : counted.length === times) return null;
  const wanted = describeCall(expected, ctx);
  if (counted.length > 0 && times !== undefined) {
    const message = `${wanted} was expected ${often(times)} and was made ${often(counted.length)}`;
    return { kind: "called", message, ...at(counted.at(-1)) };
  }
  const missing = times === undefined ? `no ${wanted}` : `no ${wanted}, expected ${often(times)}`;
  const closest = closestCall(expected, calls, ctx);
  if (closest === undefined) {
    const plain = expected.args === undefined && expected.ok !== false && times === undefined;
    return {
      kind: "called",
      message: plain ? `${tool} was never called` : `${missing}; ${tool} was never called`,
    };
  }
  return {
    kind: "called",
    message: `${missing}; closest: ${describeMiss(expected, closest, ctx)}`,
    ...at(closest),
  };
}

/** Why a trial's calls break an expectation that a call is not made; `null` when none does. */
export function gradeNotCalled(expected: CallExpect, calls: Call[], ctx: EvalContext): Reason | null {
  const counted = calls.filter((call) => counts(expected, call, ctx));
  const first = counted[(expected.times ?? 1) - 1];
  if (first === undefined) return null;
  const { tool, args, ok } = expected;
  const made = args === undefined ? tool : `${tool} ${describeValues(first.args, args.flat())}`;
  const how = first.ok ? "" : `, and failed: ${first.error ?? "no error text"}`;
  const often_ = counted.length > 1 ? ` ${often(counted.length)}` : "";
  const rule =
    args === undefined && ok === undefined ? "" : ` (no ${describeCall(expected, ctx)} is allowed)`;
  return { kind: "not_called", message: `${made} was called${often_}${how}${rule}`, ...at(first) };
}

function counts({ tool, args, ok }: CallExpect, call: Call, ctx: EvalContext): boolean {
  if (call.tool !== tool || (ok !== undefined && call.ok !== ok)) return false;
  return args === undefined || matches(call.args, args, { ...ctx, args: call.args });
}

/** The call of the tool with the fewest failed tests, an unwanted outcome being one; the first of equals. */
function closestCall(expected: CallExpect, calls: Call[], ctx: EvalContext): Call | undefined {
  let best: { call: Call; distance: number } | undefined;
  for (const call of calls) {
    if (call.tool !== expected.tool) continue;
    const wrongOutcome = expected.ok !== undefined && call.ok !== expected.ok ? 1 : 0;
    const distance = missedTests(expected, call, ctx).length + wrongOutcome;
    if (best === undefined || distance < best.distance) best = { call, distance };
  }
  return best?.call;
}

function missedTests({ args }: CallExpect, call: Call, ctx: EvalContext) {
  return args === undefined ? [] : failedTests(call.args, args, { ...ctx, args: call.args });
}

function describeMiss(expected: CallExpect, call: Call, ctx: EvalContext): string {
  const values = describeValues(call.args, missedTests(expected, call, ctx));
  const made = values === "" ? `${call.tool}${argumentsOf(call)}` : `${call.tool} ${values}`;
  if (expected.ok === undefined || call.ok === expected.ok) return made;
  return call.ok ? `${made}, which succeeded` : `${made}, which failed: ${call.error ?? "no error text"}`;
}

function argumentsOf({ args }: Call): string {
  const pairs = Object.entries(args).map(([name, value]) => ` ${name} ${show(value)}`);
  return pairs.join(",");
}

function describeCall({ tool, args, ok }: CallExpect, ctx: EvalContext): string {
  const outcome = ok === undefined ? "" : ok ? "successful " : "failed ";
  return `${outcome}${tool}${args === undefined ? "" : ` with ${describeWhere(args, ctx)}`}`;
}

function often(times: number): string {
  return times === 1 ? "once" : times === 2 ? "twice" : `${times} times`;
}

function at(call: Call | undefined): { entry?: number } {
  return call === undefined ? {} : { entry: call.entry };
}
