import type { Json } from "../../turn/json.ts";
import { describeCall, readCall } from "./asking-calls.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "./limits.ts";
import type { AgentHttpResponse, AskUser, Pin, ToolCall } from "./messages.ts";
import { parseToolCall } from "./parse-call.ts";
import { fault, given, isFilled, isNumber, isObject } from "./shape.ts";

/**
 * A backend's reply from a value that came out of JSON. Throws a `TypeError` that names the field when what decides
 * something (calls, question, pin, session) is malformed or goes beyond a limit; `ok`, `text`, `transcript` and
 * `continueWithResults` of a wrong type count as absent, and so does an `askUser`, `pin` or `toolCalls` of `null`.
 * Whether ids are unique is left to the turn, which has a code for it.
 */
export function parseAgentHttpResponse(value: unknown): AgentHttpResponse {
  if (!isObject(value)) throw fault("response must be an object");
  if (value.schemaVersion !== schemaVersion) throw fault(`response schemaVersion must be "${schemaVersion}"`);
  const { ok, sessionId, text, transcript, continueWithResults } = value;
  if (sessionId !== undefined && !isFilled(sessionId))
    throw fault("response sessionId must be a non-empty string");
  return {
    schemaVersion,
    ...given("ok", typeof ok === "boolean" ? ok : undefined),
    ...given("sessionId", sessionId),
    ...given("text", typeof text === "string" ? text : undefined),
    ...given("toolCalls", parseToolCalls(value.toolCalls ?? undefined)),
    ...given("askUser", value.askUser == null ? undefined : parseAskUser(value.askUser)),
    ...given("transcript", typeof transcript === "string" ? transcript : undefined),
    ...given("pin", value.pin == null ? undefined : parsePin(value.pin)),
    ...given(
      "continueWithResults",
      typeof continueWithResults === "boolean" ? continueWithResults : undefined,
    ),
  };
}

/** The calls of one reply, at most as many as the limits allow. `undefined` when there is no list. */
export function parseToolCalls(value: Json | undefined): ToolCall[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw fault("toolCalls must be an array");
  const { maxToolCalls, maxDescribeCalls, maxReadCalls } = AGENT_HTTP_LIMITS;
  if (value.length > maxToolCalls) throw fault(`toolCalls exceeds limit of ${maxToolCalls}`);
  const calls = value.map(parseToolCall);
  const named = (name: string) => calls.filter((call) => call.name === name).length;
  if (named(describeCall) > maxDescribeCalls)
    throw fault(`describe calls exceed limit of ${maxDescribeCalls}`);
  if (named(readCall) > maxReadCalls) throw fault(`read calls exceed limit of ${maxReadCalls}`);
  return calls;
}

/** A question to the reader. One that offers no option and takes no free text cannot be answered, and is malformed. */
export function parseAskUser(value: unknown): AskUser {
  if (!isObject(value)) throw fault("askUser must be an object");
  const { id, question, allowFreeText } = value;
  if (!isFilled(id)) throw fault("askUser.id is required");
  if (!isFilled(question)) throw fault("askUser.question is required");
  if (allowFreeText !== undefined && typeof allowFreeText !== "boolean")
    throw fault("askUser.allowFreeText must be a boolean");
  const options = askUserOptions(value.options ?? undefined);
  const freeText = allowFreeText ?? true;
  if (!freeText && !options?.length) throw fault("askUser must offer options or allow free text");
  return { id, question, ...given("options", options), allowFreeText: freeText };
}

function askUserOptions(value: Json | undefined): AskUser["options"] {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw fault("askUser.options must be an array");
  return value.map((option) => {
    if (!isObject(option) || !isFilled(option.id) || !isFilled(option.label))
      throw fault("askUser.options must each have an id and a label");
    return { id: option.id, label: option.label };
  });
}

const pinStatuses: readonly unknown[] = [
  "acknowledged",
  "expired",
  "unknown",
  "unsupported",
] satisfies Pin["status"][];

function isPinStatus(value: unknown): value is Pin["status"] {
  return pinStatuses.includes(value);
}

/** What a backend says of the contract it was sent. A lifetime that is no positive number says nothing. */
function parsePin(value: unknown): Pin {
  if (!isObject(value)) throw fault("pin must be an object");
  const { status, contractVersion, ttlMs } = value;
  if (!isPinStatus(status))
    throw fault('pin.status must be "acknowledged", "expired", "unknown", or "unsupported"');
  if (contractVersion != null && !isFilled(contractVersion))
    throw fault("pin.contractVersion must be a non-empty string");
  return {
    status,
    ...given("contractVersion", contractVersion ?? undefined),
    ...given("ttlMs", isNumber(ttlMs) && ttlMs > 0 ? ttlMs : undefined),
  };
}
