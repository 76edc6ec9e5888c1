import { maxPins, type PinStore, pinKeepMs, pinTtlMs } from "./pin-store.ts";

interface MemoryPin {
  doc: string;
  ackedAt: number;
  usedAt: number;
}

/** A pin store in memory, for one owner: it lasts as long as whoever holds it. `now` is in milliseconds. */
export function memoryPins(now: () => number = Date.now): PinStore {
  // Both in the order of their last use.
  const pins = new Map<string, MemoryPin>();
  const losses = new Map<string, number>();
  const keyOf = (sessionId: string, tableId: string) => JSON.stringify([sessionId, tableId]);

  const alive = (key: string): MemoryPin | undefined => {
    const pin = pins.get(key);
    return pin !== undefined && now() < pin.usedAt + pinKeepMs ? pin : undefined;
  };
  const use = (key: string, pin: MemoryPin) => {
    pins.delete(key);
    pins.set(key, { ...pin, usedAt: now() });
    shorten(pins);
  };

  return {
    async keep(sessionId, tableId, doc) {
      const key = keyOf(sessionId, tableId);
      const before = alive(key);
      const known = before?.doc === doc && now() < before.ackedAt + pinTtlMs;
      use(key, { doc, ackedAt: known ? before.ackedAt : now(), usedAt: now() });
      return { known };
    },
    async find(sessionId, tableId) {
      const key = keyOf(sessionId, tableId);
      const pin = alive(key);
      if (pin === undefined) return null;
      use(key, pin);
      return pin.doc;
    },
    async noteLoss(turnId) {
      losses.delete(turnId);
      losses.set(turnId, now());
      shorten(losses);
    },
    async wasLost(turnId) {
      const at = losses.get(turnId);
      return at !== undefined && now() < at + pinKeepMs;
    },
  };
}

function shorten(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= maxPins) return;
    map.delete(key);
  }
}
