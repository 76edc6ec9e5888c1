import type { Pin } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";

/** How long a pin is trusted when the backend does not say. */
const defaultTtlMs = 30 * 60_000;

/** A contract that a backend said it holds. */
interface HeldPin {
  contractVersion: string;
  /** The handle the backend holds it under. */
  sessionId?: string;
  expiresAt: number;
}

/** What was sent when a reply came: its place in the order of sending, and the contract it carried or relied on. */
interface SentContract {
  place: number;
  version: string;
  sessionId?: string;
  /** The contract itself travelled. */
  full: boolean;
}

/**
 * Which contract one backend holds for one table session. A pin is only what a backend acknowledged with the very
 * version it was sent: an acknowledgement of another version, or of none, pins nothing.
 */
export interface PinMachine {
  /** The place of a request about to be sent. */
  claim(): number;
  /** The pin, unless its time is over. */
  held(): HeldPin | undefined;
  /** Whether this backend has ever acknowledged a contract. */
  pins(): boolean;
  /**
   * A reply's word on the pin. One that answers an earlier request than the last acknowledged one, or one sent before
   * `forget`, changes nothing. Whether the reply counted.
   */
  take(sent: SentContract, pin: Pin | undefined, sessionId: string | undefined): boolean;
  /** No pin, whatever requests under way may still bring. */
  forget(): void;
}

/** A machine that holds no pin. `now` gives milliseconds. */
export function pinMachine(now: () => number): PinMachine {
  let pin: HeldPin | undefined;
  let places = 0;
  let settled = 0;
  let acknowledged = false;

  return {
    claim: () => ++places,
    held() {
      if (pin && now() >= pin.expiresAt) pin = undefined;
      return pin;
    },
    pins: () => acknowledged,
    take({ place, version, sessionId: carried, full }, answer, issued) {
      if (place < settled) return false;
      if (answer?.status === "acknowledged" && answer.contractVersion === version) {
        settled = place;
        acknowledged = true;
        pin = {
          contractVersion: version,
          ...given("sessionId", issued ?? carried),
          expiresAt: now() + (answer.ttlMs ?? defaultTtlMs),
        };
      } else if (answer || full) {
        // Whoever was sent a contract and does not name it may hold neither it nor the one before.
        pin = undefined;
      }
      return true;
    },
    forget() {
      pin = undefined;
      settled = places + 1;
    },
  };
}
