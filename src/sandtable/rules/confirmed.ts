import type { Json } from "../../turn/json.ts";
import type { Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { getPath } from "../expr/path.ts";
import { cut, show } from "../expr/show.ts";
import { affirms } from "../text/affirms.ts";
import { says } from "../text/says.ts";
import { statesNumber } from "../text/states-number.ts";
import type { Message } from "../trial/conversation.ts";
import { type Call, joinWords } from "./call.ts";
import { broken, kept, type RuleVerdict } from "./verdict.ts";

/**
 * The caller's last line is a yes, and what the agent said just before it states every value of `states`.
 * A scripted caller's act decides where it means yes or no; otherwise the words do. Arguments the call left out need
 * not be stated.
 */
export function checkConfirmed(
  rule: Rule & { kind: "confirmed" },
  call: Call,
  ctx: EvalContext,
): RuleVerdict {
  const { messages } = ctx.conversation;
  const at = messages.findLastIndex((message) => message.role === "caller");
  const last = messages[at];
  if (last === undefined) return broken(`${call.tool} before the caller said anything`, {});
  const heard = cut(last.text);
  if (!isYes(last, rule.words)) {
    return broken(`${call.tool} without the caller's yes; the caller last said ${JSON.stringify(heard)}`, {
      caller: heard,
    });
  }
  const before = messages.slice(0, at);
  const previous = before.findLastIndex((message) => message.role === "caller");
  const proposal = before
    .slice(previous + 1)
    .map((message) => message.text)
    .join("\n");
  if (proposal === "") {
    return broken(
      `${call.tool} without asking the caller first; the caller's yes answers nothing the agent said`,
      { caller: heard },
    );
  }
  const unsaid = rule.states.filter((path) => {
    const value = getPath(call.args, path);
    return value !== undefined && !states(proposal, value);
  });
  if (unsaid.length === 0) return kept;
  const missing = unsaid.map((path) => `${path.join(".")} ${show(getPath(call.args, path))}`);
  return broken(
    `${call.tool} with ${joinWords(missing, "and")}, which the caller was not told before saying yes`,
    {
      caller: heard,
      agent: cut(proposal, 300),
      unsaid: unsaid.map((path) => path.join(".")),
    },
  );
}

function isYes({ act, text }: Message, words: string[] | undefined): boolean {
  if (act === "accept" || act === "confirm") return true;
  if (act === "refuse" || act === "insist") return false;
  return affirms(text, words);
}

/** Whether a text states a value: numbers in any format, lists and objects by all they hold. A flag cannot be missed. */
function states(text: string, value: Json): boolean {
  if (typeof value === "number") return statesNumber(text, value);
  if (typeof value === "string") return value.trim() === "" || says(text, value);
  if (typeof value === "boolean" || value === null) return true;
  return Object.values(value).every((inner) => states(text, inner));
}
