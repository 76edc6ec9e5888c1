import type { LanguageModel, ModelCall, ModelPart } from "./language-model.ts";
import { modelLabel } from "./language-model.ts";
import { ModelStallError } from "./model-error.ts";
import { type StallWatch, watchForStall } from "./stall-watch.ts";
import type { Timing } from "./timing.ts";

export interface AttemptOptions {
  timing: Timing;
  stallMs: number;
  signal: AbortSignal | undefined;
}

/**
 * One request to a model, as its parts; made with the first `next()`. Whatever ends it early (a stall, the caller's
 * signal, a reader that leaves) also ends the request to the provider. Throws `ModelStallError`, the signal's reason,
 * or what the package threw.
 */
export function attempt(
  model: LanguageModel,
  call: ModelCall,
  options: AttemptOptions,
): AsyncIterableIterator<ModelPart, void> {
  return new Attempt(model, call, options);
}

/** Not a generator: a part would pass through several promises more. */
class Attempt implements AsyncIterableIterator<ModelPart, void> {
  private readonly model: LanguageModel;
  private readonly call: ModelCall;
  private readonly signal: AbortSignal | undefined;
  /** Ends the request. Not aborted before it has ended of itself. */
  private readonly ended = new AbortController();
  private readonly watch: StallWatch;
  private reader: ReadableStreamDefaultReader<ModelPart> | null = null;
  private readonly forward = () => this.ended.abort(this.signal?.reason);

  constructor(model: LanguageModel, call: ModelCall, { timing, stallMs, signal }: AttemptOptions) {
    this.model = model;
    this.call = call;
    this.signal = signal;
    this.watch = watchForStall(stallMs, timing, this.ended.signal, () =>
      this.ended.abort(new ModelStallError(modelLabel(model), stallMs)),
    );
    if (signal?.aborted) this.forward();
    else signal?.addEventListener("abort", this.forward);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ModelPart, void>> {
    const { signal } = this.ended;
    try {
      signal.throwIfAborted();
      this.watch.waiting();
      this.reader ??= (await this.opened()).getReader();
      const result = await this.reader.read();
      this.watch.arrived();
      signal.throwIfAborted();
      if (!result.done) return result;
      this.reader = null;
    } catch (error) {
      // An aborted request fails in many ways; the reason it was aborted is the one that counts.
      const reason = signal.aborted ? signal.reason : error;
      this.end();
      throw reason;
    }
    this.end();
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<ModelPart, void>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Waits for the stream or the end, whichever is first; a stream that comes too late is cancelled. */
  private opened(): Promise<ReadableStream<ModelPart>> {
    const { signal } = this.ended;
    return new Promise((resolve, reject) => {
      // Cancelling settles a pending read even when a provider ignores the signal.
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        this.reader?.cancel(signal.reason).catch(ignore);
      });
      this.model.doStream({ ...this.call, abortSignal: signal }).then(({ stream }) => {
        if (signal.aborted) stream.cancel(signal.reason).catch(ignore);
        resolve(stream);
      }, reject);
    });
  }

  private end(): void {
    this.signal?.removeEventListener("abort", this.forward);
    this.ended.abort();
  }
}

/** A stream that is being given up may fail to close; there is nobody left to tell. */
function ignore(): void {
  return;
}
