import type { TableBrain } from "../brains/brain.ts";
import type { AgentHttpResponse, AudioClip } from "../protocol/messages.ts";
import type { PinStore } from "./pin-store.ts";

/** What was said in a clip. Throws `ModelError` when that cannot be found out. */
export type Transcribe = (clip: AudioClip, signal: AbortSignal) => Promise<string>;

/** What answering takes. Nothing of it knows HTTP, so the same answers come from a Worker, a page and a test. */
export interface TableDeps {
  /** The pins of whoever asks, and of nobody else. */
  pins: PinStore;
  brain: TableBrain;
  /** A text: nothing here can hear, and the text says what to set. */
  transcribe: Transcribe | string;
  /** `YYYY-MM-DD`. */
  today(): string;
  /** A fresh id that nobody guesses. */
  mintSessionId(): string;
  /** Told how each request that was answered, or was to be, for a turn has ended. */
  ended?(end: RoundEnd): void;
  /** Sees to it that work which nobody waits for is done; unless given it is simply begun. */
  later?(work: Promise<void>): void;
  /** Told of a fault of ours once a stream is under way, where it can no longer be thrown. */
  report(error: unknown): void;
}

/** How one request of a turn ended. A lost pin is no part of a turn: nothing was asked of anyone. */
export type RoundEnd = { turnId?: string; tableId: string; sessionId?: string } & (
  | { type: "done" }
  | { type: "cancelled" }
  | { type: "failed"; error: unknown }
);

export interface AnswerOptions {
  /** The client left: whatever is being done stops. */
  signal: AbortSignal;
  /** The client takes a stream of events too. */
  stream: boolean;
}

/** A whole reply, or the frames of a stream that carries it. `return()` of the frames' iterator stops the work. */
export type TableAnswer =
  | { kind: "json"; body: AgentHttpResponse }
  | { kind: "stream"; frames: AsyncIterable<string> };
