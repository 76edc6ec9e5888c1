import type { ModelErrorKind } from "../../models/model-error.ts";
import type { Json, JsonObject } from "../../turn/json.ts";
import type { Message } from "../../turn/message.ts";
import type { Sampling } from "../../turn/request.ts";

/** The result of a call made since the user last spoke. */
export interface ScriptResult {
  callId: string;
  /** The tool's name; "" for a call that is not in the conversation. */
  name: string;
  content: string;
  isError: boolean;
}

/** A tool that may be called in this answer. */
export interface ScriptTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  /** The client runs it. */
  client: boolean;
}

/** What a script goes by. */
export interface ScriptTurn {
  /** The whole conversation, newest last. */
  messages: readonly Message[];
  /** Text of the newest user message; "" when there is none. */
  user: string;
  /** In the order they came in. */
  results: readonly ScriptResult[];
  tools: readonly ScriptTool[];
  state: JsonObject;
  /** Answers already given since the user last spoke. */
  step: number;
  /** What the caller asked for. */
  sampling: Sampling;
  /** What the agent is told about its job. */
  system: string;
}

/** One thing a scripted answer does. */
export type ScriptPart =
  | { text: string }
  /** A text given out piece by piece. */
  | { pieces: readonly string[] }
  | { reasoning: string }
  | { call: { name: string; args: { [name: string]: Json }; id?: string } }
  /** Milliseconds before the next part. */
  | { wait: number }
  /** Ends the answer as a provider's failure of that kind would. */
  | { fail: { kind: ModelErrorKind; message: string } };

/**
 * Stands in for a model where none is configured. Pure: the same turn gives the same answer, in tests, in a demo, and
 * when a turn is taken up again after a fault. What it has to remember is in the messages and the state.
 */
export type Script = (turn: ScriptTurn) => readonly ScriptPart[];
