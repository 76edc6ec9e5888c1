import { pacedBody } from "./paced-body.ts";

/** Least time between two chunks of an answer, milliseconds: shorter than anybody sees. */
const chunkGapMs = 10;

/** Error bodies are read this far, in bytes: enough for any provider's error object. */
const maxErrorBody = 65_536;

/** The request did not reach the provider. `code` is the network's own short word for it, when it has one. */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
  readonly networkCode: string | null;

  constructor(networkCode: string | null) {
    super("the provider could not be reached");
    this.networkCode = networkCode;
  }
}

/** The provider answered with a whole page or document instead of an event stream. */
export class NotAnEventStream extends Error {
  override readonly name = "NotAnEventStream";
  /** `text/html` or `application/json`. */
  readonly contentType: string;

  constructor(contentType: string) {
    super(`answered with ${contentType} instead of an event stream`);
    this.contentType = contentType;
  }
}

/**
 * Wraps the fetch that provider packages use. Redirects are not followed, so that a key stays with the host it belongs
 * to; error bodies are bounded; a network failure is a `ProviderUnreachable` in every runtime; and a success that is
 * not an event stream (a captive portal's page, a server that ignores `stream`) is a `NotAnEventStream`. Pieces of an
 * answer that come faster than anybody reads are put together.
 */
export function providerFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => {
    let response: Response;
    try {
      response = await fetch(input, { ...init, redirect: "manual" });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new ProviderUnreachable(networkCode(error));
    }
    if (!response.ok) return bounded(response);
    const contentType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (contentType === "text/html" || contentType === "application/json") {
      await response.body?.cancel();
      throw new NotAnEventStream(contentType);
    }
    return response.body === null ? response : paced(response, response.body);
  };
}

function paced(response: Response, body: ReadableStream<Uint8Array>): Response {
  const headers = new Headers(response.headers);
  // They speak of the bytes as they travelled.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(pacedBody(body, chunkGapMs), { status: response.status, headers });
}

function networkCode(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z0-9_]{2,40}$/.test(at.code)) return at.code;
  }
  return null;
}

async function bounded(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  while (size < maxErrorBody) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return new Response(text, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
