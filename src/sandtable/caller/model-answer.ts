import type { Completion, ModelToolCall } from "../../models/complete.ts";
import type { CallerMove } from "./caller.ts";
import { cutText } from "./model-text.ts";

/** Longest line a model-played caller says, in characters; the rest is cut with a mark. */
const maxSpokenChars = 2_000;

/** What an answer of the caller's model comes to. `why` tells the model what was wrong with it. */
export type CallerAnswer = { move: CallerMove } | { move: null; why: string };

/**
 * Reads what the model did. `say` speaks, several are one line; `hang_up` ends the call; text without a tool call
 * counts as said. Anything else (nothing at all, reasoning only, arguments that cannot be read, a provider's refusal)
 * is no move. Words never end the call, whatever they are. `canHangUp` is false for the first line of a call.
 */
export function readAnswer(answer: Completion, canHangUp: boolean): CallerAnswer {
  if (answer.finishReason.unified === "content-filter") return { move: null, why: "That was not said." };
  const lines: string[] = [];
  let hangUp = false;
  let unreadable = false;
  for (const call of answer.toolCalls) {
    if (call.name !== "say" && call.name !== "hang_up") continue;
    const line = readLine(call);
    if (line === null) unreadable = true;
    else if (line !== "") lines.push(line);
    if (call.name === "hang_up") hangUp = true;
  }
  if (unreadable) return { move: null, why: "Your tool call could not be read." };
  if (hangUp && !canHangUp) return { move: null, why: "The call has only begun." };
  if (lines.length === 0 && !hangUp && answer.toolCalls.length === 0) {
    if (/^\s*(say|hang_up)\s*\(|<\/?(tool_call|function)/.test(answer.text)) {
      return { move: null, why: "You wrote a tool call as text." };
    }
    const line = spoken(answer.text);
    if (line !== "") lines.push(line);
  }
  const text = lines.length === 0 ? null : cutText(lines.join(" "), maxSpokenChars);
  if (hangUp) return { move: { say: text, act: "hang_up", hangUp: true, endedBy: "caller_hung_up" } };
  if (text !== null) return { move: { say: text, act: "continue", hangUp: false } };
  return { move: null, why: "You said nothing." };
}

/** The words of a call; "" when it has none; `null` when its arguments are not what the tool takes. */
function readLine({ name, arguments: args }: ModelToolCall): string | null {
  if (args === null) return null;
  const text = args.text ?? (name === "hang_up" ? "" : undefined);
  return typeof text === "string" ? spoken(text) : null;
}

/**
 * What a person on a phone would hear: without thoughts that a server left in the text, without a speaker's label,
 * and without lines that the model wrote for the agent.
 */
function spoken(text: string): string {
  return text
    .replace(/^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/, "")
    .replace(/^\s*(?:caller|me)\s*:\s*/i, "")
    .replace(/\n\s*(?:agent|assistant)\s*:[\s\S]*$/i, "")
    .trim();
}
