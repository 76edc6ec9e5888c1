import type { Block, TurnEvent, TurnOutcome, TurnUsage } from "../turn/index.ts";
import { parseArguments } from "./call-arguments.ts";
import { brokenOff } from "./turn-failure.ts";

/** What the agent itself said and did in a turn, for a reply in one piece. */
export interface CollectedTurn {
  /** Who answered; `null`: the turn ended before that was known. */
  answeredBy: AnsweredBy | null;
  /** In the order they began, each with the message it belongs to. Empty texts are left out. */
  blocks: CollectedBlock[];
  usage: TurnUsage;
  outcome: TurnOutcome;
}

/** The model that answers a turn. */
export interface AnsweredBy {
  model: string;
  /** The agent's own script stands in for a model. */
  scripted: boolean;
}

export type CollectedBlock = Block & { messageId: string };

export const noUsage: TurnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/**
 * Reads a turn to its end. What its subagents say is left out, and so are results: they are in the conversation. Events
 * that end before `turn-end` make a failed turn; what they throw is thrown.
 */
export async function collectTurn(events: AsyncIterable<TurnEvent[]>): Promise<CollectedTurn> {
  const collector = new TurnCollector();
  for await (const batch of events) {
    for (const event of batch) collector.take(event);
    if (batch.at(-1)?.type === "turn-end") break;
  }
  return collector.collected();
}

class TurnCollector {
  private readonly blocks: CollectedBlock[] = [];
  /** Blocks still open: a text by its message's id, a reasoning and a call by their own. */
  private readonly texts = new Map<string, CollectedBlock & { type: "text" }>();
  private readonly reasonings = new Map<string, CollectedBlock & { type: "reasoning" }>();
  private readonly calls = new Map<string, { block: CollectedBlock & { type: "call" }; args: string }>();
  private answeredBy: AnsweredBy | null = null;
  private usage = noUsage;
  private outcome: TurnOutcome = { type: "failed", failure: brokenOff };

  take(event: TurnEvent): void {
    if ("subagent" in event && event.subagent !== undefined) return;
    switch (event.type) {
      case "turn-start":
        this.answeredBy = { model: event.model, scripted: event.scripted };
        return;
      case "text-start": {
        const block = { type: "text" as const, text: "", messageId: event.messageId };
        this.texts.set(event.messageId, block);
        this.blocks.push(block);
        return;
      }
      case "text-delta": {
        const block = this.texts.get(event.messageId);
        if (block !== undefined) block.text += event.delta;
        return;
      }
      case "reasoning-start": {
        const block = { type: "reasoning" as const, text: "", messageId: event.messageId };
        this.reasonings.set(event.id, block);
        this.blocks.push(block);
        return;
      }
      case "reasoning-delta": {
        const block = this.reasonings.get(event.id);
        if (block !== undefined) block.text += event.delta;
        return;
      }
      case "reasoning-end": {
        const block = this.reasonings.get(event.id);
        if (block === undefined) return;
        if (event.signature !== undefined) block.signature = event.signature;
        if (event.redacted !== undefined) block.redacted = event.redacted;
        return;
      }
      case "call-start": {
        const { callId, name, messageId } = event;
        const block = { type: "call" as const, callId, name, args: {}, messageId };
        this.calls.set(callId, { block, args: "" });
        this.blocks.push(block);
        return;
      }
      case "call-args": {
        const call = this.calls.get(event.callId);
        if (call !== undefined) call.args += event.delta;
        return;
      }
      case "call-end": {
        const call = this.calls.get(event.callId);
        if (call !== undefined) call.block.args = parseArguments(call.args);
        return;
      }
      case "usage":
        this.usage = event.usage;
        return;
      case "turn-end":
        this.outcome = event.outcome;
        return;
    }
  }

  collected(): CollectedTurn {
    const { answeredBy, usage, outcome } = this;
    return { answeredBy, blocks: this.blocks.filter(isSomething), usage, outcome };
  }
}

function isSomething(block: CollectedBlock): boolean {
  if (block.type === "text") return block.text !== "";
  if (block.type === "reasoning")
    return block.text !== "" || block.signature !== undefined || block.redacted !== undefined;
  return true;
}
