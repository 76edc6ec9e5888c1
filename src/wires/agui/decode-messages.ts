import type { Block, JsonObject, Message, ReasoningBlock } from "../../turn/index.ts";
import { decodeContent, decodeText } from "./decode-content.ts";
import { readEncryptedValue } from "./encrypted-value.ts";
import type { RunInputMessage } from "./schema.ts";

type AssistantInput = Extract<RunInputMessage, { role: "assistant" }>;

/**
 * The messages of a request. One without an id gets one from `mintId`; of two with the same id the first counts. What a
 * subagent said in an earlier run, and a client's own activities, are no part of the conversation and left out. A
 * thought belongs to the answer whose id its own begins with, else to the next one. Throws `HttpError` 400 that names
 * the place of content that cannot be taken.
 */
export function decodeMessages(
  inputs: readonly RunInputMessage[],
  mintId: (prefix: string) => string,
): Message[] {
  const messages = new Map<string, Message>();
  const thoughts = thoughtsByAnswer(inputs);
  for (const [at, input] of inputs.entries()) {
    if (input.role === "activity" || input.role === "reasoning" || isSubagents(input)) continue;
    const id = input.id || mintId("msg_");
    if (messages.has(id)) continue;
    messages.set(id, decodeMessage(input, id, `messages[${at}].content`, thoughts.get(input) ?? []));
  }
  return [...messages.values()];
}

function decodeMessage(
  input: Exclude<RunInputMessage, { role: "activity" | "reasoning" }>,
  id: string,
  path: string,
  thoughts: ReasoningBlock[],
): Message {
  switch (input.role) {
    case "developer":
    case "system":
      return { role: "system", id, text: decodeText(input.content, path) };
    case "user":
      return { role: "user", id, parts: decodeContent(input.content, path) };
    case "assistant": {
      const text = decodeText(input.content, path);
      const said: Block[] = text === "" ? [] : [{ type: "text", text }];
      return { role: "assistant", id, blocks: [...thoughts, ...said, ...callsOf(input)] };
    }
    case "tool": {
      const error = input.error ?? "";
      const content = decodeText(input.content, path) || error;
      return {
        role: "tool",
        id,
        callId: input.toolCallId,
        content,
        isError: error !== "" || saysError(input),
      };
    }
  }
}

function callsOf({ toolCalls }: AssistantInput): Block[] {
  return (toolCalls ?? []).map((call) => ({
    type: "call",
    callId: call.id,
    name: call.function.name,
    args: decodeArguments(call.function.arguments ?? ""),
  }));
}

/** Arguments as an object; a text that is none was refused when the call was made. */
function decodeArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function thoughtsByAnswer(inputs: readonly RunInputMessage[]): Map<RunInputMessage, ReasoningBlock[]> {
  const answers = new Map<string, RunInputMessage>();
  for (const input of inputs) {
    if (input.role === "assistant" && !isSubagents(input) && input.id) answers.set(input.id, input);
  }
  const found = new Map<RunInputMessage, ReasoningBlock[]>();
  let next: RunInputMessage | undefined;
  for (let at = inputs.length - 1; at >= 0; at -= 1) {
    const input = inputs[at];
    if (input === undefined || isSubagents(input)) continue;
    if (input.role === "assistant") next = input;
    if (input.role !== "reasoning") continue;
    const owner = answers.get((input.id ?? "").replace(/-r\d+$/, "")) ?? next;
    if (owner === undefined) continue;
    const text = decodeText(input.content, `messages[${at}].content`);
    const block: ReasoningBlock = { type: "reasoning", text, ...readEncryptedValue(input.encryptedValue) };
    found.set(owner, [block, ...(found.get(owner) ?? [])]);
  }
  return found;
}

function isSubagents(input: RunInputMessage): boolean {
  return "subagentRunId" in input && typeof input.subagentRunId === "string";
}

function saysError({ metadata }: Extract<RunInputMessage, { role: "tool" }>): boolean {
  return (
    typeof metadata === "object" && metadata !== null && "isError" in metadata && metadata.isError === true
  );
}
