import type { BrainOptions } from "../brains/brain.ts";
import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import type { AgentHttpResponse } from "../protocol/messages.ts";
import { encodeStreamEvent } from "../protocol/stream-frame.ts";
import type { TableAnswer } from "./table-deps.ts";
import { TableError } from "./table-error.ts";

/** Room kept for what follows the text, events. */
const closingEvents = 16;
/** Room kept for an error event when there is none for the answer, bytes. */
const closingBytes = 2_000;

type Settled = { reply: AgentHttpResponse } | { error: unknown };

/**
 * A turn's answer as a stream of events: the text in the pieces the brain makes it in, then what was heard, the
 * question, the calls whole and once, and `done`. A failure is an `error` event, and `done` does not come.
 */
export class StreamedAnswer implements AsyncIterator<string> {
  private readonly stop: AbortController;
  private readonly pieces: string[] = [];
  private settled: Settled | null = null;
  private wake: () => void = () => undefined;
  private sent = "";
  private events = 0;
  private bytes = 0;
  private ended = false;
  private readonly report: (error: unknown) => void;

  private constructor(stop: AbortController, report: (error: unknown) => void) {
    this.stop = stop;
    this.report = report;
  }

  /**
   * Begins to `play` and waits for the first piece of text or the end. An answer that ends before any text and wants its
   * results back is JSON, since a stream cannot say so; a failure before any text is thrown, since a status can still
   * tell of it. `report` is told of a fault of ours that comes later.
   */
  static async open(
    play: (options: BrainOptions) => Promise<AgentHttpResponse>,
    signal: AbortSignal,
    report: (error: unknown) => void,
  ): Promise<TableAnswer> {
    const stop = new AbortController();
    const answer = new StreamedAnswer(stop, report);
    const left = () => stop.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener("abort", left, { once: true });
    const first = Promise.withResolvers<void>();
    const onText = (delta: string) => {
      if (delta === "") return;
      answer.pieces.push(delta);
      answer.wake();
      first.resolve();
    };
    const answering = play({ signal: stop.signal, onText })
      .then(
        (reply) => answer.settle({ reply }),
        (error: unknown) => answer.settle({ error }),
      )
      .finally(() => signal.removeEventListener("abort", left));
    await Promise.race([first.promise, answering]);
    if (answer.pieces.length === 0 && answer.settled !== null) {
      signal.throwIfAborted();
      if ("error" in answer.settled) throw answer.settled.error;
      if (answer.settled.reply.continueWithResults === true)
        return { kind: "json", body: answer.settled.reply };
    }
    return { kind: "stream", frames: { [Symbol.asyncIterator]: () => answer } };
  }

  async next(): Promise<IteratorResult<string>> {
    while (!this.ended && this.settled === null && (this.pieces.length === 0 || this.isFull())) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.ended || this.stop.signal.aborted) return { done: true, value: undefined };
    const text = this.delta(this.pieces.splice(0).join(""));
    if (this.ended || this.settled === null) return { done: false, value: text };
    this.ended = true;
    return { done: false, value: text + this.closing(this.settled) };
  }

  /** The client left: the brain stops, and what waits for a piece ends. */
  async return(): Promise<IteratorResult<string>> {
    this.ended = true;
    this.stop.abort(new DOMException("The client left.", "AbortError"));
    this.wake();
    return { done: true, value: undefined };
  }

  private settle(settled: Settled): void {
    this.settled = settled;
    this.wake();
  }

  /** So many events were sent that the rest of the text has to travel in one. */
  private isFull(): boolean {
    return this.events >= AGENT_HTTP_LIMITS.maxStreamEvents - closingEvents;
  }

  /** A piece of the text; the end of the stream when it has become too large. */
  private delta(text: string): string {
    if (text === "") return "";
    const frame = encodeStreamEvent("text-delta", { text });
    this.sent += text;
    this.events += 1;
    if (this.fits(frame, closingBytes)) return frame;
    this.ended = true;
    const error = tooLarge();
    this.stop.abort(error);
    return this.failed(error);
  }

  private closing(settled: Settled): string {
    if ("error" in settled) return this.failed(settled.error);
    const { text = "", transcript, askUser, toolCalls } = settled.reply;
    const frames = [
      this.unsent(text),
      transcript === undefined ? "" : encodeStreamEvent("transcript", { text: transcript }),
      askUser === undefined ? "" : encodeStreamEvent("ask-user", askUser),
      toolCalls === undefined ? "" : encodeStreamEvent("tool-calls", { toolCalls }),
      encodeStreamEvent("done", {}),
    ].join("");
    return this.fits(frames, 0) ? frames : this.failed(tooLarge());
  }

  /** What of the text has not been streamed. That cannot be taken back: a text that begins otherwise follows it. */
  private unsent(text: string): string {
    const rest = text.startsWith(this.sent) ? text.slice(this.sent.length) : `\n\n${text}`;
    return text === "" || rest === "" ? "" : encodeStreamEvent("text-delta", { text: rest });
  }

  private fits(frames: string, room: number): boolean {
    this.bytes += new TextEncoder().encode(frames).length;
    return this.bytes < AGENT_HTTP_LIMITS.maxResponseBytes - room;
  }

  /** Only what was written for the client is told; a fault of ours says no more than that it is one. */
  private failed(error: unknown): string {
    const told = error instanceof TableError;
    if (!told) this.report(error);
    const message = told ? error.message : "Something went wrong on our side.";
    return encodeStreamEvent("error", { code: "backend-failed", message });
  }
}

function tooLarge(): TableError {
  return new TableError(
    502,
    `The agent's answer is larger than ${AGENT_HTTP_LIMITS.maxResponseBytes} bytes.`,
  );
}
