import { errorOf, OfflineError } from "./errors.ts";
import { currentToken, tokenRefused } from "./token.ts";

export interface CallOptions {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Calls this Worker with the token of this tab. The reply is one with a status below 400; anything else throws
 * `ApiError`, no reply at all `OfflineError`, and an aborted signal its own reason.
 */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { method, body, headers, signal } = options;
  const token = currentToken();
  let response: Response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      cache: "no-store",
      credentials: "omit",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new OfflineError(error);
  }
  if (response.status === 401) tokenRefused(token);
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** The JSON a call answers with, taken to be of the shape this Worker's API describes. */
export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await call(path, options);
  return (await response.json()) as T;
}

/** `path` with the parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}
