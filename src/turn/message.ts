import type { JsonObject } from "./json.ts";

/** Something a user sends beside text. Either `data` (base64) or `url` is there. */
export interface MediaPart {
  type: "media";
  kind: "image" | "audio" | "video" | "file";
  mediaType: string;
  data?: string;
  url?: string;
  name?: string;
}

export type Part = { type: "text"; text: string } | MediaPart;

/** A tool call as the model made it. `callId` is unique in its session. */
export interface CallBlock {
  type: "call";
  callId: string;
  name: string;
  args: JsonObject;
}

/**
 * What a model may think aloud. `signature` is opaque, the provider's, and goes back with the block; `redacted` stands
 * in for a text that the provider keeps to itself.
 */
export interface ReasoningBlock {
  type: "reasoning";
  text: string;
  signature?: string;
  redacted?: string;
}

export type Block = { type: "text"; text: string } | ReasoningBlock | CallBlock;

/**
 * One message of a conversation, the same whichever wire it came by. Ids are unique in a session: the client's where
 * its wire has them, minted by the wire's decoder otherwise.
 */
export type Message =
  | { role: "system"; id: string; text: string }
  | { role: "user"; id: string; parts: Part[] }
  /** One answer of the model: what it thought, said and called, in order. */
  | { role: "assistant"; id: string; blocks: Block[] }
  /** The result of one call. `edited`: what a person had it run with instead of the call's own arguments. */
  | { role: "tool"; id: string; callId: string; content: string; isError: boolean; edited?: JsonObject };
