import type { Message } from "../turn/index.ts";

/**
 * A system message under an id of its text: a client sends its instructions again with every request, and a session
 * that knows the id takes them once.
 */
export function systemMessage(text: string): Message {
  return { role: "system", id: `system-${hash(text)}`, text };
}

/** The messages without those system messages that say again what one before them said. */
export function withoutRepeatedSystem(messages: Message[]): Message[] {
  const seen = new Set<string>();
  return messages.filter((message) => {
    if (message.role !== "system") return true;
    const isNew = !seen.has(message.id);
    seen.add(message.id);
    return isNew;
  });
}

/** Two 32-bit FNV-1a over the code units, hex: tells texts apart, no more. */
function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + at), 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
