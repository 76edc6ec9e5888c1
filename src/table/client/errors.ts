import type { TurnReport } from "./turn-report.ts";

/**
 * What ends a turn or a connection. `code` is stable; `settled` says what had run before, because an error must not hide
 * a write that happened.
 */
export class AgentError extends Error {
  readonly code: string;
  /** Receipts of what this turn had run when it failed; absent when it had not begun. */
  settled?: TurnReport;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The exchange itself failed. Codes: `http-error`, `connection-failed`, `timeout`, `cancelled`, `reply-malformed`,
 * `payload-too-large`, `connect-refused`, `audio-invalid`, `context-stale`.
 */
export class AgentHttpError extends AgentError {
  // Spelled out, because a minifier renames classes.
  override readonly name = "AgentHttpError";
  /** The answer's status, of `http-error` only. */
  readonly status: number | undefined;

  constructor(code: string, message: string, options?: { cause?: unknown; status?: number }) {
    super(code, message, options);
    this.status = options?.status;
  }
}

/**
 * A streamed reply failed. Codes: `stream-malformed`, `stream-too-long`, `stream-incomplete`, `stream-error` or what the
 * backend named. Nothing of such a reply runs.
 */
export class AgentStreamError extends AgentError {
  override readonly name = "AgentStreamError";
}

/**
 * What was said cannot be a turn. Codes: `empty-message`, `duplicate-call-id`, `plan-conflict`, `transcript-missing`,
 * and `host-failed` when a function the host passed has thrown.
 */
export class AgentTurnError extends AgentError {
  override readonly name = "AgentTurnError";
}
