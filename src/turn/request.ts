import type { Json, JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/** How a turn came; `workflow`: a step of one asked for it. */
export type Wire = "openai" | "anthropic" | "agui" | "adapttable" | "step" | "workflow";

/** A tool the client runs itself: the turn ends with the call open, and its result comes as a tool message. */
export interface ClientTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  /** The model is held to the schema, where its provider can. */
  strict?: boolean;
}

/** How the caller wants the model asked, where the model's provider can. */
export interface Sampling {
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  /** How much the model is to think. */
  reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Texts the reply ends before. */
  stop?: string[];
  /** At most one call in each answer of the model. */
  parallelCalls?: false;
  /** `tool` names one. Absent: the model decides. */
  toolChoice?: { type: "auto" | "none" | "required" } | { type: "tool"; name: string };
  /** JSON the reply must be, when asked for. */
  responseFormat?: { type: "json"; schema?: JsonObject; name?: string; strict?: boolean };
}

/** An answer to one open interrupt. */
export interface ResumeEntry {
  interruptId: string;
  decision: Decision;
}

/** What a person decided about a call. `edit` runs it with these arguments instead of the stored ones, whole. */
export type Decision =
  | { kind: "approve" }
  | { kind: "edit"; args: JsonObject }
  | { kind: "reject"; reason?: string };

/** One turn as a wire's decoder hands it on. Nothing here says which wire it was, but for the record of the run. */
export interface TurnRequest {
  agent: string;
  wire: Wire;
  /** The client's, or minted. */
  runId: string;
  /** `null`: a stateless turn, which keeps nothing and cannot pause. */
  session: string | null;
  /** Groups runs for viewing only. */
  conversation: string | null;
  /**
   * Stateless: the whole conversation. Durable: what the client sent; ids the session knows are skipped and its own
   * record wins.
   */
  messages: Message[];
  clientTools: ClientTool[];
  /** Shared state the client wants set; keys the agent does not declare editable are dropped. */
  state: JsonObject | null;
  resume: ResumeEntry[];
  sampling: Sampling;
  /** Whether the client wants the conversation so far as an event when the session existed. */
  snapshot: boolean;
  /** Extra facts a client gives the agent for this turn, shown to the model as context. */
  context: { description: string; value: string }[];
  /** What the wire passes along untouched, for tools to read. */
  forwarded: Json;
}
