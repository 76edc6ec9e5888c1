import type { JsonObject } from "../../turn/json.ts";
import type { ExecuteResult } from "./session-port.ts";

/** What a turn came to. `results`, `keys` and `subjects` run parallel, in the order the calls ran. */
export interface TurnReport {
  /** The last words of the backend that were not empty. */
  text: string;
  results: ExecuteResult[];
  keys: string[];
  subjects: CallSubject[];
  /** Guides and row windows that were asked for: keys of `describe` calls, `read` calls. */
  needsFulfilled: { describe: number; read: number };
  /** Why the turn stopped before everything was run. */
  unresolved?: Unresolved;
  /** What the backend heard, of a voice turn. */
  transcript?: string;
}

/** What a call was about, for a receipt that names it: the arguments as they were run, and what they mention. */
export interface CallSubject {
  args: JsonObject;
  /** Ids of columns of the contract that the arguments name. */
  columns: string[];
  rowKeys: string[];
}

export interface Unresolved {
  code:
    | "discovery-exhausted"
    | "continuation-exhausted"
    | "repeated-plan"
    | "no-reader-channel"
    | "question-unanswered";
  message: string;
  /** Keys of capabilities that were proposed and did not run. */
  pending: string[];
}
