import type { Json } from "../../turn/json.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "./limits.ts";
import type { AgentHttpRequest, AudioClip, ConversationLine } from "./messages.ts";
import { parseToolCall, parseToolResult } from "./parse-call.ts";
import { parseCatalog, parseContext, parseManifest, parseView } from "./parse-contract.ts";
import { fault, given, isFilled, isNumber, isObject } from "./shape.ts";

/**
 * A table's request from a value that came out of JSON. Throws a `TypeError` that names the field when the request
 * cannot be answered. What only helps (conversation, results, pending calls, context, view, message, turn) counts as
 * absent when it is of another shape, and unknown fields are dropped.
 */
export function parseAgentHttpRequest(value: unknown): AgentHttpRequest {
  if (!isObject(value)) throw fault("request must be an object");
  if (value.schemaVersion !== schemaVersion) throw fault(`schemaVersion must be "${schemaVersion}"`);
  const { kind, tableId, sessionId, viewRevision, message, turnId, phaseId } = value;
  if (!isKind(kind)) throw fault('kind must be "hello", "schema", or "turn"');
  if (!isFilled(tableId)) throw fault("tableId must be a non-empty string");
  if (sessionId !== undefined && !isFilled(sessionId)) throw fault("sessionId must be a non-empty string");
  if (viewRevision !== undefined && !isNumber(viewRevision))
    throw fault("viewRevision must be a finite number");
  const audio = value.audio === undefined ? undefined : parseAudio(value.audio);
  if (kind === "turn" && typeof message !== "string" && !audio)
    throw fault("turn requires a message string or audio");
  return {
    schemaVersion,
    kind,
    tableId,
    ...given("sessionId", sessionId),
    ...given("context", isObject(value.context) ? parseContext(value.context) : undefined),
    ...described(kind, value.manifest, value.catalog),
    ...given("contractVersion", text(value.contractVersion)),
    ...given("selectionVersion", text(value.selectionVersion)),
    ...given("viewRevision", viewRevision),
    ...given("view", isObject(value.view) ? parseView(value.view) : undefined),
    ...given("message", text(message)),
    ...given("audio", audio),
    ...given("conversation", list(value.conversation)?.flatMap(conversationLine)),
    ...given("turnId", text(turnId)),
    ...given("phaseId", isNumber(phaseId) ? phaseId : undefined),
    ...given("toolResults", list(value.toolResults)?.map(parseToolResult)),
    ...given("pendingCalls", list(value.pendingCalls)?.map(parseToolCall)),
  };
}

/** Manifest and catalog: both on hello and schema, both or neither on a turn. */
function described(kind: AgentHttpRequest["kind"], manifest: Json | undefined, catalog: Json | undefined) {
  if (kind === "turn" && manifest === undefined && catalog === undefined) return {};
  return { manifest: parseManifest(manifest), catalog: parseCatalog(catalog) };
}

/** A clip that a request may carry, without parameters of its type. Throws a `TypeError` that names the field. */
export function checkedClip({ mimeType, base64, durationMs }: AudioClip): AudioClip {
  return parseAudio({ mimeType, base64, durationMs });
}

/**
 * A voice clip. The decoded size is estimated from the text, so that a clip too large is refused before it is decoded.
 */
function parseAudio(value: Json): AudioClip {
  if (!isObject(value)) throw fault("audio must be an object");
  const { mimeType, base64, durationMs } = value;
  const { audioTypes, maxAudioMs, maxAudioBytes } = AGENT_HTTP_LIMITS;
  const type = typeof mimeType === "string" ? bareType(mimeType) : "";
  if (!audioTypes.some((known) => known === type))
    throw fault(`audio.mimeType must be one of ${audioTypes.join(", ")}`);
  if (!isFilled(base64)) throw fault("audio.base64 is required");
  if (!isNumber(durationMs) || durationMs <= 0) throw fault("audio.durationMs must be a positive number");
  if (durationMs > maxAudioMs) throw fault(`audio.durationMs exceeds limit of ${maxAudioMs}`);
  if (Math.floor((base64.length * 3) / 4) > maxAudioBytes)
    throw fault(`audio exceeds limit of ${maxAudioBytes} bytes`);
  return { mimeType: type, base64, durationMs };
}

/** A media type without its parameters, such as the codecs that browsers name. */
export function bareType(mimeType: string): string {
  return (mimeType.split(";")[0] ?? "").trim().toLowerCase();
}

function conversationLine(value: Json): ConversationLine[] {
  if (!isObject(value)) return [];
  const { role, text: said } = value;
  return (role === "user" || role === "assistant") && typeof said === "string" ? [{ role, text: said }] : [];
}

function isKind(value: Json | undefined): value is AgentHttpRequest["kind"] {
  return value === "hello" || value === "schema" || value === "turn";
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function list(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
