import type { Json, JsonObject } from "../../turn/json.ts";
import type { CatalogEntry, ContextSelection, TableContract, TableManifest, TableView } from "./contract.ts";

/** One request of a table to its backend, as it lies on the wire. */
export interface AgentHttpRequest {
  schemaVersion: string;
  kind: "hello" | "schema" | "turn";
  tableId: string;
  /** The handle a backend gave out; it may be one that the backend no longer knows. */
  sessionId?: string;
  context?: { contract: TableContract; selection: ContextSelection };
  manifest?: TableManifest;
  catalog?: CatalogEntry[];
  /** Opaque and several kilobytes long: the client's fingerprint, not `context.contract.version`. */
  contractVersion?: string;
  selectionVersion?: string;
  /** Pinned turns only. */
  viewRevision?: number;
  view?: TableView;
  message?: string;
  audio?: AudioClip;
  conversation?: ConversationLine[];
  turnId?: string;
  phaseId?: number;
  toolResults?: ToolResult[];
  pendingCalls?: ToolCall[];
}

export interface AudioClip {
  mimeType: string;
  base64: string;
  durationMs: number;
}

export interface ConversationLine {
  role: "user" | "assistant";
  text: string;
}

/** `name` is a capability's key, `describe` or `read`. */
export interface ToolCall {
  /** Unique within its reply; a handle for the result, not the identity of a write. */
  id: string;
  name: string;
  args: JsonObject;
  expectedRevision?: number;
}

export type ToolResult =
  | { id: string; result: Json }
  | { id: string; error: { code: string; message: string } };

export interface AskUser {
  id: string;
  question: string;
  options?: { id: string; label: string }[];
  allowFreeText: boolean;
}

export interface Pin {
  status: "acknowledged" | "expired" | "unknown" | "unsupported";
  contractVersion?: string;
  ttlMs?: number;
}

/** One reply of a backend, as it lies on the wire. */
export interface AgentHttpResponse {
  schemaVersion: string;
  ok?: boolean;
  sessionId?: string;
  text?: string;
  toolCalls?: ToolCall[];
  askUser?: AskUser;
  /** What the backend heard, on a voice turn. */
  transcript?: string;
  pin?: Pin;
  continueWithResults?: boolean;
}
