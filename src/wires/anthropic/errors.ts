import { type ErrorCode, HttpError } from "../../http/errors.ts";
import type { TurnFailure, TurnFailureCode } from "../../turn/index.ts";
import { isWorthRetrying } from "../should-retry.ts";

/** The status each failure of a turn is sent under; the type of the error follows from it. */
const statuses: { [code in TurnFailureCode]: number } = {
  approval_pending: 409,
  turn_in_progress: 409,
  session_required: 400,
  unknown_interrupt: 400,
  incomplete_resume: 400,
  invalid_resume: 400,
  invalid_messages: 400,
  unknown_agent: 404,
  model_not_configured: 500,
  model_rate_limited: 429,
  model_unavailable: 529,
  model_failed: 500,
  context_too_long: 400,
  step_limit: 500,
  interrupted: 500,
  internal_error: 500,
};

/** Refusals after which the same request may succeed. */
const passing: ReadonlySet<ErrorCode> = new Set(["unavailable", "body_timeout"]);

/** The body that tells a failed turn, in a reply of its own or as the last frame of a stream. */
export function failureBody({ code, message }: TurnFailure, requestId: string) {
  return errorBody(statuses[code], message, code, requestId);
}

/** The reply of a turn that failed before anything was sent. `mayRetry`: nothing was kept of the request. */
export function anthropicFailure(failure: TurnFailure, requestId: string, mayRetry: boolean): Response {
  const status = statuses[failure.code];
  return errorReply(
    status,
    failureBody(failure, requestId),
    requestId,
    isWorthRetrying(status, failure.retryable && mayRetry),
  );
}

/** The reply for anything thrown, in this wire's shape; what was not foreseen says nothing but the request id. */
export function anthropicError(thrown: unknown, requestId: string): Response {
  if (!(thrown instanceof HttpError)) {
    const message = `Something went wrong on our side. The request id is ${requestId}.`;
    return errorReply(500, errorBody(500, message, "internal_error", requestId), requestId, true);
  }
  const { status, message, code, headers } = thrown;
  const response = errorReply(
    status,
    errorBody(status, message, code, requestId),
    requestId,
    isWorthRetrying(status, passing.has(code)),
  );
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** `code` is ours, for programs: the wire's own types do not tell one 409 from another. */
function errorBody(status: number, message: string, code: string, requestId: string) {
  return { type: "error" as const, error: { type: typeOf(status), message, code }, request_id: requestId };
}

function errorReply(status: number, body: object, requestId: string, retry: boolean): Response {
  return Response.json(body, {
    status,
    headers: { "request-id": requestId, ...(retry ? {} : { "x-should-retry": "false" }) },
  });
}

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
    case 529:
      return "overloaded_error";
    case 504:
      return "timeout_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}
