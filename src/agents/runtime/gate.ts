import type { Decision, JsonObject } from "../../turn/index.ts";
import type { AgentFrame } from "./agent-frame.ts";
import type { StoredCall } from "./session-store.ts";

export interface Gate {
  message: string;
  allowedDecisions: Decision["kind"][];
}

/** What a person may decide about a gated call unless the agent says otherwise. */
const allDecisions: Decision["kind"][] = ["approve", "edit", "reject"];

/** The approval a call needs by the agent's `interruptOn`, or `null` when it may run. */
export function gateOf(
  frame: AgentFrame,
  call: Pick<StoredCall, "name" | "args">,
  state: JsonObject,
): Gate | null {
  // Own property: the name is the model's.
  const rule = Object.hasOwn(frame.interruptOn, call.name) ? frame.interruptOn[call.name] : undefined;
  if (rule === undefined || rule === false) return null;
  const standard = `The agent wants to call ${call.name}.`;
  if (rule === true) return { message: standard, allowedDecisions: allDecisions };
  if (rule.when !== undefined && !rule.when({ args: call.args, state })) return null;
  const { description, allowedDecisions } = rule;
  const message =
    typeof description === "function" ? description({ name: call.name, args: call.args }) : description;
  return { message: message ?? standard, allowedDecisions: allowedDecisions ?? allDecisions };
}
