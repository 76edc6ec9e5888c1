import type { LanguageModel, ModelCall, ModelPart } from "./language-model.ts";
import { modelLabel } from "./language-model.ts";
import { ModelStallError } from "./model-error.ts";
import { watchForStall } from "./stall-watch.ts";
import type { Timing } from "./timing.ts";

export interface AttemptOptions {
  timing: Timing;
  stallMs: number;
  signal: AbortSignal | undefined;
}

/**
 * One request to a model, as its parts. Whatever ends it early (a stall, the caller's signal, a reader that leaves)
 * also ends the request to the provider. Throws `ModelStallError`, the signal's reason, or what the package threw.
 */
export async function* attempt(
  model: LanguageModel,
  call: ModelCall,
  options: AttemptOptions,
): AsyncGenerator<ModelPart, void, void> {
  const { timing, stallMs, signal } = options;
  signal?.throwIfAborted();
  const ended = new AbortController();
  const forward = () => ended.abort(signal?.reason);
  signal?.addEventListener("abort", forward);
  const watch = watchForStall(stallMs, timing, () =>
    ended.abort(new ModelStallError(modelLabel(model), stallMs)),
  );
  try {
    watch.waiting();
    const stream = await opened(model, call, ended.signal);
    watch.arrived();
    const reader = stream.getReader();
    // Cancelling settles a pending read even when a provider ignores the signal.
    ended.signal.addEventListener("abort", () => void reader.cancel(ended.signal.reason).catch(ignore));
    for (;;) {
      watch.waiting();
      const { done, value } = await reader.read();
      watch.arrived();
      ended.signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } catch (error) {
    // An aborted request fails in many ways; the reason it was aborted is the one that counts.
    ended.signal.throwIfAborted();
    throw error;
  } finally {
    watch.stop();
    signal?.removeEventListener("abort", forward);
    ended.abort();
  }
}

/** Waits for the stream or the signal, whichever is first; a stream that comes too late is cancelled. */
function opened(
  model: LanguageModel,
  call: ModelCall,
  signal: AbortSignal,
): Promise<ReadableStream<ModelPart>> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    signal.addEventListener("abort", abandon);
    model.doStream({ ...call, abortSignal: signal }).then(({ stream }) => {
      signal.removeEventListener("abort", abandon);
      if (signal.aborted) stream.cancel(signal.reason).catch(ignore);
      resolve(stream);
    }, reject);
  });
}

/** A stream that is being given up may fail to close; there is nobody left to tell. */
function ignore(): void {
  return;
}
