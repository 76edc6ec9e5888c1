import type { Json, JsonObject } from "../../turn/json.ts";
import type { ContextOptions, ExecuteOrder, TableSessionPort } from "../client/session-port.ts";
import type { CapabilityKind, RowScope, TablePolicy } from "../protocol/contract.ts";
import type { HostColumn } from "./table-host.ts";

export interface TableSessionOptions {
  /** Nothing is written, every write is approved and edits are staged, unless given. */
  policy?: Partial<TablePolicy>;
  /** Narrows what an agent may do with a column below what the host permits; asked each time, so it may change. */
  permit?(column: HostColumn): { readable?: boolean; writable?: boolean };
  /** Keys that are not offered, described or executed. */
  excludeCapabilities?: string[];
  /** Sets apart single capabilities from the approval policy. */
  capabilityApproval?: Record<string, "required" | "automatic">;
  /** Asks the reader. Without one, what needs approval waits: nothing runs. */
  approve?: ApprovalHandler;
  /** Permits the reader to answer `always` for operations that destroy nothing and list no rows. */
  alwaysAllow?: boolean;
  /** How an approval is best drawn, by capability key; a list of rows is a table otherwise. */
  presentation?: Record<string, Presentation>;
  /** Most rows of one read (50) and of one page (the largest size offered, or 100). */
  limits?: { readMax?: number; pageMax?: number };
  /** Where a position counts when a call names no scope; `visible` unless given. */
  rowScope?: RowScope;
  /** Results kept for calls that come again; 200 unless given. */
  replayLimit?: number;
  /** Tokens of a text, for the compact profile's budget. */
  estimateTokens?: ContextOptions["estimateTokens"];
}

export type Presentation = "widget" | "table" | "modal";

export type ApprovalHandler = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** What the reader is asked. One is open at a time. */
export interface ApprovalRequest {
  id: string;
  capability: string;
  kind: CapabilityKind;
  /** One line, such as `Change 2 cells`. */
  title: string;
  subject: ApprovalSubject;
  /** Whether `always` may be answered. */
  alwaysAllowed: boolean;
}

export type ApprovalSubject =
  | {
      type: "rows";
      proposals: Proposal[];
      /** Single proposals may be approved: `{ approved: [positions] }`. */
      perItem: boolean;
      presentation: Presentation;
    }
  | {
      type: "operation";
      capability: string;
      title?: string;
      arguments: JsonObject;
      presentation: Presentation;
    };

/**
 * True or false for all of it, or the positions in `proposals` (from 0) that are approved, none of which rejects; null
 * when the reader put the question away, which leaves the call free to come again.
 */
export type ApprovalDecision =
  | boolean
  | null
  | { approved: boolean | number[]; reason?: string; always?: boolean };

/** One change a write would make. Values of unreadable columns are left out of `before`. */
export interface Proposal {
  rowKey: string;
  column?: string;
  before?: Json;
  after?: Json;
}

export type Approval = "pending" | "approved" | "partial" | "rejected" | "cancelled" | "not-required";

/** What a write answers. `applied`: all that was approved is in the table, saved, or with `staged` waiting for a save. */
export interface WriteResult {
  proposals: Proposal[];
  applied: boolean;
  approval: Approval;
  approvalReason?: string;
  /** Shown to the reader and not saved yet. */
  staged?: boolean;
  results?: { rowKey: string; column?: string; ok: boolean; error?: string }[];
}

export type ReceiptStatus =
  | "executed"
  | "staged"
  | "partial"
  | "rejected"
  | "awaiting-approval"
  | "cancelled"
  | "stale"
  | "failed";

/** What became of one call, in words for a reader. */
export interface Receipt {
  /** The call's idempotency key. */
  id: string;
  capability: string;
  kind: CapabilityKind | null;
  status: ReceiptStatus;
  /** A few words for a chip, such as `Sorted by Salary, highest first`. */
  text: string;
  /** What changed; of what failed or waits, what would have. */
  changes: ReceiptChange[];
  revision: number;
  /** `undo(id)` takes it back, as long as the reader has not changed the same thing since. */
  undoable: boolean;
  error?: { code: string; message: string };
}

export interface ReceiptChange {
  label: string;
  before?: string;
  after?: string;
}

export type TableSessionEvent =
  /** The view, rows, permissions or policy changed, by whomever. */
  | { type: "change"; revision: number }
  | { type: "start"; order: Pick<ExecuteOrder, "key" | "args" | "idempotencyKey"> }
  /** Null when the open one was answered or given up. */
  | { type: "approval"; request: ApprovalRequest | null }
  | { type: "receipt"; receipt: Receipt }
  | { type: "undo"; id: string; revision: number };

export interface UndoResult {
  ok: boolean;
  revision: number;
  /** The receipt that was taken back. */
  id?: string;
  error?: { code: "nothing-to-undo" | "undo-stale" | "apply-failed"; message: string };
}

/** A table session: what a client drives, and what a page draws. */
export interface TableSession extends TableSessionPort {
  policy(): TablePolicy;
  setPolicy(policy: Partial<TablePolicy>): void;
  setApprovalHandler(handler: ApprovalHandler | null): void;
  /** What became of the calls, oldest first; at most as many as replays are kept. */
  receipts(): Receipt[];
  /** The receipt of a call; undefined when it never ran here or was forgotten. */
  receipt(idempotencyKey: string): Receipt | undefined;
  /** Takes back a view change: the newest one unless a receipt's id is given. Writes are never undone. */
  undo(id?: string): Promise<UndoResult>;
  /** Listens until the returned function is called. A listener that throws is reported and skipped. */
  subscribe(listener: (event: TableSessionEvent) => void): () => void;
  /** Stops listening to the host. */
  close(): void;
}
