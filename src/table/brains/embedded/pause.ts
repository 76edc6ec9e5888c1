import type { AskUser } from "../../protocol/messages.ts";

export interface RowSearch {
  names: string[];
  columns: string[];
}

/**
 * Thrown where a wish cannot be understood without something that only the next round brings: rows, a guide or the
 * reader's choice. The same wish is understood again from its beginning when that is there.
 */
export class Pause extends Error {
  /** Ids of columns whose cells are needed. */
  readonly columns?: string[];
  readonly guide?: string;
  readonly ask?: Omit<AskUser, "id">;
  /** Names of rows to look for by a search, with the columns that are needed of them. */
  readonly search?: RowSearch;

  constructor(need: {
    columns?: string[];
    guide?: string;
    ask?: Omit<AskUser, "id">;
    search?: RowSearch;
  }) {
    super("more is needed first");
    if (need.columns !== undefined) this.columns = need.columns;
    if (need.guide !== undefined) this.guide = need.guide;
    if (need.ask !== undefined) this.ask = need.ask;
    if (need.search !== undefined) this.search = need.search;
  }
}

/** Thrown where a wish cannot be met; the message is a sentence for the reader. */
export class Refusal extends Error {}

/** Thrown where a wish is not understood; the message is what was said of it, or with `reason` what is not known. */
export class NotUnderstood extends Error {
  readonly reason: boolean;

  constructor(message: string, reason = false) {
    super(message);
    this.reason = reason;
  }
}
