import { ModelConfigError, ModelError, type ModelErrorKind } from "../../models/model-error.ts";
import type { TurnFailureCode } from "../../turn/event.ts";
import { TurnFailedError } from "./turn-failed.ts";

/** What each way a model can fail means for the turn, and whether the same turn may succeed later. */
const meaning: Record<ModelErrorKind, { code: TurnFailureCode; retryable: boolean }> = {
  rate_limited: { code: "model_rate_limited", retryable: true },
  unavailable: { code: "model_unavailable", retryable: true },
  stalled: { code: "model_unavailable", retryable: true },
  auth: { code: "model_not_configured", retryable: false },
  too_long: { code: "context_too_long", retryable: false },
  bad_request: { code: "model_failed", retryable: false },
  malformed: { code: "model_failed", retryable: true },
};

/** A failed model call as the end of its turn. Anything that is no model's failure comes back as it is. */
export function modelFailure(error: unknown): unknown {
  if (error instanceof ModelConfigError) {
    return new TurnFailedError("model_not_configured", error.message, { cause: error });
  }
  if (!(error instanceof ModelError)) return error;
  const { code, retryable } = meaning[error.kind];
  return new TurnFailedError(code, error.message, { retryable, cause: error });
}
