import { guardUrl, type OutboundPolicy } from "./guard-url.ts";
import { isLoopbackHost } from "./host.ts";
import { readBounded } from "./read-bounded.ts";

/** The part of `fetch` that is used, so that a test can stand in for the network. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: { [name: string]: string };
    body?: string;
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<Response>;

export interface OutboundRequest {
  method: string;
  headers?: { [name: string]: string };
  body?: string;
  /** Gives the request up. */
  signal?: AbortSignal;
}

export interface OutboundReply {
  status: number;
  headers: Headers;
  /** The body, cut at the limit. */
  text: string;
  /** Whether the body went on beyond the limit. */
  truncated: boolean;
}

/**
 * Why there is no reply. `refused`: the address may not be called, and nothing was sent to it. `unreachable`: the
 * request failed before any reply came, yet it may have arrived. `broken_off`: the reply began and its body failed.
 * `timeout` and `aborted`: given up, so it may have arrived.
 */
export type OutboundFailure = "refused" | "unreachable" | "broken_off" | "timeout" | "aborted";

export class OutboundError extends Error {
  readonly kind: OutboundFailure;
  /** Status of the reply that began, for `broken_off`. */
  readonly status?: number;

  constructor(kind: OutboundFailure, message: string, options?: { cause: unknown; status?: number }) {
    super(message, options);
    this.name = "OutboundError";
    this.kind = kind;
    if (options?.status !== undefined) this.status = options.status;
  }
}

/** Largest reply kept when the caller names no limit, bytes. */
const defaultMaxBytes = 1_048_576;
const maxRedirects = 3;
/** Headers that go along to another origin; any other may be a credential. */
const headersAcrossOrigins = ["accept", "accept-language", "content-type", "user-agent"];

/**
 * One request to an address somebody else gave. Sends only the headers it is given, to addresses `guardUrl` lets
 * through. A 307 or 308 is followed, up to three times, each address judged anew, headers that may be credentials
 * dropped once the origin changes, and never from the network to loopback; any other status is the reply. The body is
 * read up to `maxBytes` (default 1 MiB) and always read or cancelled. No time limit unless `timeoutMs` is given.
 * Throws `OutboundError`.
 */
export async function guardedFetch(
  fetch: Fetch,
  url: string,
  request: OutboundRequest,
  policy: OutboundPolicy,
  limits: { maxBytes?: number; timeoutMs?: number | null } = {},
): Promise<OutboundReply> {
  const clock = new AbortController();
  const timeoutMs = limits.timeoutMs ?? null;
  const timer = timeoutMs === null ? undefined : setTimeout(() => clock.abort(), timeoutMs);
  const signal =
    request.signal === undefined ? clock.signal : AbortSignal.any([clock.signal, request.signal]);
  let status: number | undefined;
  try {
    const response = await follow(fetch, url, request, policy, signal);
    status = response.status;
    const { text, truncated } = await readBounded(response.body, limits.maxBytes ?? defaultMaxBytes);
    return { status, headers: response.headers, text, truncated };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    if (request.signal?.aborted === true)
      throw new OutboundError("aborted", `The request to ${shown(url)} was given up.`, { cause: error });
    if (clock.signal.aborted)
      throw new OutboundError("timeout", `${shown(url)} did not answer within ${timeoutMs} ms.`, {
        cause: error,
      });
    if (status !== undefined)
      throw new OutboundError(
        "broken_off",
        `${shown(url)} answered HTTP ${status} and then broke off: ${reason(error)}`,
        { cause: error, status },
      );
    throw new OutboundError("unreachable", `${shown(url)} could not be reached: ${reason(error)}`, {
      cause: error,
    });
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

async function follow(
  fetch: Fetch,
  url: string,
  request: OutboundRequest,
  policy: OutboundPolicy,
  signal: AbortSignal,
): Promise<Response> {
  let target = url;
  let headers = request.headers ?? {};
  let allowed = policy;
  for (let redirects = 0; ; redirects++) {
    const refusal = guardUrl(target, allowed);
    if (refusal !== null) {
      throw new OutboundError(
        "refused",
        redirects === 0
          ? `${shown(target)} ${refusal}.`
          : `${shown(url)} redirects to ${shown(target)}, which ${refusal}.`,
      );
    }
    const current = new URL(target);
    const response = await fetch(current.href, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: "manual",
      signal,
    });
    const location =
      response.status === 307 || response.status === 308 ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (redirects === maxRedirects) {
      throw new OutboundError("refused", `${shown(url)} redirects more than ${maxRedirects} times.`);
    }
    target = URL.canParse(location, current.href) ? new URL(location, current.href).href : location;
    if (!URL.canParse(target) || new URL(target).origin !== current.origin)
      headers = keepAcrossOrigins(headers);
    allowed = { ...policy, loopbackAllowed: policy.loopbackAllowed && isLoopbackHost(current.hostname) };
  }
}

function keepAcrossOrigins(headers: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => headersAcrossOrigins.includes(name.toLowerCase())),
  );
}

/** An address as it may be shown: without a user name, password, query or fragment. */
function shown(url: string): string {
  if (!URL.canParse(url)) return JSON.stringify(url.slice(0, 200));
  const { origin, protocol, host, pathname } = new URL(url);
  return `${origin === "null" ? `${protocol}//${host}` : origin}${pathname}`.slice(0, 200);
}

/** What the platform says about a failed request; Node puts it one level down. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  const code = error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;
  return typeof code === "string" ? `${error.message} (${code})` : error.message;
}
