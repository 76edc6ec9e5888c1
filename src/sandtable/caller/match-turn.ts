import type { AgentTurnTest, CallExpect, FieldTest } from "../domain/types.ts";
import { evaluateCel } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import { matches } from "../expr/where.ts";
import { offeredAmounts } from "../text/offered-amounts.ts";
import { says } from "../text/says.ts";
import type { CallRecord } from "../trial/conversation.ts";
import type { AgentTurn } from "./caller.ts";

/**
 * Whether any of `tests` holds for the agent's turn (none: always), and the amount `{offer}` then stands for: the last
 * one that the test's `offered` accepts, else the last one offered, else `earlier`. An amount the agent names to refuse
 * it is no offer.
 * Throws CelError when a test's CEL cannot be evaluated.
 */
export function matchTurn(
  tests: AgentTurnTest[],
  turn: AgentTurn,
  ctx: EvalContext,
  earlier: number | null,
): { matched: boolean; offer: number | null } {
  const offered = offeredAmounts(turn.reply);
  const last = offered.at(-1) ?? earlier;
  if (tests.length === 0) return { matched: true, offer: last };
  for (const test of tests) {
    const accepted = passing(offered, test.offered, ctx);
    if (accepted !== null && accepted.length === 0) continue;
    if (holds(test, turn, ctx)) return { matched: true, offer: accepted?.at(-1) ?? last };
  }
  return { matched: false, offer: last };
}

/** The amounts that pass; `null` when the test does not ask for any. */
function passing(amounts: number[], test: true | FieldTest[] | undefined, ctx: EvalContext): number[] | null {
  if (test === undefined) return null;
  return test === true ? amounts : amounts.filter((amount) => matches(amount, [test], ctx));
}

function holds(test: AgentTurnTest, { reply, calls }: AgentTurn, ctx: EvalContext): boolean {
  if (test.said?.every((text) => !says(reply, text))) return false;
  if (test.notSaid?.some((text) => says(reply, text))) return false;
  if (test.asked !== undefined && !asks(reply, test.asked)) return false;
  if (test.called !== undefined && !test.called.some((expected) => wasCalled(expected, calls, ctx)))
    return false;
  return test.cel === undefined || evaluateCel(test.cel, { ...ctx, reply }) === true;
}

function wasCalled(expected: CallExpect, calls: CallRecord[], ctx: EvalContext): boolean {
  const { tool, ok, args, times } = expected;
  const count = calls.filter(
    (call) =>
      call.tool === tool &&
      (ok === undefined || call.ok === ok) &&
      (args === undefined || matches(call.args, args, { ...ctx, args: call.args })),
  ).length;
  return times === undefined ? count > 0 : count === times;
}

function asks(reply: string, asked: true | string[]): boolean {
  const questions = reply.split(sentenceEnd).filter((sentence) => questionMark.test(sentence));
  return questions.some((question) => asked === true || asked.some((text) => says(question, text)));
}

/** Behind a sentence's closing mark and before the next one; a mark inside a number or a name ends nothing. */
const sentenceEnd = /(?<=[.!?？。])\s+|\n+/u;
const questionMark = /[?？؟]["'”’)\]]*\s*$/u;
