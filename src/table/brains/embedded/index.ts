import type { TableBrain } from "../brain.ts";
import { replyTo } from "./turn.ts";

/**
 * The brain that needs no model: a deterministic interpreter of table requests in English. It knows nothing but the
 * contract of the round it answers, plans only what that offers, and keeps nothing between rounds. Rejects only when the
 * signal is aborted.
 */
export function embeddedBrain(): TableBrain {
  return {
    answer: async (round, { signal }) => {
      signal.throwIfAborted();
      return replyTo(round);
    },
  };
}
