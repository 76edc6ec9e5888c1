/** How long a client may rely on a pin after it was acknowledged, milliseconds. */
export const pinTtlMs = 30 * 60_000;

/** A pin in use is written down as used this often, milliseconds: a turn on a fresh pin only reads. */
export const pinTouchMs = 60_000;

/** A pin unused for this long is gone, milliseconds. Longer than what a client was told by more than it may lag. */
export const pinKeepMs = pinTtlMs + 2 * pinTouchMs;

/** Most pins kept for one owner; the one used longest ago goes first. */
export const maxPins = 500;

/** Most turns remembered of one session's table: forty lines of a conversation. */
export const maxSaidTurns = 20;

/** Most turns remembered for one owner. */
export const maxSaidOfAll = 2_000;

/** Most characters of a line that are remembered. */
export const maxSaidChars = 2_000;

/** What a turn came to in words. A later round of the turn takes the place of an earlier one. */
export interface SaidTurn {
  turnId: string;
  message: string;
  /** Empty while nothing was answered in words. */
  reply: string;
}

/**
 * The pins of one owner: what tables told in which sessions. `doc` is opaque here. Nobody else's store finds them,
 * whatever session id they send.
 */
export interface PinStore {
  /**
   * Pins `doc` for the session's table in place of what was pinned before. `known`: the very same was acknowledged less
   * than the lifetime of a pin ago, so a client that still sends it does not pin. `said`: what was said in the session at that table, oldest first.
   */
  keep(sessionId: string, tableId: string, doc: string): Promise<{ known: boolean; said: SaidTurn[] }>;
  /** What is pinned for the session's table, and what was said there; `null` when nothing is, or no longer. */
  find(sessionId: string, tableId: string): Promise<{ doc: string; said: SaidTurn[] } | null>;
  /** Remembers the words of a turn, as long as an unused pin would last. */
  say(sessionId: string, tableId: string, turn: SaidTurn): Promise<void>;
  /** Notes that a turn was told its pin is gone, so that its next request is known to want one again. */
  noteLoss(turnId: string): Promise<void>;
  /** Whether the turn was told so, lately. */
  wasLost(turnId: string): Promise<boolean>;
}
