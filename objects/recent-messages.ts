import { tailWeight } from "../src/agents/runtime/session-store.ts";
import type { Message } from "../src/turn/index.ts";

interface RecentMessage {
  /** Its place in its conversation, from 1. */
  n: number;
  weight: number;
  message: Message;
}

/** The newest messages of a conversation, oldest first: as few as weigh `tailWeight` together. */
export class RecentMessages {
  private readonly kept: RecentMessage[];
  private weight = 0;

  constructor(kept: RecentMessage[]) {
    this.kept = kept;
    for (const { weight } of kept) this.weight += weight;
    this.drop();
  }

  push(newest: RecentMessage): void {
    this.kept.push(newest);
    this.weight += newest.weight;
    this.drop();
  }

  /** Place of the oldest; 1 when there is none. */
  get first(): number {
    return this.kept[0]?.n ?? 1;
  }

  messages(): Message[] {
    return this.kept.map(({ message }) => message);
  }

  newest(): Message | undefined {
    return this.kept.at(-1)?.message;
  }

  private drop(): void {
    for (;;) {
      const [oldest] = this.kept;
      if (oldest === undefined || this.weight - oldest.weight < tailWeight) return;
      this.weight -= oldest.weight;
      this.kept.shift();
    }
  }
}
