import type { Env } from "../../env.ts";
import { tableObject } from "../../store/objects.ts";
import type { PinStore } from "../../table/backend/pin-store.ts";

/** The pins of `owner`, in that owner's object. */
export function objectPins(env: Env, owner: string): PinStore {
  // A stub for each call: one that saw its object fail is of no more use.
  return {
    keep: (sessionId, tableId, doc) => tableObject(env, owner).keep(sessionId, tableId, doc),
    find: (sessionId, tableId) => tableObject(env, owner).find(sessionId, tableId),
    say: (sessionId, tableId, turn) => tableObject(env, owner).say(sessionId, tableId, turn),
    noteLoss: (turnId) => tableObject(env, owner).noteLoss(turnId),
    wasLost: (turnId) => tableObject(env, owner).wasLost(turnId),
  };
}
