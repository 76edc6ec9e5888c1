export type ModelErrorKind =
  | "rate_limited"
  | "unavailable"
  | "auth"
  | "bad_request"
  /** The prompt is longer than the model's window. */
  | "too_long"
  | "stalled"
  | "malformed";

/**
 * A model call that failed. The message names the model, what went wrong and the HTTP status, and never carries what
 * the provider wrote, the prompt or a key, so it may be shown and logged. There is no `cause` for the same reason.
 */
export class ModelError extends Error {
  override readonly name: string = "ModelError";
  readonly kind: ModelErrorKind;
  /** HTTP status, when there was one. */
  readonly status?: number;

  constructor(kind: ModelErrorKind, message: string, status?: number) {
    super(message);
    this.kind = kind;
    if (status !== undefined) this.status = status;
  }
}

/** The provider went quiet: no answer, or no next piece of it, for the allowed time. */
export class ModelStallError extends ModelError {
  override readonly name = "ModelStallError";

  constructor(label: string, stallMs: number) {
    super("stalled", `${label}: nothing arrived for ${stallMs / 1000} s`);
  }
}

/** The configuration names no model that can be called. The message names the variable to set and never its value. */
export class ModelConfigError extends Error {
  override readonly name = "ModelConfigError";
  /** The variable to fix; `null` when the model id itself is at fault. */
  readonly variable: string | null;
  /** `missing`: nothing is set, so a fallback may answer. `invalid`: what is set cannot be used. */
  readonly problem: "missing" | "invalid";

  constructor(problem: "missing" | "invalid", variable: string | null, message: string) {
    super(message);
    this.problem = problem;
    this.variable = variable;
  }
}
