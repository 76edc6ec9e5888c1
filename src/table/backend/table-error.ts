import { ModelError } from "../../models/model-error.ts";

/**
 * Why a table's request is not answered. The message is sent as it is, as `{"error": message}` under `status`, so it
 * holds no secret and nothing a provider wrote.
 */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

/** What a brain or a transcription failed with, as the client is told. Anything unforeseen comes back as it is. */
export function asTableError(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  const status = error.kind === "rate_limited" || error.kind === "auth" ? 503 : 502;
  return new TableError(status, `The model did not answer: ${error.message}`, error);
}
