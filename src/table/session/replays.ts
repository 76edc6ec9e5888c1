import type { ExecuteResult } from "../client/session-port.ts";

export interface ReplayRecord {
  /** Capability and arguments. */
  fingerprint: string;
  key: string;
  mutates: boolean;
  result: ExecuteResult;
}

/**
 * What calls answered, by their idempotency keys, so that a call that comes again runs nothing: the newest `limit` of
 * them. Of changes that were forgotten the keys stay known, so that they are refused rather than run twice.
 */
export class Replays {
  private readonly limit: number;
  private readonly done = new Map<string, ReplayRecord>();
  private readonly running = new Map<string, { fingerprint: string; result: Promise<ExecuteResult> }>();
  private readonly forgotten = new Set<string>();

  constructor(limit: number) {
    this.limit = limit;
  }

  recorded(idempotencyKey: string): ReplayRecord | undefined {
    return this.done.get(idempotencyKey);
  }

  inFlight(idempotencyKey: string): { fingerprint: string; result: Promise<ExecuteResult> } | undefined {
    return this.running.get(idempotencyKey);
  }

  isForgotten(idempotencyKey: string): boolean {
    return this.forgotten.has(idempotencyKey);
  }

  start(idempotencyKey: string, fingerprint: string, result: Promise<ExecuteResult>): void {
    this.running.set(idempotencyKey, { fingerprint, result });
  }

  /** Ends a run; `record` is absent when the same key may run again. Returns the keys forgotten for it. */
  settle(idempotencyKey: string, record?: ReplayRecord): string[] {
    this.running.delete(idempotencyKey);
    if (record === undefined) return [];
    this.done.set(idempotencyKey, record);
    const evicted: string[] = [];
    for (const [key, old] of this.done) {
      if (this.done.size <= this.limit) break;
      this.done.delete(key);
      if (old.mutates) this.forgotten.add(key);
      evicted.push(key);
    }
    return evicted;
  }
}
