import type { Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { matches } from "../expr/where.ts";
import type { Call } from "./call.ts";

/** Whether a rule guards a call: by its tool, and by `when` over the arguments. Throws CelError. */
export function guards(rule: Rule, call: Call, ctx: EvalContext): boolean {
  if (rule.kind === "never_disclose") return false;
  if (rule.on !== null && !rule.on.includes(call.tool)) return false;
  return rule.when === undefined || matches(call.args, rule.when, ctx);
}
