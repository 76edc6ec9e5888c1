import type { TranscriptEntry } from "../report/results.ts";
import type { CallRecord, Conversation, Message } from "../trial/conversation.ts";

/** A conversation whose lines and calls know their position in the transcript. */
export interface Placed extends Conversation {
  messages: (Message & { entry: number })[];
  calls: (CallRecord & { entry: number })[];
}

/** The conversation a transcript tells, each part with the position of its entry. Notes are no part of it. */
export function readTranscript(entries: TranscriptEntry[]): Placed {
  const conversation: Placed = { messages: [], calls: [] };
  for (const [position, entry] of entries.entries()) {
    if (entry.kind === "call") {
      const { turn, tool, args, ok, result, error } = entry;
      conversation.calls.push({
        entry: position,
        index: conversation.calls.length,
        turn,
        tool,
        args,
        ok,
        ...(result === undefined ? {} : { result }),
        ...(error === undefined ? {} : { error }),
      });
    } else if (entry.kind !== "note") {
      const { kind: role, turn, text } = entry;
      const act = entry.kind === "caller" ? entry.act : undefined;
      conversation.messages.push({
        entry: position,
        role,
        turn,
        text,
        ...(act === undefined ? {} : { act }),
      });
    }
  }
  return conversation;
}
