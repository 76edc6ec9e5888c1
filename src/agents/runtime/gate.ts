import type { Decision, JsonObject } from "../../turn/index.ts";
import type { AgentFrame } from "./agent-frame.ts";
import type { StoredCall } from "./session-store.ts";

export interface Gate {
  message: string;
  allowedDecisions: Decision["kind"][];
}

/** Longest question put to a person, characters; an author may put arguments of any length into it. */
const maxMessageChars = 10_000;

/** What a person may decide about a gated call unless the agent says otherwise. */
const allDecisions: Decision["kind"][] = ["approve", "edit", "reject"];

/**
 * The approval a call needs by the agent's `interruptOn`, or `null` when it may run. A rule that throws is on the safe
 * side: a person is asked, in standard words.
 */
export function gateOf(
  frame: Pick<AgentFrame, "interruptOn">,
  { name, args }: Pick<StoredCall, "name" | "args">,
  state: JsonObject,
): Gate | null {
  // Own property: the name is the model's.
  const rule = Object.hasOwn(frame.interruptOn, name) ? frame.interruptOn[name] : undefined;
  if (rule === undefined || rule === false) return null;
  const standard = { message: `The agent wants to call ${name}.`, allowedDecisions: allDecisions };
  if (rule === true) return standard;
  const gate = { ...standard, allowedDecisions: rule.allowedDecisions ?? allDecisions };
  try {
    if (rule.when?.({ args, state }) === false) return null;
    const { description } = rule;
    const message = typeof description === "function" ? description({ name, args }) : description;
    return { ...gate, ...(message === undefined ? {} : { message: shortened(message) }) };
  } catch (error) {
    const said = error instanceof Error ? error.name : typeof error;
    console.error(JSON.stringify({ level: "error", event: "approval_rule_failed", tool: name, error: said }));
    return gate;
  }
}

function shortened(message: string): string {
  return message.length <= maxMessageChars ? message : `${message.slice(0, maxMessageChars)}…`;
}
