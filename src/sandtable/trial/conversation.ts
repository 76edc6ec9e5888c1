import type { Json, JsonObject } from "../../turn/json.ts";
import type { CallerAct } from "../domain/types.ts";

/** One tool call that has run in a trial. */
export interface CallRecord {
  /** Position among all calls of the trial, from 0. */
  index: number;
  /** Turn it belongs to, from 1. */
  turn: number;
  tool: string;
  args: JsonObject;
  ok: boolean;
  /** When `ok`. */
  result?: Json;
  /** When not `ok`: the text the agent was given. */
  error?: string;
}

/** One line of the conversation. */
export interface Message {
  role: "caller" | "agent";
  /** From 1. A turn is one caller line and everything the agent does about it. */
  turn: number;
  text: string;
  /** What a scripted caller meant by its line; model-played callers have none. */
  act?: CallerAct;
}

/** What rules, conditions and expectations look at. */
export interface Conversation {
  messages: Message[];
  calls: CallRecord[];
}
