import type { JsonObject } from "../../turn/json.ts";
import type { Rule } from "../domain/types.ts";
import { CelError } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import type { RuleOutcome } from "../report/results.ts";
import { checkBound } from "./bound.ts";
import type { Call } from "./call.ts";
import { checkCondition } from "./condition.ts";
import { checkConfirmed } from "./confirmed.ts";
import { guards } from "./guards.ts";
import { checkLimit } from "./limit.ts";
import { checkRequires } from "./requires.ts";
import { type RuleVerdict, unchecked } from "./verdict.ts";

/**
 * Checks a call before it runs against every rule that applies to it, in the order of the rules. `ctx.conversation` is
 * everything before the call. Rules that do not apply are not listed; one that cannot be evaluated is `unchecked`.
 */
export function checkCall(
  rules: Rule[],
  call: { tool: string; args: JsonObject },
  ctx: EvalContext,
): RuleOutcome[] {
  const inside: EvalContext = { ...ctx, tool: call.tool, args: call.args };
  return rules.flatMap((rule) => {
    const verdict = checkRule(rule, call, inside);
    return verdict === null ? [] : [{ rule: rule.id, ...verdict }];
  });
}

function checkRule(rule: Rule, call: Call, ctx: EvalContext): RuleVerdict | null {
  try {
    return guards(rule, call, ctx) ? checkForm(rule, call, ctx) : null;
  } catch (error) {
    if (error instanceof CelError) return unchecked(`could not be evaluated: ${error.message}`);
    throw error;
  }
}

function checkForm(rule: Rule, call: Call, ctx: EvalContext): RuleVerdict | null {
  switch (rule.kind) {
    case "requires":
      return checkRequires(rule, call, ctx);
    case "bound":
      return checkBound(rule, call, ctx);
    case "check":
      return checkCondition(rule, call, ctx);
    case "limit":
      return checkLimit(rule, call, ctx);
    case "confirmed":
      return checkConfirmed(rule, call, ctx);
    case "never_disclose":
      return null;
  }
}
