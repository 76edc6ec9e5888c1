import type { Decision, Interrupt, JsonObject, Message } from "../../turn/index.ts";
import {
  type CallStatus,
  type SessionStore,
  type StoredCall,
  type StoredInterrupt,
  tailWeight,
  weightOf,
} from "./session-store.ts";

/** A session in memory: that of a stateless turn, which ends with the turn. */
export class MemorySessionStore implements SessionStore {
  private readonly frames = new Map<string, Message[]>();
  private readonly ids = new Set<string>();
  private readonly calls = new Map<string, StoredCall>();
  /** By the call they are about. */
  private readonly interrupts = new Map<string, StoredInterrupt>();
  private shared: JsonObject;

  constructor(state: JsonObject) {
    this.shared = state;
  }

  tail(frame: string): { messages: Message[]; omitted: number } {
    const all = this.messages(frame);
    let first = all.length;
    let weight = 0;
    for (const message of all.toReversed()) {
      if (weight >= tailWeight) break;
      weight += weightOf(message, JSON.stringify(message).length);
      first -= 1;
    }
    const older = all.slice(0, first).filter(({ role }) => role === "system");
    return { messages: [...older, ...all.slice(first)], omitted: first - older.length };
  }

  /** Every message of a frame. */
  messages(frame: string): Message[] {
    return [...(this.frames.get(frame) ?? [])];
  }

  lastMessage(frame: string): Message | undefined {
    return this.frames.get(frame)?.at(-1);
  }

  hasMessage(id: string): boolean {
    return this.ids.has(id);
  }

  append(frame: string, message: Message): void {
    const messages = this.frames.get(frame);
    if (messages === undefined) this.frames.set(frame, [message]);
    else messages.push(message);
    this.ids.add(message.id);
  }

  addCalls(calls: StoredCall[]): void {
    for (const call of calls) this.calls.set(call.callId, call);
  }

  openCalls(frame: string): StoredCall[] {
    return [...this.calls.values()].filter((call) => call.frame === frame && call.status !== "done");
  }

  call(callId: string): StoredCall | undefined {
    return this.calls.get(callId);
  }

  setCall(callId: string, change: { status: CallStatus; args?: JsonObject }): void {
    const call = this.calls.get(callId);
    if (call !== undefined) this.calls.set(callId, { ...call, ...change });
  }

  addInterrupt(interrupt: Interrupt): void {
    this.interrupts.set(interrupt.callId, { interrupt, status: "pending", decision: null });
    this.setCall(interrupt.callId, { status: "waiting" });
  }

  interrupt(id: string): StoredInterrupt | undefined {
    return [...this.interrupts.values()].find(({ interrupt }) => interrupt.id === id);
  }

  interruptOfCall(callId: string): StoredInterrupt | undefined {
    return this.interrupts.get(callId);
  }

  pendingInterrupts(): Interrupt[] {
    return [...this.interrupts.values()]
      .filter(({ status }) => status === "pending")
      .map(({ interrupt }) => interrupt);
  }

  decide(id: string, decision: Decision): void {
    const stored = this.interrupt(id);
    if (stored?.status !== "pending") return;
    const { callId } = stored.interrupt;
    this.interrupts.set(callId, { ...stored, status: "decided", decision });
    this.setCall(callId, { status: "decided" });
  }

  cancelInterrupt(callId: string): void {
    const stored = this.interrupts.get(callId);
    if (stored?.status === "pending") this.interrupts.set(callId, { ...stored, status: "cancelled" });
  }

  state(): JsonObject {
    return this.shared;
  }

  setState(state: JsonObject): void {
    this.shared = state;
  }
}
