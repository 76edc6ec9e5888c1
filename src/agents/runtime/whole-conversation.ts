import type { Message, SnapshotMessage } from "../../turn/index.ts";
import { mainFrame, type SessionStore } from "./session-store.ts";
import { taskToolName } from "./task-tool.ts";

/**
 * The agent's conversation with what its subagents said, each stretch behind the answer that called them and its
 * results: where a client that heard it has it. The task itself is left out, for the call shows it.
 */
export function wholeConversation(store: Pick<SessionStore, "messages">): SnapshotMessage[] {
  const whole: SnapshotMessage[] = [];
  let inner: SnapshotMessage[] = [];
  for (const message of store.messages(mainFrame)) {
    if (message.role !== "tool") {
      whole.push(...inner);
      inner = [];
    }
    whole.push(message);
    if (message.role === "assistant") inner = message.blocks.flatMap((block) => saidInside(block, store));
  }
  return [...whole, ...inner];
}

function saidInside(
  block: Extract<Message, { role: "assistant" }>["blocks"][number],
  store: Pick<SessionStore, "messages">,
): SnapshotMessage[] {
  if (block.type !== "call" || block.name !== taskToolName) return [];
  const subagent = { id: block.callId, name: String(block.args.subagent) };
  return store
    .messages(block.callId)
    .slice(1)
    .map((message) => ({ ...message, subagent }));
}
