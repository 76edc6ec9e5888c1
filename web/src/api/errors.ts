import type { Json } from "../../../src/turn/json.ts";

/** A reply that says why not. `message` is written for a person; `requestId` finds the log line. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** What else the error object of the reply holds, such as `problems` or `issues`. */
  readonly details: { [key: string]: Json };

  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    details: { [key: string]: Json },
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

/** No reply came: the Worker is not there, or the network is not. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super("No answer from this Worker. It may be restarting, or this browser is offline.", { cause });
    this.name = "OfflineError";
  }
}

/** What to show of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error a reply of any wire carries, in whichever shape; never throws. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("x-request-id");
  const text = await response.text().catch(() => "");
  const { code, message, requestId: _, ...details } = errorObject(text);
  const said = typeof message === "string" ? message : `The Worker answered ${response.status}.`;
  return new ApiError(response.status, typeof code === "string" ? code : "unknown", said, requestId, details);
}

/** `{"error":{code,message,…}}`, or the object itself where there is no `error` in it. */
function errorObject(text: string): { [key: string]: Json } {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return {};
    return isObject(body.error) ? body.error : body;
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
