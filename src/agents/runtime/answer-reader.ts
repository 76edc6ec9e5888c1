import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ModelPart } from "../../models/language-model.ts";
import type { SubagentRef, TurnEvent } from "../../turn/event.ts";
import type { Block, ReasoningBlock } from "../../turn/message.ts";
import { type BlockEvents, BlockOrder } from "./block-order.ts";
import { type CallNaming, CallReader, type InvalidCall } from "./call-reader.ts";
import { readMetadata, sign } from "./signature.ts";
import { StopText } from "./stop-text.ts";

export interface AnswerReaderOptions extends CallNaming {
  messageId: string;
  /** Who signs. */
  provider: string;
  subagent?: SubagentRef | undefined;
  /** Sequences the answer ends before. */
  stop: readonly string[];
  /** Only the first call is taken. */
  oneCall: boolean;
}

/**
 * Makes events and blocks of what a model streams. Blocks never overlap: a text or a thought ends when the next block
 * begins, and a call that is written beside another is heard after it. Nothing empty comes out.
 */
export class AnswerReader {
  readonly blocks: Block[] = [];
  readonly invalidCalls: InvalidCall[] = [];
  private readonly options: AnswerReaderOptions;
  private readonly order = new BlockOrder();
  private readonly calls: CallReader;
  private text: { block: { type: "text"; text: string }; events: BlockEvents } | null = null;
  private thought: { id: string; block: ReasoningBlock; events: BlockEvents | null } | null = null;
  private thoughts = 0;
  private readonly stopText: StopText;
  /** The first call, as the provider names it, and whether it is written. */
  private firstCall: { id: string; written: boolean } | null = null;

  constructor(options: AnswerReaderOptions) {
    this.options = options;
    this.calls = new CallReader(options, this.order, this.blocks, this.invalidCalls);
    this.stopText = new StopText(options.stop);
  }

  /** The stop sequence the text was ended before; what the model wrote after it is left out. */
  get stoppedBefore(): string | null {
    return this.stopText.hit;
  }

  /** Takes one part; returns the events it makes. */
  read(part: ModelPart): TurnEvent[] {
    if (this.stoppedBefore !== null) return [];
    switch (part.type) {
      case "text-delta":
        this.addText(this.stopText.push(part.delta));
        if (this.stoppedBefore !== null) this.endText();
        break;
      case "text-end":
        this.endText();
        break;
      case "reasoning-start":
        this.startThought();
        this.addThought("", part.providerMetadata);
        break;
      case "reasoning-delta":
        this.addThought(part.delta, part.providerMetadata);
        break;
      case "reasoning-end":
        this.addThought("", part.providerMetadata);
        this.endThought();
        break;
      case "tool-input-start":
        if (part.providerExecuted || this.isOneTooMany(part.id)) break;
        this.endText();
        this.endThought();
        this.calls.start(part.id, part.toolName);
        break;
      case "tool-input-delta":
        this.calls.add(part.id, part.delta);
        break;
      case "tool-call":
        if (part.providerExecuted || this.isOneTooMany(part.toolCallId)) break;
        if (this.firstCall !== null) this.firstCall.written = true;
        this.endText();
        this.endThought();
        this.calls.finish(part.toolCallId, part.toolName, part.input);
        this.addCallSignature(part.providerMetadata);
        break;
    }
    return this.marked();
  }

  /** Closes whatever is open, as a stream that broke leaves it. */
  end(): TurnEvent[] {
    this.endText();
    this.endThought();
    this.calls.end();
    return this.marked();
  }

  /** Whether a call comes beside another where one was asked for. */
  private isOneTooMany(id: string): boolean {
    if (!this.options.oneCall) return false;
    this.firstCall ??= { id, written: false };
    return this.firstCall.id !== id || this.firstCall.written;
  }

  private marked(): TurnEvent[] {
    const { subagent } = this.options;
    const events = this.order.take();
    return subagent === undefined ? events : events.map((event) => ({ ...event, subagent }));
  }

  private addText(delta: string): void {
    if (delta === "") return;
    const { messageId } = this.options;
    if (this.text === null) {
      this.endThought();
      this.text = { block: { type: "text", text: "" }, events: this.order.begin() };
      this.blocks.push(this.text.block);
      this.order.add(this.text.events, { type: "text-start", messageId });
    }
    this.text.block.text += delta;
    this.order.add(this.text.events, { type: "text-delta", messageId, delta });
  }

  private endText(): void {
    this.addText(this.stopText.flush());
    if (this.text === null) return;
    this.order.add(this.text.events, { type: "text-end", messageId: this.options.messageId });
    this.order.end(this.text.events);
    this.text = null;
  }

  private startThought(): void {
    this.endText();
    this.endThought();
    this.thought = { id: "", block: { type: "reasoning", text: "" }, events: null };
  }

  private addThought(delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const { provider } = this.options;
    const { signature, redacted } = readMetadata(metadata);
    if (delta === "" && signature === undefined && redacted === undefined) return;
    if (this.thought === null) this.startThought();
    const { thought } = this;
    if (thought === null) return;
    if (thought.events === null) {
      // Counts the thoughts that are kept, so that whoever has the message can tell the id.
      this.thoughts += 1;
      thought.id = `${this.options.messageId}-r${this.thoughts}`;
      thought.events = this.order.begin();
      this.blocks.push(thought.block);
      this.order.add(thought.events, {
        type: "reasoning-start",
        id: thought.id,
        messageId: this.options.messageId,
      });
    }
    // Signed also where the provider signs nothing: the block says who made it.
    if (redacted !== undefined) thought.block.redacted = sign(provider, redacted);
    else thought.block.signature = sign(provider, signature ?? signatureText(thought.block.signature));
    if (delta === "") return;
    thought.block.text += delta;
    this.order.add(thought.events, { type: "reasoning-delta", id: thought.id, delta });
  }

  private endThought(): void {
    const { thought } = this;
    this.thought = null;
    if (!thought?.events) return;
    const { signature, redacted } = thought.block;
    this.order.add(thought.events, {
      type: "reasoning-end",
      id: thought.id,
      ...(signature === undefined ? {} : { signature }),
      ...(redacted === undefined ? {} : { redacted }),
    });
    this.order.end(thought.events);
  }

  /** Gemini signs calls, and wants the signature back with the call. It travels in a thought without text. */
  private addCallSignature(metadata: SharedV4ProviderMetadata | undefined): void {
    const { signature } = readMetadata(metadata);
    if (signature === undefined) return;
    this.addThought("", { call: { signature } });
    if (this.thought !== null) this.thought.block.signature = sign(this.options.provider, signature, true);
    this.endThought();
  }
}

function signatureText(signature: string | undefined): string {
  return signature?.slice(signature.indexOf(".") + 1) ?? "";
}
