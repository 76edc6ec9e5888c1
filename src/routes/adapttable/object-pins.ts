import type { Env } from "../../env.ts";
import type { PinStore } from "../../table/backend/pin-store.ts";

/** The pins of `owner`, in that owner's object. */
export function objectPins(env: Env, owner: string): PinStore {
  const object = () => env.TABLE.get(env.TABLE.idFromName(owner));
  return {
    keep: (sessionId, tableId, doc) => object().keep(sessionId, tableId, doc),
    find: (sessionId, tableId) => object().find(sessionId, tableId),
    noteLoss: (turnId) => object().noteLoss(turnId),
    wasLost: (turnId) => object().wasLost(turnId),
  };
}
