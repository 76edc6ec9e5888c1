import type { Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { deepEqual } from "../expr/equal.ts";
import { argumentsAt, type Call, describeCall } from "./call.ts";
import { guards } from "./guards.ts";
import { broken, kept, type RuleVerdict } from "./verdict.ts";

/**
 * At most so many calls of the tools the rule guards, this one included, apart for each value of `per`. Of earlier
 * calls those count that the rule applies to and, when it counts successful ones, that succeeded. Throws CelError.
 */
export function checkLimit(rule: Rule & { kind: "limit" }, call: Call, ctx: EvalContext): RuleVerdict {
  const mine = argumentsAt(call.args, rule.per);
  const earlier = ctx.conversation.calls.filter(
    (one) =>
      (one.ok || rule.counting === "all") &&
      deepEqual(argumentsAt(one.args, rule.per), mine) &&
      guards(rule, one, { ...ctx, args: one.args, tool: one.tool }),
  );
  if (earlier.length < rule.times) return kept;
  const counted = rule.counting === "all" ? "" : " successful";
  const before = `${earlier.length}${counted} call${earlier.length === 1 ? "" : "s"}`;
  return broken(`${describeCall(call.tool, mine)} after ${before}; at most ${rule.times} allowed`, {
    times: rule.times,
    earlier: earlier.map((one) => one.index),
    arguments: mine,
  });
}
