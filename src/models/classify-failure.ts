import { AISDKError, APICallError, EmptyResponseBodyError } from "@ai-sdk/provider";
import type { ModelErrorKind } from "./model-error.ts";
import { NotAnEventStream, ProviderUnreachable } from "./provider-fetch.ts";
import { retryAfter } from "./retry-delay.ts";

/** What a failed call means to us. `detail` is in our own words and safe to show. */
export interface Failure {
  kind: ModelErrorKind;
  status?: number;
  detail: string;
  /** The same call may succeed a moment later. */
  retryable: boolean;
  /** What the provider asked us to wait, in milliseconds. */
  retryAfterMs: number | null;
}

/** Carries the value of an `error` part, which need not be an Error. */
export class StreamedFailure extends Error {
  override readonly name = "StreamedFailure";
  readonly value: unknown;

  constructor(value: unknown) {
    super("the provider reported an error inside its stream");
    this.value = value;
  }
}

/**
 * Reads whatever a provider package throws or streams as an error. Nothing of what the provider wrote is passed on
 * except its HTTP status. `now` is in milliseconds, for a Retry-After that is a date.
 */
export function classifyFailure(error: unknown, now: number): Failure {
  const thrown = error instanceof StreamedFailure ? error.value : error;
  const unreachable = findCause(thrown, ProviderUnreachable);
  if (unreachable) {
    const code = unreachable.networkCode;
    return transient("unavailable", `the provider could not be reached${code ? ` (${code})` : ""}`);
  }
  const page = findCause(thrown, NotAnEventStream);
  if (page) return malformed(`the provider ${page.message}`);
  if (APICallError.isInstance(thrown)) {
    const { statusCode: status } = thrown;
    if (status !== undefined && (status < 200 || status > 299)) {
      const wait = retryAfter(thrown.responseHeaders ?? {}, now);
      // Gemini answers 400 to a key it does not know.
      const badKey = status === 400 && (thrown.responseBody?.includes("API_KEY_INVALID") ?? false);
      if ((status === 400 || status === 413) && tellsTooLong(thrown.responseBody ?? ""))
        return tooLong(status);
      return fromStatus(badKey ? 401 : status, wait, status);
    }
    if (EmptyResponseBodyError.isInstance(thrown.cause)) return malformed("the answer was empty");
    return transient("unavailable", "the connection to the provider was lost");
  }
  if (error instanceof StreamedFailure && !AISDKError.isInstance(thrown)) return fromReport(thrown);
  if (AISDKError.isInstance(thrown)) {
    const ours = /^AI_(InvalidPrompt|InvalidArgument|UnsupportedFunctionality)Error$/.test(thrown.name);
    if (ours) return { ...malformed("the request is not one this model can take"), kind: "bad_request" };
    if (thrown.name === "AI_LoadAPIKeyError") return { ...malformed("there is no key"), kind: "auth" };
  }
  // Class names come from the packages, never from the provider.
  return malformed(
    `the answer could not be understood${thrown instanceof Error && /^\w{1,60}$/.test(thrown.name) ? ` (${thrown.name})` : ""}`,
  );
}

/** How the providers say that a prompt does not fit; none has a status of its own for it. */
function tellsTooLong(body: string): boolean {
  return /context_length_exceeded|maximum context length|prompt is too long|exceeds the maximum number of tokens|context window/i.test(
    body,
  );
}

function tooLong(status: number): Failure {
  const detail = `the conversation is longer than the model takes (HTTP ${status})`;
  return { kind: "too_long", status, detail, retryable: false, retryAfterMs: null };
}

/** An error event inside a stream that had begun with 200: an object in the provider's own shape. */
function fromReport(value: unknown): Failure {
  const report: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  for (const status of [report.statusCode, report.code].map(Number)) {
    if (Number.isInteger(status) && status >= 400 && status <= 599) return fromStatus(status, null);
  }
  const words = `${report.type ?? ""} ${report.code ?? ""}`.toLowerCase();
  if (/rate_limit|too_many/.test(words)) return fromStatus(429, null);
  if (/auth|api_key|permission|quota|billing/.test(words)) return fromStatus(401, null);
  if (/context_length/.test(words)) return tooLong(400);
  if (/invalid_request|not_found/.test(words)) return fromStatus(400, null);
  return transient("unavailable", "the provider reported an error inside its answer");
}

function fromStatus(status: number, retryAfterMs: number | null, shown = status): Failure {
  const http = `(HTTP ${shown})`;
  if (status === 429) {
    return {
      ...transient("rate_limited", `the provider limits the rate of requests ${http}`),
      status: shown,
      retryAfterMs,
    };
  }
  if (status >= 500 || status === 408 || status === 409) {
    return {
      ...transient("unavailable", `the provider is unavailable ${http}`),
      status: shown,
      retryAfterMs,
    };
  }
  if (status === 401 || status === 402 || status === 403) {
    const detail = status === 402 ? "the account cannot pay for the request" : "the provider refused the key";
    return { kind: "auth", status: shown, detail: `${detail} ${http}`, retryable: false, retryAfterMs: null };
  }
  const what =
    status < 400
      ? "the provider answered with a redirect, which is not followed"
      : status === 404
        ? "the provider has no such model"
        : "the provider refused the request";
  const detail = `${what} ${http}`;
  return { kind: "bad_request", status: shown, detail, retryable: false, retryAfterMs: null };
}

function transient(kind: ModelErrorKind, detail: string): Failure {
  return { kind, detail, retryable: true, retryAfterMs: null };
}

function malformed(detail: string): Failure {
  return { kind: "malformed", detail, retryable: false, retryAfterMs: null };
}

function findCause<T extends Error>(error: unknown, type: new (...args: never[]) => T): T | null {
  // Bounded, for chains of causes that loop.
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth += 1) {
    if (at instanceof type) return at;
  }
  return null;
}
