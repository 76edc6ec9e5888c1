import type { Block, MediaPart, Message, Part } from "../../turn/index.ts";
import { base64, kindOf, mediaFromUrl, mediaRefused } from "../media.ts";
import { systemMessage } from "../system-messages.ts";
import type { AssistantBlock, MediaBlock, UserBlock, WireMessage } from "./schema.ts";
import { signatureOf } from "./signature.ts";

type MintId = (prefix: string) => string;
type ToolResult = Extract<UserBlock, { type: "tool_result" }>;

/**
 * The conversation of a request. The wire has no message ids, so they are minted. A user's message with tool results
 * becomes one tool message a result and, when it holds anything else, a user message after them; pictures in a result
 * go there too. Answers of the assistant in which nothing is left are left out. Throws `HttpError` 400 with the
 * parameter that cannot be used.
 */
export function decodeMessages(messages: WireMessage[], mintId: MintId): Message[] {
  return messages.flatMap((message, at) => decodeMessage(message, `messages[${at}].content`, mintId));
}

function decodeMessage(message: WireMessage, param: string, mintId: MintId): Message[] {
  if (message.role === "user") return userMessages(message.content, param, mintId);
  if (message.role === "system") {
    const text = message.content.map((block) => block.text).join("\n\n");
    return [systemMessage(text)];
  }
  const blocks = message.content.flatMap(assistantBlock);
  return blocks.length === 0 ? [] : [{ role: "assistant", id: mintId("msg_"), blocks }];
}

function userMessages(blocks: UserBlock[], param: string, mintId: MintId): Message[] {
  const results: Message[] = [];
  const parts: Part[] = [];
  blocks.forEach((block, index) => {
    const where = `${param}[${index}]`;
    if (block.type !== "tool_result") {
      parts.push(...partsOf(block, where));
      return;
    }
    const { content, media } = resultOf(block, where);
    const { tool_use_id: callId, is_error: isError } = block;
    results.push({ role: "tool", id: mintId("msg_"), callId, content, isError: isError ?? false });
    parts.push(...media);
  });
  if (parts.length === 0 && results.length > 0) return results;
  return [...results, { role: "user", id: mintId("msg_"), parts }];
}

/** A result is a text: what else it holds is named there and comes beside it. */
function resultOf(block: ToolResult, param: string): { content: string; media: MediaPart[] } {
  const texts: string[] = [];
  const media: MediaPart[] = [];
  (block.content ?? []).forEach((inner, index) => {
    for (const part of partsOf(inner, `${param}.content[${index}]`)) {
      if (part.type === "text") {
        texts.push(part.text);
      } else {
        media.push(part);
        texts.push(`[${part.kind} ${media.length}: follows the results]`);
      }
    }
  });
  return { content: texts.join("\n"), media };
}

function partsOf(block: MediaBlock, param: string): Part[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image":
      return [imageOf(block.source, `${param}.source`)];
    case "search_result": {
      const { title, source, content } = block;
      const text = [title, source, ...content.map((inner) => inner.text)].join("\n");
      return [{ type: "text", text }];
    }
    case "document":
      return documentOf(block, param);
  }
}

type ImageSource = Extract<MediaBlock, { type: "image" }>["source"];

function imageOf(source: ImageSource, param: string): MediaPart {
  if (source.type === "url") {
    const image = mediaFromUrl(source.url, "image/*", `${param}.url`);
    if (kindOf(image.mediaType) !== "image") throw mediaRefused(`${param}.url`, "must be an image");
    return { type: "media", kind: "image", ...image };
  }
  if (kindOf(source.media_type) !== "image") {
    throw mediaRefused(`${param}.media_type`, "must be the type of an image");
  }
  const data = base64(source.data, `${param}.data`);
  return { type: "media", kind: "image", mediaType: source.media_type, data };
}

function documentOf(block: Extract<MediaBlock, { type: "document" }>, param: string): Part[] {
  const { source, title, context } = block;
  const about = [title, context].filter((text) => text !== null && text !== undefined && text !== "");
  const heading: Part[] = about.length === 0 ? [] : [{ type: "text", text: about.join("\n") }];
  const name = title === null || title === undefined || title === "" ? {} : { name: title };
  switch (source.type) {
    case "text":
      return [...heading, { type: "text", text: source.data }];
    case "content":
      return [
        ...heading,
        ...source.content.flatMap((inner, index) => partsOf(inner, `${param}.source.content[${index}]`)),
      ];
    case "url": {
      const file = mediaFromUrl(source.url, "application/pdf", `${param}.source.url`);
      return [...heading, { type: "media", kind: "file", ...file, ...name }];
    }
    case "base64": {
      const data = base64(source.data, `${param}.source.data`);
      return [...heading, { type: "media", kind: "file", mediaType: source.media_type, data, ...name }];
    }
  }
}

function assistantBlock(block: AssistantBlock): Block[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking": {
      const signature = signatureOf(block.signature);
      if (block.thinking === "" && signature === null) return [];
      return [{ type: "reasoning", text: block.thinking, ...(signature === null ? {} : { signature }) }];
    }
    case "redacted_thinking":
      return [{ type: "reasoning", text: "", redacted: block.data }];
    case "tool_use":
      return [{ type: "call", callId: block.id, name: block.name, args: block.input ?? {} }];
    case "foreign":
      return [];
  }
}
