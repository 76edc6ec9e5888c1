import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import { pinKeepMs } from "../src/table/backend/pin-store.ts";
import { TablePins } from "./table-pins.ts";
import { WakeUp } from "./wake-up.ts";

/**
 * What one owner's tables told of themselves: the store behind their pins. One object an owner, so that a session id
 * under another credential finds nothing and the number kept is bounded for each owner.
 */
export class TableObject extends DurableObject<Env> {
  private readonly pins: TablePins;
  private readonly wakeUp: WakeUp;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.pins = new TablePins(ctx.storage.sql);
    this.wakeUp = new WakeUp(ctx.storage);
  }

  keep(sessionId: string, tableId: string, doc: string): { known: boolean } {
    const now = Date.now();
    this.wakeUp.by(now + pinKeepMs);
    return this.pins.keep(sessionId, tableId, doc, now);
  }

  find(sessionId: string, tableId: string): string | null {
    return this.pins.find(sessionId, tableId, Date.now());
  }

  noteLoss(turnId: string): void {
    const now = Date.now();
    this.wakeUp.by(now + pinKeepMs);
    this.pins.noteLoss(turnId, now);
  }

  wasLost(turnId: string): boolean {
    return this.pins.wasLost(turnId, Date.now());
  }

  override alarm(): void {
    this.wakeUp.rang();
    const next = this.pins.expire(Date.now());
    if (next !== null) this.wakeUp.by(next);
  }
}
