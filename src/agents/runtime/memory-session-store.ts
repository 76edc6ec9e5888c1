import type { Decision, Interrupt, JsonObject, Message } from "../../turn/index.ts";
import type { CallStatus, SessionStore, StoredCall, StoredInterrupt } from "./session-store.ts";

/** The session of a stateless turn: it ends with the turn. */
export class MemorySessionStore implements SessionStore {
  private readonly frames = new Map<string, Message[]>();
  private readonly ids = new Set<string>();
  private readonly calls = new Map<string, StoredCall>();
  private readonly interrupts = new Map<string, StoredInterrupt>();
  private shared: JsonObject;

  constructor(state: JsonObject) {
    this.shared = state;
  }

  tail(frame: string, maxChars: number): { messages: Message[]; omitted: number } {
    const all = this.messages(frame);
    let first = all.length;
    for (let chars = 0; first > 0 && chars < maxChars; first -= 1)
      chars += JSON.stringify(all[first - 1]).length;
    return { messages: all.slice(first), omitted: first };
  }

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
    this.interrupts.set(interrupt.id, { interrupt, status: "pending", decision: null });
  }

  interrupt(id: string): StoredInterrupt | undefined {
    return this.interrupts.get(id);
  }

  interruptOfCall(callId: string): StoredInterrupt | undefined {
    return [...this.interrupts.values()].find(({ interrupt }) => interrupt.callId === callId);
  }

  pendingInterrupts(): Interrupt[] {
    return [...this.interrupts.values()]
      .filter(({ status }) => status === "pending")
      .map(({ interrupt }) => interrupt);
  }

  decide(id: string, decision: Decision): void {
    const stored = this.interrupts.get(id);
    if (stored !== undefined) this.interrupts.set(id, { ...stored, status: "decided", decision });
  }

  state(): JsonObject {
    return this.shared;
  }

  setState(state: JsonObject): void {
    this.shared = state;
  }
}
