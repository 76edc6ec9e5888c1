import { attempt } from "./attempt.ts";
import { classifyFailure, StreamedFailure } from "./classify-failure.ts";
import { type LanguageModel, type ModelCall, type ModelPart, modelLabel } from "./language-model.ts";
import { ModelError } from "./model-error.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Timing } from "./timing.ts";

export interface StreamOptions {
  timing: Timing;
  /** Ends the call, whatever it is doing; its reason is what is thrown. */
  signal?: AbortSignal | undefined;
  /** How often a call that failed before any content is made again. Default 3. */
  retries?: number | undefined;
  /** Longest wait for the first or next piece, in milliseconds. Default 60,000. */
  stallMs?: number | undefined;
  /** Longest answer, in characters of text, reasoning and arguments together. Default 1,000,000. */
  maxChars?: number | undefined;
}

/**
 * Streams one answer. Rate limits, server errors and network failures are tried again as long as nothing of the answer
 * has been given out; after that they end the stream. Exactly one `finish` part comes, last. `ping`, `raw` and `error`
 * parts never do: an error is thrown as a `ModelError` (or the reason of `signal`).
 */
export async function* streamModel(
  model: LanguageModel,
  call: ModelCall,
  options: StreamOptions,
): AsyncGenerator<ModelPart, void, void> {
  const { timing, signal, retries = 3, stallMs = 60_000, maxChars = 1_000_000 } = options;
  const label = modelLabel(model);
  for (let tries = 1; ; tries += 1) {
    // What comes before the content is held back: after a retry it would come twice.
    const held: ModelPart[] = [];
    let started = false;
    let finish: ModelPart | null = null;
    let chars = 0;
    try {
      for await (const part of attempt(model, call, { timing, stallMs, signal })) {
        if (part.type === "ping" || part.type === "raw") continue;
        if (part.type === "error") throw new StreamedFailure(part.error);
        if (part.type === "finish") {
          finish = part;
          continue;
        }
        chars += size(part);
        if (chars > maxChars) {
          throw new ModelError("malformed", `${label}: the answer is longer than ${maxChars} characters`);
        }
        if (!started && !isContent(part)) {
          held.push(part);
          continue;
        }
        if (!started) {
          started = true;
          for (const before of held) yield before;
        }
        finish = null;
        yield part;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A connection that hangs or breaks after the finish takes nothing away from the answer.
      if (finish === null) {
        if (error instanceof ModelError) throw error;
        const failure = classifyFailure(error, timing.now());
        if (started || !failure.retryable || tries > retries) {
          const after = tries > 1 ? `, after ${tries} tries` : "";
          throw new ModelError(failure.kind, `${label}: ${failure.detail}${after}`, failure.status);
        }
        const wait = retryDelay(tries, failure.retryAfterMs, timing.random);
        await timing.sleep(wait, signal ?? new AbortController().signal);
        signal?.throwIfAborted();
        continue;
      }
    }
    if (finish?.type !== "finish" || finish.finishReason.unified === "interrupted") {
      throw new ModelError("malformed", `${label}: the answer ended before it was finished`);
    }
    if (!started) for (const before of held) yield before;
    yield finish;
    return;
  }
}

const beforeContent: ReadonlySet<ModelPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "text-start",
  "reasoning-start",
  "custom",
]);

/** Something the model made: once given out, the call cannot be made again unnoticed. */
function isContent(part: ModelPart): boolean {
  return !beforeContent.has(part.type) && !isEmptyDelta(part);
}

function isEmptyDelta(part: ModelPart): boolean {
  return (part.type === "text-delta" || part.type === "reasoning-delta") && part.delta === "";
}

/** Every part counts for something, so that a stream of empty ones ends too. */
function size(part: ModelPart): number {
  return "delta" in part ? Math.max(1, part.delta.length) : 1;
}
