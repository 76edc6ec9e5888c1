import type { Json } from "../turn/json.ts";

/** Every code an `/api` reply can carry, with the status it is sent under. A new failure is a new line here. */
const statusOfCode = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_body: 400,
  url_refused: 400,
  workflow_input_invalid: 400,
  unauthorized: 401,
  not_found: 404,
  workflow_not_found: 404,
  hook_not_found: 404,
  method_not_allowed: 405,
  body_timeout: 408,
  conflict: 409,
  hook_already_resolved: 409,
  hook_expired: 410,
  hook_closed: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_domain: 422,
  internal_error: 500,
  configuration_invalid: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/** All codes, for the API description. */
export const errorCodes = Object.keys(statusOfCode) as [ErrorCode, ...ErrorCode[]];

export interface HttpErrorOptions {
  /** Members added to the error object of the reply; `code`, `message` and `requestId` cannot be overridden. */
  details?: { [key: string]: Json };
  headers?: { [name: string]: string };
  cause?: unknown;
}

/**
 * A failure the caller is told about: thrown anywhere below a route, rendered once by `errorResponse`.
 * The message is sent as it is, so it holds no secret, no stack and nothing of another caller.
 */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { [key: string]: Json };
  readonly headers: { [name: string]: string };

  constructor(code: ErrorCode, message: string, options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HttpError";
    this.code = code;
    this.status = statusOfCode[code];
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/**
 * The reply for anything thrown: an `HttpError` as `{"error":{code,message,requestId,...details}}` under its own
 * status, everything else as a 500 that says nothing but the request id. Never carries a cause or a stack.
 */
export function errorResponse(thrown: unknown, requestId: string): Response {
  const error =
    thrown instanceof HttpError
      ? thrown
      : new HttpError(
          "internal_error",
          "Something went wrong on our side. Quote the request id when you report it.",
        );
  return Response.json(
    { error: { ...error.details, code: error.code, message: error.message, requestId } },
    { status: error.status, headers: error.headers },
  );
}
