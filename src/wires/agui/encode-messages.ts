import type { MediaPart, Message, Part, SubagentRef } from "../../turn/index.ts";
import { encryptedValue } from "./encrypted-value.ts";
import type { AguiMessage, AguiPart } from "./events.ts";

/** A message of the agent's conversation, or of the one that a subagent holds. */
type SnapshotMessage = Message & { subagent?: SubagentRef };

/**
 * Messages as a snapshot lists them, under the ids they were streamed with: a client drops what a snapshot leaves out
 * and doubles what it renames. A thought is a row of its own before the answer it belongs to; one without text is none.
 */
export function encodeMessages(messages: readonly SnapshotMessage[]): AguiMessage[] {
  return messages.flatMap((message) => {
    const rows = encodeMessage(message);
    const { subagent } = message;
    return subagent === undefined ? rows : rows.map((row) => ({ ...row, subagentRunId: subagent.id }));
  });
}

function encodeMessage(message: Message): AguiMessage[] {
  switch (message.role) {
    case "system":
      return [{ id: message.id, role: "system", content: message.text }];
    case "user":
      return [{ id: message.id, role: "user", content: encodeContent(message.parts) }];
    case "assistant":
      return encodeAnswer(message);
    case "tool": {
      const { id, callId, content, isError } = message;
      const row = { id, role: "tool" as const, toolCallId: callId, content };
      return [isError ? { ...row, error: content, metadata: { isError: true } } : row];
    }
  }
}

function encodeAnswer({ id, blocks }: Extract<Message, { role: "assistant" }>): AguiMessage[] {
  const rows: AguiMessage[] = [];
  let thoughts = 0;
  for (const block of blocks) {
    if (block.type !== "reasoning") continue;
    thoughts += 1;
    if (block.text === "") continue;
    const encrypted = encryptedValue(block);
    rows.push({
      id: `${id}-r${thoughts}`,
      role: "reasoning",
      content: block.text,
      ...(encrypted === undefined ? {} : { encryptedValue: encrypted }),
    });
  }
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const toolCalls = blocks.flatMap((block) =>
    block.type === "call"
      ? [
          {
            id: block.callId,
            type: "function" as const,
            function: { name: block.name, arguments: JSON.stringify(block.args) },
          },
        ]
      : [],
  );
  // An answer without words was not streamed as a row either.
  if (texts.length + toolCalls.length === 0) return rows;
  const content = texts.length > 0 ? { content: texts.join("") } : {};
  return [...rows, { id, role: "assistant", ...content, ...(toolCalls.length > 0 ? { toolCalls } : {}) }];
}

/** A text alone stays a text. */
function encodeContent(parts: Part[]): string | AguiPart[] {
  const [first] = parts;
  if (first === undefined) return "";
  if (parts.length === 1 && first.type === "text") return first.text;
  return parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : encodeMedia(part)));
}

function encodeMedia({ kind, mediaType, data, url, name }: MediaPart): AguiPart {
  return {
    type: kind === "file" ? "document" : kind,
    source:
      data === undefined
        ? { type: "url", value: url ?? "", mimeType: mediaType }
        : { type: "data", value: data, mimeType: mediaType },
    ...(name === undefined ? {} : { metadata: { filename: name } }),
  };
}
