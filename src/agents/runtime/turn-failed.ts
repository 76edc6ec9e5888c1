import type { TurnFailure, TurnFailureCode } from "../../turn/index.ts";

/** Ends a turn with a failure that the client is told as it is. */
export class TurnFailedError extends Error {
  override readonly name = "TurnFailedError";
  readonly failure: TurnFailure;

  constructor(
    code: TurnFailureCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = { code, message, retryable: options.retryable ?? false };
  }
}
