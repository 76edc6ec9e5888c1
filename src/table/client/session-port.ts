import type { Json, JsonObject } from "../../turn/json.ts";
import type {
  CatalogEntry,
  ContextSelection,
  TableContract,
  TableManifest,
  TablePolicy,
  TableView,
} from "../protocol/contract.ts";

/**
 * What the client needs of a table session. The session owns permissions, redaction, revisions, approvals, commit policy
 * and replay; the client owns the wire, the plan and the identity of each call. All reads here are synchronous and cheap
 * enough to be made before every request; nothing but `execute` changes anything.
 *
 * Approvals and staged saves happen inside `execute`, which therefore may take as long as a person does. What asks the
 * reader a question of the backend (`askUser`) is an option of the client's `send`, not of the session.
 */
export interface TableSessionPort {
  /** May change when the host swaps tables under a session: the client ends a turn that sees it change. */
  readonly tableId: string;

  /**
   * What travels: the contract as permitted now (no unreadable column's filter, no excluded capability, no row value)
   * with the guides that `options` select. Throws an error with `code: "include-unavailable"` for a key of `include`
   * that is not offered.
   */
  context(options?: ContextOptions): { contract: TableContract; selection: ContextSelection };

  /** The contract in the older shape; its `viewRevision` equals `view().revision` read at the same moment. */
  manifest(): TableManifest;

  /** Capabilities offered now, in order of their keys. */
  catalog(): CatalogEntry[];

  /** The manifest's policy alone: it is looked at before and after every request. */
  policy(): TablePolicy;

  /**
   * Where the table is now. `revision` never falls and rises with every change of view, rows, permissions or contract
   * that could make a planned call mean something else.
   */
  view(): TableView;

  /**
   * Guides of `keys` first, then of the members of `bundle` that are offered here, then of what these depend on, at most
   * `AGENT_HTTP_LIMITS.maxGuides`; the rest stands in `deferred`. What is not offered stands in `unavailable`. Never
   * throws and never waits.
   */
  describe(request: DescribeRequest): DescribeAnswer;

  /**
   * Runs one call, or refuses it: every refusal is a result with `ok: false`, nothing is thrown for one. A call whose
   * `idempotencyKey` was run before with the same key and arguments gets the first result and runs nothing.
   * `rows.read` answers with a `RowsEnvelope` as its result.
   */
  execute(order: ExecuteOrder): Promise<ExecuteResult>;
}

/** Which guides travel with a contract. */
export interface ContextOptions {
  /** `full` (the default) carries every guide, `compact` those a turn likely needs within `tokenBudget`. */
  profile?: "compact" | "full";
  /** Estimated tokens a compact context may take; 1,000 unless given. */
  tokenBudget?: number;
  /** Keys to keep first when the budget is short. */
  priority?: string[];
  /** Keys this backend asked about under the same contract: their guides travel. */
  asked?: string[];
  /** Keys whose guides must travel. */
  include?: string[];
  /** Characters divided by four unless given. */
  estimateTokens?(text: string): number;
}

export interface DescribeRequest {
  keys?: string[];
  /** A family of capabilities: `editing`, `addressing`, `grouping` or `view`. */
  bundle?: string;
}

export interface DescribeAnswer {
  guides: Guide[];
  unavailable: string[];
  deferred?: string[];
}

/** How to use a capability, with schemas narrowed to what this table has now. */
export interface Guide {
  /** `AdaptTable`'s schema family, as every message names it. */
  schemaVersion: string;
  key: string;
  guide: string;
  short?: string;
  input: JsonObject;
  output: JsonObject;
}

export interface ExecuteOrder {
  /** A capability's key; never `describe` or `read`. */
  key: string;
  args: JsonObject;
  /** The revision the caller saw; another one is refused with `revision-mismatch`. */
  expectedRevision: number;
  /** Minted by the client from table, turn, phase and position, never from what a backend said. */
  idempotencyKey: string;
  /** Aborted before the call has run: `cancelled`, and nothing has changed. */
  signal: AbortSignal;
}

export interface ExecuteResult {
  ok: boolean;
  /** The revision this call's own apply produced; of a call that changed nothing, the one it was admitted at. */
  revision: number;
  idempotencyKey: string;
  result?: Json;
  error?: { code: string; message: string };
}

/** What `rows.read` answers: data people typed, without the columns this reader may not see. */
export interface RowsEnvelope {
  source: "table-rows";
  untrusted: true;
  revision: number;
  rows: {
    rows: { rowKey: string; cells: JsonObject }[];
    offset: number;
    /** After clamping to the contract's `limits.readMax`. */
    limit: number;
    /** Ids of columns that were asked for and withheld. */
    redacted: string[];
  };
}
