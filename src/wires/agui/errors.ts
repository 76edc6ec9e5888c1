import { HttpError } from "../../http/errors.ts";
import type { TurnFailure, TurnFailureCode } from "../../turn/index.ts";
import type { RunError } from "./events.ts";

/** Status of a refusal that comes before there is a stream. */
const statusOfFailure: { [code in TurnFailureCode]?: number } = {
  unknown_agent: 404,
  invalid_messages: 400,
  session_required: 400,
  unknown_interrupt: 400,
  incomplete_resume: 400,
  invalid_resume: 400,
  approval_pending: 409,
  turn_in_progress: 409,
  model_rate_limited: 429,
};

/**
 * The reply for anything thrown before the stream has begun: a `RUN_ERROR` event as JSON, under the error's own status.
 * What nobody foresaw is a 500 that says nothing but where to look.
 */
export function aguiError(thrown: unknown, requestId: string): Response {
  if (thrown instanceof HttpError) {
    const { code, message, status, headers } = thrown;
    return reply(code, message, status, headers);
  }
  if (isTurnFailure(thrown)) {
    return reply(thrown.code, thrown.message, statusOfFailure[thrown.code] ?? 500, {});
  }
  const message = `Something went wrong on our side. Quote the request id ${requestId} when you report it.`;
  return reply("internal_error", message, 500, {});
}

function reply(code: string, message: string, status: number, headers: { [name: string]: string }): Response {
  return Response.json({ type: "RUN_ERROR", message, code } satisfies RunError, { status, headers });
}

function isTurnFailure(thrown: unknown): thrown is TurnFailure {
  return (
    typeof thrown === "object" &&
    thrown !== null &&
    !(thrown instanceof Error) &&
    "code" in thrown &&
    typeof thrown.code === "string" &&
    "message" in thrown &&
    typeof thrown.message === "string" &&
    "retryable" in thrown
  );
}
