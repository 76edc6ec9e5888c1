import type { Message } from "../../turn/index.ts";
import { mainFrame, type SessionStore } from "./session-store.ts";

/**
 * Takes a conversation that was held elsewhere as the beginning of one here. Its calls are over, with a result or
 * without, and their ids are taken: a model that starts counting anew gets another id.
 */
export function importMessages(messages: readonly Message[], store: SessionStore): void {
  for (const message of messages) {
    store.append(mainFrame, message);
    if (message.role !== "assistant") continue;
    for (const { callId, name } of calls(message)) {
      if (store.call(callId) !== undefined) continue;
      const over = { args: {}, status: "done" as const, invalid: null };
      store.addCalls([{ callId, name, frame: mainFrame, messageId: message.id, ...over }]);
    }
  }
}

/** Call id of the first tool result that answers no call before it; `undefined` when each does. */
export function strayResult(messages: readonly Message[]): string | undefined {
  const known = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const { callId } of calls(message)) known.add(callId);
    else if (message.role === "tool" && !known.has(message.callId)) return message.callId;
  }
  return undefined;
}

function calls({ blocks }: Extract<Message, { role: "assistant" }>) {
  return blocks.filter((block) => block.type === "call");
}
