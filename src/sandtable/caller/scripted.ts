import type { CallerLine, ScriptedCaller } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import type { AgentTurn, CallerMove, ScriptedState } from "./caller.ts";
import { matchTurn } from "./match-turn.ts";
import { fillOffer, sayable } from "./offer.ts";

type Random = () => number;

/** A scripted caller's first line, one of `opens`, and the state it starts from. `random` gives numbers in [0,1). */
export function openScripted(
  caller: ScriptedCaller,
  random: Random,
): { move: CallerMove; state: ScriptedState } {
  return {
    move: { say: choose(caller.opens, random) ?? "", act: "continue", hangUp: false },
    state: { used: [...caller.replies.map(() => 0), 0], patience: caller.patience, offer: null },
  };
}

/**
 * What a scripted caller says to the agent's last turn: the first line that matches and is not used up, else the
 * fallback, else it hangs up. Insisting, refusing and falling back each use one patience; with none left it gives up.
 * The same caller, state, turn, context and random numbers give the same move; `state` is not changed.
 * Throws CelError when a line's CEL cannot be evaluated.
 */
export function nextScripted(
  caller: ScriptedCaller,
  state: ScriptedState,
  turn: AgentTurn,
  ctx: EvalContext,
  random: Random,
): { move: CallerMove; state: ScriptedState } {
  const { line, position, offer } = pickLine(caller, state, turn, ctx);
  const heard = { ...state, offer };
  if (line === undefined) return { move: hangUp(null, "caller_hung_up"), state: heard };

  const losesPatience = position === caller.replies.length || line.act === "insist" || line.act === "refuse";
  if (losesPatience && line.act !== "hang_up") {
    if (state.patience <= 0) {
      const lastWords = choose(sayable(caller.givesUp, offer), random);
      return { move: hangUp(fill(lastWords, offer), "patience"), state: heard };
    }
    heard.patience = state.patience - 1;
  }
  heard.used = state.used.with(position, (state.used[position] ?? 0) + 1);
  const say = fill(choose(sayable(line.say, offer), random), offer);
  if (line.act === "hang_up") return { move: hangUp(say, "caller_hung_up"), state: heard };
  // A line without words is a caller who stays silent: the agent still gets its turn.
  return { move: { say: say ?? "", act: line.act, hangUp: false }, state: heard };
}

function pickLine(caller: ScriptedCaller, state: ScriptedState, turn: AgentTurn, ctx: EvalContext) {
  const heard = matchTurn([], turn, ctx, state.offer);
  const usable = (line: CallerLine, position: number) =>
    line.times === undefined || (state.used[position] ?? 0) < line.times;
  for (const [position, line] of caller.replies.entries()) {
    if (!usable(line, position)) continue;
    const { matched, offer } = matchTurn(line.when, turn, ctx, state.offer);
    if (matched && canSay(line, offer)) return { line, position, offer };
  }
  const position = caller.replies.length;
  const { fallback } = caller;
  if (fallback !== undefined && usable(fallback, position) && canSay(fallback, heard.offer))
    return { line: fallback, position, offer: heard.offer };
  return { line: undefined, position, offer: heard.offer };
}

/** A line whose every wording needs `{offer}` cannot be said before the agent has named an amount. */
function canSay(line: CallerLine, offer: number | null): boolean {
  return line.say.length === 0 || sayable(line.say, offer).length > 0;
}

function fill(text: string | undefined, offer: number | null): string | null {
  return text === undefined ? null : fillOffer(text, offer);
}

function hangUp(say: string | null, endedBy: "caller_hung_up" | "patience"): CallerMove {
  return { say, act: "hang_up", hangUp: true, endedBy };
}

/** Draws a number only when there is something to choose, so that a second wording does not shift later draws. */
function choose(texts: string[], random: Random): string | undefined {
  return texts.length < 2 ? texts[0] : texts[Math.floor(random() * texts.length)];
}
