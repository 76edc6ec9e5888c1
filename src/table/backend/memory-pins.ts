import { maxPins, maxSaidTurns, type PinStore, pinKeepMs, pinTtlMs, type SaidTurn } from "./pin-store.ts";

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
  const threads = new Map<string, { usedAt: number; turns: Map<string, SaidTurn> }>();
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

  const saidAt = (key: string): SaidTurn[] => {
    const thread = threads.get(key);
    return thread !== undefined && now() < thread.usedAt + pinKeepMs ? [...thread.turns.values()] : [];
  };

  return {
    async keep(sessionId, tableId, doc) {
      const key = keyOf(sessionId, tableId);
      const before = alive(key);
      const known = before?.doc === doc && now() < before.ackedAt + pinTtlMs;
      use(key, { doc, ackedAt: known ? before.ackedAt : now(), usedAt: now() });
      return { known, said: saidAt(key) };
    },
    async find(sessionId, tableId) {
      const key = keyOf(sessionId, tableId);
      const pin = alive(key);
      if (pin === undefined) return null;
      use(key, pin);
      return { doc: pin.doc, said: saidAt(key) };
    },
    async say(sessionId, tableId, turn) {
      const key = keyOf(sessionId, tableId);
      const turns = new Map(saidAt(key).map((said) => [said.turnId, said]));
      turns.set(turn.turnId, turn);
      shorten(turns, maxSaidTurns);
      threads.delete(key);
      threads.set(key, { usedAt: now(), turns });
      shorten(threads);
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

function shorten(map: Map<string, unknown>, most = maxPins): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
