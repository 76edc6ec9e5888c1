import { durationMs } from "../runtime/duration.ts";

/** Thrown in a step: it has failed, and is not tried again. */
export class FatalError extends Error {
  override readonly name: string = "FatalError";
  /** What a program goes by. */
  readonly code: string;

  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? "step_failed";
  }
}

/** Thrown in a step: it is tried again after a time of its own choice, while it has attempts left. */
export class RetryableError extends Error {
  override readonly name: string = "RetryableError";
  /** Milliseconds; `null`: as long as usual. */
  readonly retryAfterMs: number | null;

  /** `retryAfter`: milliseconds, a duration such as "5m", or a date. */
  constructor(message: string, options: { retryAfter?: number | string | Date; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { retryAfter } = options;
    this.retryAfterMs =
      retryAfter === undefined
        ? null
        : retryAfter instanceof Date
          ? Math.max(retryAfter.getTime() - Date.now(), 0)
          : durationMs(retryAfter);
  }
}

/** What a workflow's body gets from a step that failed for good, from a token that is taken, or from a run it waits for. */
export class StepFailedError extends Error {
  override readonly name: string = "StepFailedError";
  readonly code: string;
  /** The step's id. */
  readonly step: string;

  constructor(failure: { code: string; message: string; step?: string }, step: string) {
    super(failure.message);
    this.code = failure.code;
    this.step = failure.step ?? step;
  }
}
