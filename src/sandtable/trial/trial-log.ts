import type { TranscriptEntry } from "../report/results.ts";
import type { CallRecord, Message } from "./conversation.ts";
import type { StepToolResult } from "./step-protocol.ts";
import type { TrialStore } from "./trial-store.ts";

type CallEntry = Extract<TranscriptEntry, { kind: "call" }>;

/** A trial's transcript and the conversation read from it, kept in step with the store. */
export class TrialLog {
  readonly entries: TranscriptEntry[];
  readonly messages: Message[] = [];
  readonly calls: CallRecord[] = [];
  /** Characters of all entries as JSON. */
  size: number;
  private readonly store: TrialStore;

  constructor(store: TrialStore) {
    this.store = store;
    this.entries = store.loadTranscript();
    this.size = this.entries.length === 0 ? 0 : JSON.stringify(this.entries).length;
    for (const entry of this.entries) this.index(entry);
  }

  append(entry: TranscriptEntry): void {
    this.entries.push(entry);
    this.index(entry);
    this.size += this.store.appendEntry(entry);
  }

  /** The caller's line that opened a turn. */
  callerLine(turn: number): string {
    return this.messages.findLast((m) => m.role === "caller" && m.turn === turn)?.text ?? "";
  }

  /** The agent's reply in a turn. */
  lastReply(turn: number): string {
    return this.messages.findLast((m) => m.role === "agent" && m.turn === turn)?.text ?? "";
  }

  /** Results of one round of calls, in the order they ran. */
  results(turn: number, round: number): StepToolResult[] {
    return this.entries
      .filter((e): e is CallEntry => e.kind === "call" && e.turn === turn && e.round === round)
      .map((e) =>
        e.ok
          ? { id: e.id, ok: true, result: e.result ?? null }
          : { id: e.id, ok: false, error: e.error ?? "" },
      );
  }

  private index(entry: TranscriptEntry): void {
    if (entry.kind === "caller") {
      const { turn, text, act } = entry;
      this.messages.push({ role: "caller", turn, text, ...(act === undefined ? {} : { act }) });
    } else if (entry.kind === "agent") {
      this.messages.push({ role: "agent", turn: entry.turn, text: entry.text });
    } else if (entry.kind === "call") {
      const { turn, tool, args, ok, result, error } = entry;
      const record: CallRecord = { index: this.calls.length, turn, tool, args, ok };
      if (result !== undefined) record.result = result;
      if (error !== undefined) record.error = error;
      this.calls.push(record);
    }
  }
}
