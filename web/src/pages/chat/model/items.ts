import type { Decision, JsonObject } from "../../../../../src/turn/index.ts";

/** What a conversation shows, in order. `owner`: the call whose subagent it belongs to; null: the agent itself. */
export type Item = UserItem | TextItem | ThoughtItem | CallItem | EndItem;

export interface UserItem {
  kind: "user";
  key: string;
  id: string;
  text: string;
  /** What was sent beside the text, in words. */
  media: string[];
}

export interface TextItem {
  kind: "text";
  key: string;
  owner: string | null;
  text: string;
  streaming: boolean;
}

export interface ThoughtItem {
  kind: "thought";
  key: string;
  owner: string | null;
  text: string;
  streaming: boolean;
}

export interface CallItem {
  kind: "call";
  key: string;
  callId: string;
  owner: string | null;
  name: string;
  /** Arguments as the model wrote them. */
  argsText: string;
  /** The arguments once they are whole; null: they are not, or are no object. */
  args: JsonObject | null;
  writing: boolean;
  result: { content: string; isError: boolean } | null;
  /** What a person had it run with instead. */
  edited: JsonObject | null;
  /** The newest thing the tool said about how far it is. */
  progress: { name: string; value: unknown } | null;
}

/** How a run ended. One that waits for people has no such mark: what it waits for is shown in its place. */
export interface EndItem {
  kind: "end";
  key: string;
  owner: null;
  outcome: { type: "done" } | { type: "cancelled" } | { type: "failed"; code: string; message: string };
  usage: { inputTokens: number; outputTokens: number } | null;
  model: string | null;
}

/** A call that waits for a person, with what may be answered. */
export interface Approval {
  id: string;
  callId: string;
  tool: string;
  args: JsonObject;
  message: string;
  allowed: Decision["kind"][];
  /** JSON Schema of the arguments. */
  schema: JsonObject;
}

export type CallState =
  | "writing"
  | "running"
  | "waiting"
  | "yours"
  | "done"
  | "failed"
  | "rejected"
  | "stopped";

/** A subagent at work for a call. */
export interface Helper {
  name: string;
  state: "working" | "done" | "waiting" | "failed";
}
