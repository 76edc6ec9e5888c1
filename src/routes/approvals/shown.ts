import type { InboxItem } from "../../store/inbox.ts";

/** An item of the inbox with the members that every kind has in common: what it is about, asks and shows. */
export function shown(item: InboxItem) {
  if (item.kind === "workflow") return item;
  const { tool, args, message } = item.interrupt;
  return { ...item, topic: `tool-approval for ${tool} on ${item.agent}`, title: message, payload: args };
}
