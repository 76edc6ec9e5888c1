import type { Block, CallBlock, Message, Part } from "../../turn/message.ts";

/** A call with the result that providers want right after it. */
export interface AnsweredCall {
  call: CallBlock;
  content: string;
  isError: boolean;
}

/** One entry of a conversation that every provider takes. */
export type Entry =
  | { role: "user"; parts: Part[] }
  /** Calls in `blocks` have their results in `answers`, in the same order. */
  | { role: "assistant"; blocks: Block[]; answers: AnsweredCall[] };

/** What stands in for a result nobody has: the client kept it, or never gave one. */
const unknownResult = "The result of this call is not known.";

const saneId = /^[A-Za-z0-9_-]{1,64}$/;
const saneName = /^[A-Za-z0-9_-]{1,64}$/;

/** The model knows the arguments it wrote: that they were changed is said with the result, where every provider takes it. */
function contentOf({ content, edited }: Message & { role: "tool" }): string {
  if (edited === undefined) return content;
  return `[A person changed the arguments of this call to ${JSON.stringify(edited)}]\n${content}`;
}

/**
 * Puts a conversation into the order providers insist on: every call has exactly one result, the first that was given,
 * right after the message that made it; results of calls that are not there are left out; ids and tool names are ones
 * every provider takes; nothing is empty. Instructions before the first message come back as `system`; later ones
 * stay where they are, as words of the user marked as instructions, because not every provider takes them there.
 */
export function readTranscript(messages: readonly Message[]): { system: string[]; entries: Entry[] } {
  const results = new Map<string, Message & { role: "tool" }>();
  for (const message of messages) {
    if (message.role === "tool" && !results.has(message.callId)) results.set(message.callId, message);
  }
  const system: string[] = [];
  const entries: Entry[] = [];
  let calls = 0;
  for (const message of messages) {
    if (message.role === "system") {
      if (message.text.trim() === "") continue;
      if (entries.length === 0) system.push(message.text);
      else {
        const text = `<system_instruction>\n${message.text}\n</system_instruction>`;
        entries.push({ role: "user", parts: [{ type: "text", text }] });
      }
    } else if (message.role === "user") {
      const parts = message.parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
      entries.push({
        role: "user",
        parts: parts.length > 0 ? parts : [{ type: "text", text: "(empty message)" }],
      });
    } else if (message.role === "assistant") {
      const answers: AnsweredCall[] = [];
      const blocks: Block[] = [];
      for (const block of message.blocks) {
        if (block.type === "text" && block.text.trim() === "") continue;
        if (block.type !== "call") {
          blocks.push(block);
          continue;
        }
        calls += 1;
        const call = {
          ...block,
          callId: saneId.test(block.callId) ? block.callId : `call_renamed_${calls}`,
          name: saneName.test(block.name) ? block.name : "unknown_tool",
        };
        const result = results.get(block.callId);
        blocks.push(call);
        answers.push({
          call,
          content: result === undefined ? unknownResult : contentOf(result),
          isError: result?.isError ?? true,
        });
      }
      if (blocks.length > 0) entries.push({ role: "assistant", blocks, answers });
    }
  }
  return { system, entries };
}
