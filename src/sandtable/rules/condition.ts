import type { Rule } from "../domain/types.ts";
import { evaluateCel } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import { cut } from "../expr/show.ts";
import { type Call, describeCall } from "./call.ts";
import { broken, kept, type RuleVerdict, unchecked } from "./verdict.ts";

/** CEL that is true when the rule is kept; a breach leads with the rule's description. Throws CelError. */
export function checkCondition(rule: Rule & { kind: "check" }, call: Call, ctx: EvalContext): RuleVerdict {
  const result = evaluateCel(rule.cel, ctx);
  if (result === true) return kept;
  if (result !== false) return unchecked("the condition is neither true nor false");
  const what = cut(describeCall(call.tool, call.args), 200);
  // A person reads the rule's own words; the expression is in the evidence.
  const message =
    rule.description === undefined
      ? `${what} does not meet: ${rule.cel.trim()}`
      : `${rule.description.trim().replace(/\.$/, "")}: not kept by ${what}`;
  return broken(message, {
    condition: rule.cel.trim(),
    arguments: call.args,
  });
}
