import type { AgentTurnTest, CallerLine, ScriptedCaller } from "../domain/types.ts";

/**
 * What of a scripted caller can never be said because a line before it always is, one message for each line, in order.
 * Lines are counted from 1.
 */
export function unreachableLines(caller: ScriptedCaller): string[] {
  const blocking = caller.replies.findIndex(alwaysSaid);
  if (blocking < 0) return [];
  const because = `line ${blocking + 1} of replies has no condition and no limit`;
  const lines = caller.replies
    .slice(blocking + 1)
    .map((_, i) => `line ${blocking + i + 2} of the caller's replies is never said: ${because}`);
  if (caller.fallback !== undefined) lines.push(`the caller's fallback is never said: ${because}`);
  return lines;
}

function alwaysSaid(line: CallerLine): boolean {
  if (line.times !== undefined) return false;
  // A line whose every wording names the agent's offer waits for one.
  if (line.say.length > 0 && line.say.every((text) => text.includes("{offer}"))) return false;
  return line.when.length === 0 || line.when.some(isEmpty);
}

function isEmpty(test: AgentTurnTest): boolean {
  return Object.values(test).every((part) => part === undefined);
}
