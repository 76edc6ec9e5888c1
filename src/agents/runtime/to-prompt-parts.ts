import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { MediaPart, Part, ReasoningBlock } from "../../turn/message.ts";
import { signedBy } from "./signature.ts";
import type { AnsweredCall, Entry } from "./transcript.ts";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ToolContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];

/** What a user sent. */
export function userParts(parts: readonly Part[]): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  return parts.map((part) => (part.type === "text" ? part : (filePart(part) ?? unreadable(part))));
}

function filePart(part: MediaPart): LanguageModelV4FilePart | null {
  const file = { type: "file" as const, ...(part.name === undefined ? {} : { filename: part.name }) };
  if (part.data !== undefined) {
    return { ...file, mediaType: part.mediaType, data: { type: "data", data: part.data } };
  }
  const inline = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(part.url ?? "");
  if (inline) {
    return { ...file, mediaType: inline[1] || part.mediaType, data: { type: "data", data: inline[2] ?? "" } };
  }
  const url = URL.parse(part.url ?? "");
  return url === null ? null : { ...file, mediaType: part.mediaType, data: { type: "url", url } };
}

function unreadable({ kind }: MediaPart): LanguageModelV4TextPart {
  return { type: "text", text: `[${kind} that could not be read]` };
}

/**
 * What the model said, thought and called. A thought goes back only to the provider that made it, where that wants it:
 * Anthropic and Google in every turn, the others while the turn it belongs to is not over (`current`).
 */
export function assistantParts(
  entry: Entry & { role: "assistant" },
  provider: string,
  current: boolean,
): AssistantContent {
  const content: AssistantContent = [];
  for (const block of entry.blocks) {
    if (block.type === "text") content.push({ type: "text", text: block.text });
    else if (block.type === "call") {
      content.push({ type: "tool-call", toolCallId: block.callId, toolName: block.name, input: block.args });
    } else {
      const signed = signedBy(provider, block.signature ?? block.redacted);
      const last = content.at(-1);
      if (signed?.ofCall) {
        if (last?.type === "tool-call")
          last.providerOptions = { [provider]: { thoughtSignature: signed.signature } };
      } else if (signed !== null) {
        const thought = reasoningPart(block, signed.signature, provider, current);
        if (thought !== null) content.push(thought);
      }
    }
  }
  return content;
}

function reasoningPart(
  { text, redacted }: ReasoningBlock,
  signature: string,
  provider: string,
  current: boolean,
): LanguageModelV4ReasoningPart | null {
  let options: SharedV4ProviderOptions;
  if (provider === "anthropic") {
    // Anthropic refuses a thought it has not signed.
    if (signature === "") return null;
    options = { anthropic: redacted === undefined ? { signature } : { redactedData: signature } };
  } else if (provider === "google") {
    options = signature === "" ? {} : { google: { thoughtSignature: signature } };
  } else {
    // OpenAI's own API takes no thoughts back.
    return current && provider !== "openai" && text !== "" ? { type: "reasoning", text } : null;
  }
  return { type: "reasoning", text, providerOptions: options };
}

/** The results of an answer's calls. */
export function toolParts(answers: readonly AnsweredCall[]): ToolContent {
  return answers.map(({ call, content, isError }) => ({
    type: "tool-result",
    toolCallId: call.callId,
    toolName: call.name,
    output: { type: isError ? "error-text" : "text", value: content },
  }));
}
