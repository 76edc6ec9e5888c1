import { argsOf, checkAskingCall } from "./asking-calls.ts";
import type { ToolCall, ToolResult } from "./messages.ts";
import { fault, given, isFilled, isNumber, isObject } from "./shape.ts";

/**
 * One call off the wire. Throws a `TypeError` that names the field when the call or, of `describe` and `read`, an
 * argument is malformed: a window that cannot be read is the sender's fault, and is said where its message is read.
 */
export function parseToolCall(value: unknown): ToolCall {
  if (!isObject(value)) throw fault("tool call must be an object");
  const { id, name, expectedRevision } = value;
  if (!isFilled(id)) throw fault("tool call.id is required");
  if (!isFilled(name)) throw fault("tool call.name is required");
  const revision = expectedRevision ?? undefined;
  if (revision !== undefined && !isNumber(revision))
    throw fault("tool call.expectedRevision must be a finite number");
  const call = { id, name, args: argsOf(value.args), ...given("expectedRevision", revision) };
  checkAskingCall(call);
  return call;
}

/** One result off the wire. An error without code or message gets general ones; a result that is absent is `null`. */
export function parseToolResult(value: unknown): ToolResult {
  if (!isObject(value)) throw fault("tool result must be an object");
  const { id, error } = value;
  if (!isFilled(id)) throw fault("tool result.id is required");
  if (error === undefined || error === null) return { id, result: value.result ?? null };
  const { code, message } = isObject(error) ? error : {};
  return {
    id,
    error: {
      code: isFilled(code) ? code : "error",
      message: isFilled(message) ? message : "tool call failed",
    },
  };
}
