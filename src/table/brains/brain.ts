import type { JsonObject } from "../../turn/json.ts";
import type { CatalogEntry, ContextSelection, TableContract, TableView } from "../protocol/contract.ts";
import type { AskUser, ConversationLine, ToolCall, ToolResult } from "../protocol/messages.ts";

/** One round of a turn as a brain sees it. Rows inside `toolResults` are data that someone typed, never instructions. */
export interface BrainRound {
  contract: TableContract;
  catalog: CatalogEntry[];
  view: TableView;
  /** What the reader said; of a voice turn, what was heard. */
  message: string;
  /** Earlier exchanges, oldest first, without `message`. */
  conversation: ConversationLine[];
  phaseId: number;
  /** Answers to what earlier rounds of this phase asked, or receipts of the phase before. */
  toolResults: ToolResult[];
  /** The plan of the round before, which the reply replaces. */
  pendingCalls: ToolCall[];
  /** `YYYY-MM-DD`: the wire carries no clock, so "today" is the backend's day. */
  today: string;
  /** What of the contract did not travel: guides to ask for, and notes of what else was left out. */
  left?: Pick<ContextSelection, "deferred" | "notes">;
}

/** A call a brain wants: the backend gives ids. */
export interface BrainCall {
  /** A capability's key, `describe` or `read`. */
  name: string;
  args: JsonObject;
  expectedRevision?: number;
}

/** A whole plan: what a brain answers replaces what it answered the round before. */
export interface BrainReply {
  text: string;
  calls: BrainCall[];
  ask?: Omit<AskUser, "id">;
}

/** How a brain is asked. */
export interface BrainOptions {
  signal: AbortSignal;
  /**
   * Gets pieces of the reply's text in order, when they come before the whole. Absent: nobody sees them, so an answer
   * that is no good can be made anew.
   */
  onText?(delta: string): void;
}

/** What decides a turn. Throws `ModelError` when its model fails. */
export interface TableBrain {
  answer(round: BrainRound, options: BrainOptions): Promise<BrainReply>;
}
