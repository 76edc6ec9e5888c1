import type { TurnEvent } from "../../turn/event.ts";

/** The events of one block that is being written. */
export interface BlockEvents {
  waiting: TurnEvent[];
  ended: boolean;
}

/**
 * Puts the events of blocks that are written side by side one after another: the oldest block that has not ended is
 * heard at once, the others wait for it.
 */
export class BlockOrder {
  private readonly open: BlockEvents[] = [];
  private ready: TurnEvent[] = [];

  begin(): BlockEvents {
    const block: BlockEvents = { waiting: [], ended: false };
    this.open.push(block);
    return block;
  }

  add(block: BlockEvents, event: TurnEvent): void {
    if (block === this.open[0]) this.ready.push(event);
    else block.waiting.push(event);
  }

  end(block: BlockEvents): void {
    block.ended = true;
    while (this.open[0]?.ended) {
      this.open.shift();
      const next = this.open[0];
      if (next === undefined) return;
      this.ready.push(...next.waiting);
      next.waiting = [];
    }
  }

  /** What is to be heard now. */
  take(): TurnEvent[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }
}
