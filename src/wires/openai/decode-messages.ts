import type { Block, CallBlock, Message, Part } from "../../turn/index.ts";
import { parseArguments } from "../call-arguments.ts";
import { base64, kindOf, mediaFromUrl, mediaRefused } from "../media.ts";
import { systemMessage, withoutRepeatedSystem } from "../system-messages.ts";
import type { ChatMessage, ChatUserPart } from "./schema.ts";

type MintId = (prefix: string) => string;

/** Media types of the sound formats a client may name. */
const audioTypes = new Map([
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
]);

/**
 * The conversation of a request. The wire has no message ids, so they are minted. Answers of the assistant that say
 * and call nothing are left out. Throws `HttpError` 400 with the parameter that cannot be used.
 */
export function decodeMessages(messages: ChatMessage[], mintId: MintId): Message[] {
  const decoded: Message[] = [];
  /** Calls of the older kind, which have no ids: each result belongs to the newest call of its name. */
  const functionCalls = new Map<string, string>();
  messages.forEach((message, at) => {
    const id = mintId("msg_");
    switch (message.role) {
      case "system":
      case "developer":
        decoded.push(systemMessage(textOf(message.content)));
        return;
      case "user":
        decoded.push({
          role: "user",
          id,
          parts: message.content.map((part, index) => userPart(part, `messages[${at}].content[${index}]`)),
        });
        return;
      case "assistant": {
        const calls = callsOf(message, mintId);
        for (const call of calls.legacy) functionCalls.set(call.name, call.callId);
        const blocks = [...saidBy(message), ...calls.current, ...calls.legacy];
        if (blocks.length > 0) decoded.push({ role: "assistant", id, blocks });
        return;
      }
      case "tool": {
        const { tool_call_id: callId, content } = message;
        decoded.push({ role: "tool", id, callId, content: textOf(content), isError: false });
        return;
      }
      case "function": {
        const callId = functionCalls.get(message.name);
        if (callId === undefined) {
          throw mediaRefused(`messages[${at}].name`, "names no function that the assistant called before");
        }
        decoded.push({ role: "tool", id, callId, content: textOf(message.content ?? []), isError: false });
        return;
      }
    }
  });
  return withoutRepeatedSystem(decoded);
}

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

function saidBy({ reasoning_content: reasoning, content }: AssistantMessage): Block[] {
  const text = (content ?? []).map((part) => (part.type === "text" ? part.text : part.refusal)).join("");
  return [
    ...(reasoning === null || reasoning === undefined || reasoning === ""
      ? []
      : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ];
}

function callsOf(
  { tool_calls: toolCalls, function_call: functionCall }: AssistantMessage,
  mintId: MintId,
): { current: CallBlock[]; legacy: CallBlock[] } {
  return {
    current: (toolCalls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      type: "call",
      callId: id,
      name,
      args: parseArguments(args ?? ""),
    })),
    legacy:
      functionCall === null || functionCall === undefined
        ? []
        : [
            {
              type: "call",
              callId: mintId("call_"),
              name: functionCall.name,
              args: parseArguments(functionCall.arguments ?? ""),
            },
          ],
  };
}

function userPart(part: ChatUserPart, param: string): Part {
  switch (part.type) {
    case "text":
      return part;
    case "image_url": {
      const where = `${param}.image_url.url`;
      const image = mediaFromUrl(part.image_url.url, "image/*", where);
      if (kindOf(image.mediaType) !== "image") throw mediaRefused(where, "must be an image");
      return { type: "media", kind: "image", ...image };
    }
    case "input_audio": {
      const mediaType = audioTypes.get(part.input_audio.format.toLowerCase());
      if (mediaType === undefined) {
        throw mediaRefused(
          `${param}.input_audio.format`,
          `must be one of ${[...audioTypes.keys()].join(", ")}`,
        );
      }
      return {
        type: "media",
        kind: "audio",
        mediaType,
        data: base64(part.input_audio.data, `${param}.input_audio.data`),
      };
    }
    case "file": {
      const { file_data: data, file_id: fileId, filename: name } = part.file;
      if (fileId !== null && fileId !== undefined && fileId !== "") {
        throw mediaRefused(
          `${param}.file.file_id`,
          "cannot be used: no files are kept here; send file_data instead",
        );
      }
      const file = mediaFromUrl(data ?? "", "application/octet-stream", `${param}.file.file_data`);
      return {
        type: "media",
        kind: kindOf(file.mediaType),
        ...file,
        ...(name === null || name === undefined ? {} : { name }),
      };
    }
  }
}

function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text).join("");
}
