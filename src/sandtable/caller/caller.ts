import type { CallerAct } from "../domain/types.ts";
import type { CallRecord } from "../trial/conversation.ts";

/** What a caller does next: says a line, hangs up, or says a last line and hangs up. */
export interface CallerMove {
  /** The line, which may be empty; `null` only together with `hangUp`: the call is over at once. */
  say: string | null;
  act: CallerAct;
  /** With a line: it is delivered, the agent finishes that turn, then the call is over. */
  hangUp: boolean;
  /** Present when `hangUp`. */
  endedBy?: "caller_hung_up" | "patience";
}

/** What the agent did about the caller's last line. */
export interface AgentTurn {
  reply: string;
  /** Calls of this turn, in the order they ran. */
  calls: CallRecord[];
  /** From 1. */
  turn: number;
}

/** Where a scripted caller stands between two lines. Plain JSON, stored with the trial. */
export type ScriptedState = {
  /** How often each line of `replies` was said, by position; the fallback comes last. */
  used: number[];
  /** How many more times it insists, refuses or falls back. */
  patience: number;
  /** The amount the agent last named, for `{offer}`. */
  offer: number | null;
};

export { nextScripted, openScripted } from "./scripted.ts";
