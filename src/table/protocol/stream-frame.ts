import type { JsonObject } from "../../turn/json.ts";
import { isObject } from "./shape.ts";

/** Names of the events that carry a reply as it is made. */
export type StreamEventName = "text-delta" | "transcript" | "ask-user" | "tool-calls" | "done" | "error";

/** One event as text: `event: NAME`, one line of JSON, an empty line. */
export function encodeStreamEvent(event: StreamEventName, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One event of a stream, before its name and data are judged. */
export interface StreamFrame {
  event: string;
  data: string;
}

/** Takes a stream's text in pieces cut anywhere, and gives its events as soon as they are whole. */
export interface StreamFrames {
  /** Frames that `text` completes. Comments, frames without a name and what follows the last empty line give none. */
  push(text: string): StreamFrame[];
}

/**
 * Reads frames of `text/event-stream`: lines end with LF, CR or CRLF, several `data` lines are joined with a line feed,
 * and a first byte order mark is passed over. Memory is bounded by whoever counts the bytes that are pushed.
 */
export function streamFrames(): StreamFrames {
  // Pieces of a line that is not whole yet: joined once, so that a long line cut into bytes costs no more than its length.
  let pieces: string[] = [];
  let started = false;
  let afterReturn = false;
  let event = "";
  let data: string[] = [];

  function takeLine(text: string): StreamFrame | undefined {
    if (text === "") {
      const frame = event === "" ? undefined : { event, data: data.join("\n") };
      event = "";
      data = [];
      return frame;
    }
    const colon = text.indexOf(":");
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    if (field === "data") data.push(value);
    return undefined;
  }

  return {
    push(text) {
      const frames: StreamFrame[] = [];
      let from = 0;
      if (!started && text !== "") {
        started = true;
        if (text.startsWith("\uFEFF")) from = 1;
      }
      for (let at = from; at < text.length; at++) {
        const char = text[at];
        const second = afterReturn && char === "\n";
        afterReturn = char === "\r";
        if (second) from = at + 1;
        if (second || (char !== "\n" && char !== "\r")) continue;
        const frame = takeLine(pieces.join("") + text.slice(from, at));
        if (frame) frames.push(frame);
        pieces = [];
        from = at + 1;
      }
      if (from < text.length) pieces.push(text.slice(from));
      return frames;
    },
  };
}

/** Data of a frame as an object; `undefined` when it is none. Empty data is an empty object. */
export function frameData(frame: StreamFrame): JsonObject | undefined {
  if (frame.data.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(frame.data);
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON: the reader of the stream has a code for that.
    return undefined;
  }
}
