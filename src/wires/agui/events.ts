import type { Operation } from "fast-json-patch";
import type { Json, JsonObject } from "../../turn/index.ts";

/** The protocol version this wire speaks. */
export const protocolVersion = "1.0";

/** Whose work an event is: a subagent's; absent: the agent's own. */
interface Attributed {
  subagentRunId?: string;
}

/** Extra facts beside the protocol's own fields, for whoever looks. */
interface WithMetadata {
  metadata?: JsonObject;
}

/** Tokens as AG-UI counts them: input includes the cached ones, output the reasoning. */
export interface AguiUsage {
  provider?: string;
  model?: string;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  reasoningTokens: number;
  cachedInputTokens: number;
  cacheWriteInputTokens: number;
}

export interface AguiInterrupt extends Attributed, WithMetadata {
  id: string;
  reason: "tool_call";
  message: string;
  toolCallId: string;
  /** JSON Schema of the `payload` that answers it. */
  responseSchema: JsonObject;
}

export type AguiOutcome =
  | { type: "success"; pendingToolCallIds?: string[] }
  | { type: "interrupt"; interrupts: AguiInterrupt[] }
  | { type: "cancelled" };

type Source =
  | { type: "data"; value: string; mimeType: string }
  | { type: "url"; value: string; mimeType: string };

export type AguiPart =
  | { type: "text"; text: string }
  | { type: "image" | "audio" | "video" | "document"; source: Source; metadata?: JsonObject };

interface AguiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message in a snapshot. */
export type AguiMessage = Attributed &
  (
    | { id: string; role: "system"; content: string }
    | { id: string; role: "user"; content: string | AguiPart[] }
    | { id: string; role: "assistant"; content?: string; toolCalls?: AguiToolCall[] }
    | { id: string; role: "reasoning"; content: string; encryptedValue?: string }
    | ({ id: string; role: "tool"; toolCallId: string; content: string; error?: string } & WithMetadata)
  );

export interface RunError extends WithMetadata {
  type: "RUN_ERROR";
  message: string;
  code?: string;
  usage?: AguiUsage[];
}

/** The events this wire sends. Optional fields are left out, never null: clients refuse a null. */
export type AguiEvent =
  | { type: "RUN_STARTED"; threadId: string; runId: string; protocolVersion?: string }
  | ({
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      outcome: AguiOutcome;
      usage?: AguiUsage[];
    } & WithMetadata)
  | RunError
  | { type: "STEP_STARTED" | "STEP_FINISHED"; stepName: string }
  | ({ type: "TEXT_MESSAGE_START"; messageId: string; role: "assistant" } & Attributed)
  | ({ type: "TEXT_MESSAGE_CONTENT"; messageId: string; delta: string } & Attributed)
  | ({ type: "TEXT_MESSAGE_END"; messageId: string } & Attributed)
  | ({ type: "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END"; messageId: string } & Attributed)
  | ({ type: "REASONING_MESSAGE_START"; messageId: string; role: "reasoning" } & Attributed)
  | ({ type: "REASONING_MESSAGE_CONTENT"; messageId: string; delta: string } & Attributed)
  | ({
      type: "REASONING_ENCRYPTED_VALUE";
      subtype: "message";
      entityId: string;
      encryptedValue: string;
    } & Attributed)
  | ({
      type: "TOOL_CALL_START";
      toolCallId: string;
      toolCallName: string;
      parentMessageId: string;
    } & Attributed)
  | ({ type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string } & Attributed)
  | ({ type: "TOOL_CALL_END"; toolCallId: string } & Attributed)
  | ({
      type: "TOOL_CALL_RESULT";
      messageId: string;
      toolCallId: string;
      content: string;
      role: "tool";
    } & Attributed &
      WithMetadata)
  | { type: "STATE_SNAPSHOT"; snapshot: JsonObject }
  | { type: "STATE_DELTA"; delta: Operation[] }
  | { type: "MESSAGES_SNAPSHOT"; messages: AguiMessage[] }
  | {
      type: "SUBAGENT_STARTED";
      subagentRunId: string;
      name: string;
      parentToolCallId: string;
      parentMessageId?: string;
    }
  | {
      type: "SUBAGENT_FINISHED";
      subagentRunId: string;
      outcome: { type: "success" } | { type: "suspended"; interruptIds?: string[] };
    }
  | { type: "SUBAGENT_ERROR"; subagentRunId: string; message: string; code: string }
  | { type: "CUSTOM"; name: string; value: Json };
