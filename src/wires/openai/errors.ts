import { type ErrorCode, HttpError } from "../../http/errors.ts";
import type { TurnFailure, TurnFailureCode } from "../../turn/index.ts";
import { isWorthRetrying } from "../should-retry.ts";

interface OpenaiFailure {
  status: number;
  type: string;
  code: string;
  param: string | null;
}

const invalid = "invalid_request_error";

/** Refusals after which the same request may succeed. */
const passing: ReadonlySet<ErrorCode> = new Set(["unavailable", "body_timeout"]);

/** How each failure of a turn is told on this wire. */
const failures: { [code in TurnFailureCode]: OpenaiFailure } = {
  approval_pending: { status: 409, type: invalid, code: "approval_pending", param: null },
  turn_in_progress: { status: 409, type: invalid, code: "turn_in_progress", param: null },
  session_required: { status: 400, type: invalid, code: "session_required", param: null },
  unknown_interrupt: { status: 400, type: invalid, code: "unknown_interrupt", param: null },
  incomplete_resume: { status: 400, type: invalid, code: "incomplete_resume", param: null },
  invalid_resume: { status: 400, type: invalid, code: "invalid_resume", param: null },
  invalid_messages: { status: 400, type: invalid, code: "invalid_messages", param: "messages" },
  unknown_agent: { status: 404, type: invalid, code: "model_not_found", param: "model" },
  model_not_configured: { status: 503, type: "server_error", code: "model_not_configured", param: null },
  model_rate_limited: { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded", param: null },
  model_unavailable: { status: 503, type: "server_error", code: "model_unavailable", param: null },
  model_failed: { status: 502, type: "server_error", code: "model_failed", param: null },
  context_too_long: { status: 400, type: invalid, code: "context_length_exceeded", param: "messages" },
  step_limit: { status: 500, type: "server_error", code: "step_limit", param: null },
  interrupted: { status: 500, type: "server_error", code: "interrupted", param: null },
  internal_error: { status: 500, type: "server_error", code: "internal_error", param: null },
};

/** The body that tells a failed turn, in a reply of its own or as the last frame of a stream. */
export function failureBody(failure: TurnFailure) {
  const { type, code, param } = failures[failure.code];
  return { error: { message: failure.message, type, param, code } };
}

/** The reply of a turn that failed before anything was sent. `mayRetry`: nothing was kept of the request. */
export function openaiFailure(failure: TurnFailure, mayRetry: boolean): Response {
  const { status } = failures[failure.code];
  return Response.json(failureBody(failure), {
    status,
    headers: isWorthRetrying(status, failure.retryable && mayRetry) ? {} : { "x-should-retry": "false" },
  });
}

/** The reply for anything thrown, in this wire's shape; what was not foreseen says nothing but the request id. */
export function openaiError(thrown: unknown, requestId: string): Response {
  if (!(thrown instanceof HttpError)) {
    const message = `Something went wrong on our side. The request id is ${requestId}.`;
    return Response.json(
      { error: { message, type: "server_error", param: null, code: "internal_error" } },
      { status: 500 },
    );
  }
  const { status, message, headers } = thrown;
  const type = status >= 500 ? "server_error" : invalid;
  const code = thrown.code === "unauthorized" ? "invalid_api_key" : thrown.code;
  return Response.json(
    { error: { message, type, param: paramOf(thrown), code } },
    {
      status,
      headers: {
        ...headers,
        ...(isWorthRetrying(status, passing.has(thrown.code)) ? {} : { "x-should-retry": "false" }),
      },
    },
  );
}

/** The parameter at fault: the one the thrower named, or where the first issue of a refused body lies. */
function paramOf({ details }: HttpError): string | null {
  if (typeof details.param === "string") return details.param;
  const [issue] = Array.isArray(details.issues) ? details.issues : [];
  if (typeof issue !== "object" || issue === null || Array.isArray(issue)) return null;
  return typeof issue.path === "string" && issue.path !== "" ? issue.path : null;
}
