import { exceededJsonLimit, maxJsonDepth } from "../../http/json-limits.ts";
import type { JsonObject } from "../../turn/json.ts";
import type { StepResponse, StepToolCall } from "./step-protocol.ts";

/** What one step brought back. A failure ends the trial: it is the agent's, and it counts as a failed trial. */
export type AgentAnswer =
  | {
      kind: "response";
      response: StepResponse /** Builtin agents only: their state after the step. */;
      state?: JsonObject;
    }
  | { kind: "failure"; message: string; status?: number; body?: string };

/**
 * Most calls in one answer. They run in one go, so that all of them are stored or none, and other trials wait so long:
 * a thousand take some hundred milliseconds.
 */
const maxCalls = 1_000;

/** How much of a body a failure shows, in characters. */
const shownBody = 2_000;

/**
 * Reads an agent's HTTP answer by the step protocol: a 2xx status, a JSON object, `reply` or `tool_calls`, the reply
 * winning. A `reply` or `tool_calls` of `null` counts as absent, since many serializers write it; each call carries its
 * `arguments`, an object. Anything else is a failure that shows the status
 * and the body; so is one of more calls than can run in one go, and JSON nested so deep that those who read results.json could not walk it.
 */
export function readAgentAnswer(status: number, text: string): AgentAnswer {
  const body = text.length > shownBody ? `${text.slice(0, shownBody)}… (${text.length} characters)` : text;
  const failure = (message: string): AgentAnswer => ({ kind: "failure", message, status, body });
  if (status < 200 || status > 299) return failure(`agent answered HTTP ${status}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure(
      text.trim() === ""
        ? "agent answered with an empty body, not JSON"
        : "agent answered with a body that is not JSON",
    );
  }
  if (exceededJsonLimit(text) === "depth")
    return failure(`agent answered with JSON nested more than ${maxJsonDepth} levels deep`);
  if (!isObject(value)) return failure("agent answered with JSON that is not an object");
  if (value.reply !== undefined && value.reply !== null) {
    if (typeof value.reply !== "string")
      return failure(`"reply" must be a string, not ${kindOf(value.reply)}`);
    const ignoredCalls = Array.isArray(value.tool_calls) ? value.tool_calls.length : 0;
    return {
      kind: "response",
      response: { kind: "reply", reply: value.reply, ...(ignoredCalls === 0 ? {} : { ignoredCalls }) },
    };
  }
  if (value.tool_calls === undefined || value.tool_calls === null) {
    return failure('agent answered with neither "reply" nor "tool_calls"');
  }
  if (!Array.isArray(value.tool_calls))
    return failure(`"tool_calls" must be a list, not ${kindOf(value.tool_calls)}`);
  if (value.tool_calls.length === 0)
    return failure('agent answered with neither "reply" nor any call in "tool_calls"');
  if (value.tool_calls.length > maxCalls) {
    return failure(
      `agent answered with ${value.tool_calls.length} tool calls at once, more than ${maxCalls}; none of them was run`,
    );
  }
  const calls: StepToolCall[] = [];
  for (const [index, call] of value.tool_calls.entries()) {
    const read = readCall(call, `tool_calls[${index}]`);
    if (typeof read === "string") return failure(read);
    calls.push(read);
  }
  return { kind: "response", response: { kind: "calls", calls } };
}

function readCall(call: unknown, at: string): StepToolCall | string {
  if (!isObject(call)) return `"${at}" must be an object, not ${kindOf(call)}`;
  if (typeof call.id !== "string") return `"${at}.id" must be a string, not ${kindOf(call.id)}`;
  if (typeof call.name !== "string") return `"${at}.name" must be a string, not ${kindOf(call.name)}`;
  const args = call.arguments;
  if (!isObject(args))
    return `"${at}.arguments" must be an object, not ${kindOf(args)}${argumentsHint(call)}`;
  return { id: call.id, name: call.name, arguments: args as JsonObject };
}

/** What vendors' own formats call the arguments of a call. */
const otherNames = ["input", "args", "parameters", "params"];

function argumentsHint(call: Record<string, unknown>): string {
  if (typeof call.arguments === "string") return "; parse the model's JSON text before sending it";
  if (call.arguments !== undefined && call.arguments !== null) return "";
  const other = otherNames.find((name) => call[name] !== undefined);
  if (other !== undefined) return `; did you mean to send "${other}" as "arguments"?`;
  return "; a call without arguments sends {}";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
