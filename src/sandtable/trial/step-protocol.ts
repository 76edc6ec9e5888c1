import type { Json, JsonObject } from "../../turn/json.ts";

/** A tool as the agent under test sees it. */
export interface StepTool {
  name: string;
  description: string;
  input_schema: JsonObject;
}

/** Outcome of one tool call, sent back to the agent. */
export type StepToolResult =
  | { id: string; ok: true; result: Json }
  | { id: string; ok: false; error: string };

/** Body of one POST to the agent under test: a new user turn or the results of its last calls, never both. */
export type StepRequest = { session_id: string; system: string; tools: StepTool[] } & (
  | { message: string; tool_results?: undefined }
  | { message?: undefined; tool_results: StepToolResult[] }
);

export interface StepToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
}

/** What an agent answered, after parsing: a reply ends the turn and wins over calls. */
export type StepResponse =
  | {
      kind: "reply";
      reply: string /** Calls beside the reply, which are not run; left out when there are none. */;
      ignoredCalls?: number;
    }
  | { kind: "calls"; calls: StepToolCall[] };
