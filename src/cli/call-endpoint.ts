import { messageOf } from "./cli-error.ts";

export interface EndpointInit {
  /** JSON. */
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An endpoint with the credential it is called with. `url` is an origin, optionally with a path before `/api`. */
export interface Endpoint {
  url: string;
  token: string;
}

/**
 * Calls an endpoint and returns whatever it answers. Throws what `unreachable` makes of the reason when it does not, and
 * the signal's reason when that is aborted.
 */
export async function callEndpoint(
  { url, token }: Endpoint,
  method: string,
  path: string,
  init: EndpointInit,
  unreachable: (reason: string) => Error,
): Promise<Response> {
  const headers: Record<string, string> = { ...init.headers, authorization: `Bearer ${token}` };
  if (init.body !== undefined) headers["content-type"] = "application/json";
  try {
    // A redirect would carry the token elsewhere.
    return await fetch(`${url}${path}`, { ...init, method, headers, redirect: "manual" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable(messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error));
  }
}

/** How a stream of events is asked for, from after the last one seen. */
export function streamHeaders(lastEventId: string | null): Record<string, string> {
  return {
    accept: "text/event-stream",
    ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
  };
}
