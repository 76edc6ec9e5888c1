import type { JsonObject } from "../../turn/json.ts";
import type { Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { deepEqual } from "../expr/equal.ts";
import { getPath } from "../expr/path.ts";
import { explainResolved, matchesResolved, type ResolvedWhere, resolveWhere } from "../expr/where.ts";
import type { CallRecord } from "../trial/conversation.ts";
import { argumentsAt, type Call, describeCall, joinWords } from "./call.ts";
import { broken, kept, type RuleVerdict, unchecked } from "./verdict.ts";

type Requires = Rule & { kind: "requires" };

/**
 * An earlier successful call of one of the rule's tools, whose joined arguments are equal and whose arguments and
 * result meet the rule's conditions. When there is none the message tells what the nearest one lacked.
 */
export function checkRequires(rule: Requires, call: Call, ctx: EvalContext): RuleVerdict {
  const paths = rule.same.map((join) => join.argument);
  const joined = argumentsAt(call.args, paths);
  const what = describeCall(call.tool, joined);
  const evidence: JsonObject = { requires: rule.tools, ...(rule.same.length > 0 && { arguments: joined }) };
  const attempts = ctx.conversation.calls.filter((earlier) => rule.tools.includes(earlier.tool));
  const successful = attempts.filter((earlier) => earlier.ok);

  const same = successful.filter((earlier) =>
    rule.same.every(({ argument, earlier: path }) => {
      const [mine, theirs] = [getPath(call.args, argument), getPath(earlier.args, path)];
      return mine === undefined || theirs === undefined ? mine === theirs : deepEqual(mine, theirs);
    }),
  );
  const conditions: Conditions = {
    args: rule.args === undefined ? null : resolveWhere(rule.args, ctx),
    result: rule.result === undefined ? null : resolveWhere(rule.result, ctx),
  };
  if (same.some((earlier) => lacking(earlier, conditions) === "")) return kept;

  const nearest = same.at(-1);
  if (nearest !== undefined) {
    const lack = lacking(nearest, conditions);
    return broken(`${what} after a ${nearest.tool} that does not qualify: ${lack}`, {
      ...evidence,
      nearest: nearest.index,
      lack,
    });
  }
  const absent = rule.same.find(({ argument }) => getPath(call.args, argument) === undefined);
  if (absent !== undefined && successful.length > 0) {
    return unchecked(
      `${call.tool} has no ${absent.argument.join(".")} to compare with the earlier calls`,
      evidence,
    );
  }
  const wanted = joinWords(rule.tools, "or");
  const names = joinWords(Object.keys(joined), "and");
  const forSame = names === "" ? "" : ` for the same ${names}`;
  return broken(
    `${what} without an earlier successful ${wanted}${forSame}${tried(rule, attempts, successful)}`,
    evidence,
  );
}

interface Conditions {
  args: ResolvedWhere | null;
  result: ResolvedWhere | null;
}

/** How an earlier call misses the rule's conditions; empty when it meets them. */
function lacking(earlier: CallRecord, { args, result }: Conditions): string {
  if (args !== null && !matchesResolved(earlier.args, args)) return explainResolved(earlier.args, args);
  const got = earlier.result ?? null;
  return result !== null && !matchesResolved(got, result) ? explainResolved(got, result) : "";
}

/** What the agent did instead, for a message that has no match to tell of. */
function tried(rule: Requires, attempts: CallRecord[], successful: CallRecord[]): string {
  const other = successful.at(-1);
  if (other !== undefined) {
    const values = argumentsAt(
      other.args,
      rule.same.map((join) => join.earlier),
    );
    return ` (the last was ${describeCall(other.tool, values)})`;
  }
  const failed = attempts.at(-1);
  return failed === undefined ? "" : ` (${failed.tool} had failed)`;
}
