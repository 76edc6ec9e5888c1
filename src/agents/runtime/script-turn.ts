import type { JsonObject } from "../../turn/json.ts";
import type { Message } from "../../turn/message.ts";
import type { Sampling } from "../../turn/request.ts";
import type { ScriptResult, ScriptTool, ScriptTurn } from "../authoring/script.ts";

/** Puts together what a script goes by. */
export function scriptTurn(facts: {
  messages: readonly Message[];
  system: string;
  tools: readonly ScriptTool[];
  state: JsonObject;
  sampling: Sampling;
}): ScriptTurn {
  const { messages } = facts;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const spoken = messages[last];
  const since = messages.slice(last + 1);
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.blocks) if (block.type === "call") names.set(block.callId, block.name);
  }
  const results: ScriptResult[] = [];
  for (const message of since) {
    if (message.role !== "tool") continue;
    const { callId, content, isError } = message;
    results.push({ callId, name: names.get(callId) ?? "", content, isError });
  }
  return {
    ...facts,
    tools: facts.sampling.toolChoice?.type === "none" ? [] : facts.tools,
    user:
      spoken?.role === "user"
        ? spoken.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
        : "",
    results,
    step: since.filter(({ role }) => role === "assistant").length,
  };
}
