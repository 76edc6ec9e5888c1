import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import type { SaidTurn } from "../src/table/backend/pin-store.ts";
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

  keep(sessionId: string, tableId: string, doc: string): { known: boolean; said: SaidTurn[] } {
    const kept = this.pins.keep(sessionId, tableId, doc, Date.now());
    this.wakeInTime();
    return kept;
  }

  find(sessionId: string, tableId: string): { doc: string; said: SaidTurn[] } | null {
    return this.pins.find(sessionId, tableId, Date.now());
  }

  say(sessionId: string, tableId: string, turn: SaidTurn): void {
    this.pins.say(sessionId, tableId, turn, Date.now());
    this.wakeInTime();
  }

  noteLoss(turnId: string): void {
    this.pins.noteLoss(turnId, Date.now());
    this.wakeInTime();
  }

  wasLost(turnId: string): boolean {
    return this.pins.wasLost(turnId, Date.now());
  }

  override alarm(): void {
    this.wakeUp.rang();
    this.pins.expire(Date.now());
    this.wakeInTime();
  }

  /** A life that began after an alarm was set does not put it off: what is held says when it is due. */
  private wakeInTime(): void {
    const next = this.pins.nextExpiry();
    if (next !== null) this.wakeUp.by(next);
  }
}
