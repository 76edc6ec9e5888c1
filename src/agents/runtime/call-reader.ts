import type { Block, CallBlock } from "../../turn/message.ts";
import type { BlockEvents, BlockOrder } from "./block-order.ts";
import { CallArguments } from "./call-arguments.ts";

export interface CallNaming {
  messageId: string;
  toolNames: ReadonlySet<string>;
  clientToolNames: ReadonlySet<string>;
  isCallIdTaken(callId: string): boolean;
  mintCallId(): string;
}

/** A call whose arguments cannot be used, and why, in words for the model. */
export interface InvalidCall {
  callId: string;
  message: string;
}

/** Longest arguments of a call, characters: a row of the session and one of the inbox hold them, 2 MB each. */
const maxArgumentChars = 500_000;

interface OpenCall {
  providerId: string;
  block: CallBlock;
  events: BlockEvents;
  args: CallArguments;
  /** What the model wrote so far. */
  written: string;
  /** Another open call has the same provider id: whose a piece is cannot be told, so both wait for the whole. */
  frozen: boolean;
}

/** Ids that every provider takes back. */
const saneId = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads the tool calls of one answer. Each gets an id that is unique in its session, the model's own where that is one,
 * and arguments whose pieces join to a JSON object whatever the model wrote.
 */
export class CallReader {
  private readonly naming: CallNaming;
  private readonly order: BlockOrder;
  private readonly blocks: Block[];
  private readonly invalid: InvalidCall[];
  private readonly open: OpenCall[] = [];
  private readonly ids = new Set<string>();

  constructor(naming: CallNaming, order: BlockOrder, blocks: Block[], invalid: InvalidCall[]) {
    this.naming = naming;
    this.order = order;
    this.blocks = blocks;
    this.invalid = invalid;
  }

  start(providerId: string, name: string): OpenCall {
    const { messageId, clientToolNames } = this.naming;
    const twin = this.open.find((call) => call.providerId === providerId);
    if (twin !== undefined) twin.frozen = true;
    const callId = this.idFor(providerId);
    const call: OpenCall = {
      providerId,
      block: { type: "call", callId, name, args: {} },
      events: this.order.begin(),
      args: new CallArguments(),
      written: "",
      frozen: twin !== undefined,
    };
    this.open.push(call);
    this.blocks.push(call.block);
    this.order.add(call.events, {
      type: "call-start",
      callId,
      name,
      messageId,
      clientTool: clientToolNames.has(name),
    });
    return call;
  }

  add(providerId: string, piece: string): void {
    const call = this.find(providerId);
    if (call === undefined || call.frozen) return;
    call.written += piece;
    this.give(call, call.args.push(piece));
  }

  /** The call is written; `input` is all of it. */
  finish(providerId: string, name: string, input: string): void {
    const call = this.find(providerId) ?? this.start(providerId, name);
    // What has been shown cannot be taken back: a different whole makes the call invalid.
    const differs = !input.startsWith(call.written);
    if (!differs) this.give(call, call.args.push(input.slice(call.written.length)));
    this.close(call, differs ? "came twice and differ" : null);
  }

  /** Closes the calls that were never finished. */
  end(): void {
    for (const call of [...this.open]) this.close(call, call.args.isEmpty() ? "were cut off" : null);
  }

  private find(providerId: string): OpenCall | undefined {
    return this.open.find((call) => call.providerId === providerId);
  }

  private give(call: OpenCall, delta: string): void {
    if (delta !== "") this.order.add(call.events, { type: "call-args", callId: call.block.callId, delta });
  }

  /** `fault`: what is wrong with the arguments beside what they themselves show. */
  private close(call: OpenCall, fault: string | null): void {
    const { block, args, events } = call;
    const { callId, name } = block;
    const { rest, text, complete } = args.close();
    this.give(call, rest);
    block.args = JSON.parse(text);
    this.order.add(events, { type: "call-end", callId });
    this.order.end(events);
    this.open.splice(this.open.indexOf(call), 1);
    if (!this.naming.toolNames.has(name)) {
      const known = [...this.naming.toolNames].join(", ") || "none";
      this.invalid.push({ callId, message: `There is no tool ${JSON.stringify(name)}. There is: ${known}.` });
    } else if (text.length > maxArgumentChars) {
      const message = `The arguments of ${name} are longer than ${maxArgumentChars} characters. The call was not run.`;
      this.invalid.push({ callId, message });
    } else if (!complete || fault !== null) {
      const why = fault ?? "are not a JSON object";
      this.invalid.push({ callId, message: `The arguments of ${name} ${why}. The call was not run.` });
    }
  }

  private idFor(providerId: string): string {
    const usable =
      saneId.test(providerId) && !this.ids.has(providerId) && !this.naming.isCallIdTaken(providerId);
    const id = usable ? providerId : this.naming.mintCallId();
    this.ids.add(id);
    return id;
  }
}
