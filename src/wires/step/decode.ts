import type { JsonObject, Message, TurnRequest } from "../../turn/index.ts";
import { systemMessage } from "../system-messages.ts";
import type { StepBody } from "./schema.ts";

/** A step as a turn: the tools it brings are the client's, and the session id keys the conversation. */
export function decodeStep(agent: string, body: StepBody, mintId: (prefix: string) => string): TurnRequest {
  return {
    agent,
    wire: "step",
    runId: mintId("run_"),
    session: `step:${body.session_id}`,
    conversation: null,
    messages: [...(body.system === "" ? [] : [systemMessage(body.system)]), ...news(body, mintId)],
    clientTools: body.tools.map(({ name, description, input_schema }) => ({
      name,
      description,
      parameters: input_schema as JsonObject,
    })),
    state: null,
    resume: [],
    snapshot: false,
    sampling: {},
    context: [],
    forwarded: null,
  };
}

function news({ message, tool_results }: StepBody, mintId: (prefix: string) => string): Message[] {
  if (message !== undefined)
    return [{ role: "user", id: mintId("msg_"), parts: [{ type: "text", text: message }] }];
  return (tool_results ?? []).map(({ id, ok, result, error }) => ({
    role: "tool",
    id: mintId("msg_"),
    callId: id,
    content: ok ? JSON.stringify(result ?? null) : (error ?? "the call failed"),
    isError: !ok,
  }));
}
