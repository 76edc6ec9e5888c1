import type { JsonObject } from "./json.ts";
import type { Decision } from "./request.ts";

/**
 * A call that waits for a person. What a person sees and what runs are the stored arguments, never the model's prose.
 * Each gated call has an interrupt of its own.
 */
export interface Interrupt {
  id: string;
  callId: string;
  tool: string;
  args: JsonObject;
  /** What is asked, for a person. */
  message: string;
  allowedDecisions: Decision["kind"][];
  /** JSON Schema of the tool's arguments, for editing. */
  argsSchema: JsonObject;
  /** ISO 8601. */
  createdAt: string;
  /** The subagent that made the call; absent: the agent itself. */
  subagent?: string;
}
