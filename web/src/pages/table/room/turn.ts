import type { Receipt } from "../../../../../src/table/index.ts";

/** What became of a turn; `interrupted`: the page was left or reloaded before it ended. */
type TurnStatus = "running" | "done" | "stopped" | "failed" | "interrupted";

/** A receipt as it is shown: taken back or not. */
export interface ShownReceipt extends Receipt {
  undone: boolean;
}

/** One thing the reader said, and all that came of it. */
export interface Turn {
  id: string;
  /** The reader's words; of a clip, what the backend heard, empty until then. */
  said: string;
  spoken: boolean;
  /** The answer so far. */
  text: string;
  receipts: ShownReceipt[];
  status: TurnStatus;
  /** Why it stopped short, for a person. */
  note: string | null;
}
