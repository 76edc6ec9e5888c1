import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import type { AgentHttpRequest, AgentHttpResponse } from "../protocol/messages.ts";
import { parseAgentHttpResponse } from "../protocol/parse-response.ts";
import { AgentError, AgentHttpError } from "./errors.ts";
import { raced } from "./raced.ts";
import { readPieces } from "./read-body.ts";
import { readStreamedReply } from "./read-stream.ts";

/** Characters of a refusal that are shown. */
const shownCharacters = 240;
const defaultTimeoutMs = 60_000;

/** What `Headers` takes; spelled out, because not every runtime's types name it. */
export type HeaderList = Headers | Record<string, string> | [string, string][];

export interface ExchangeOptions {
  endpoint: string;
  /** Sent with each request; a function is asked each time, so that a token may be fresh. */
  headers?: HeaderList | (() => HeaderList | Promise<HeaderList>);
  /** Milliseconds one request may take, from its headers to the last byte of its reply; 60,000 unless given. */
  timeoutMs?: number;
  /** Instead of the global one, such as a backend in the same process. */
  fetch?: typeof fetch;
}

export interface PostOptions {
  signal: AbortSignal;
  /** Ask for events; a backend may answer with plain JSON all the same. */
  stream: boolean;
  /** The reply's text so far. */
  onText(text: string): void;
}

/** Posts one request and gives its reply, whole and checked. */
export type Exchange = (request: AgentHttpRequest, options: PostOptions) => Promise<AgentHttpResponse>;

/**
 * How this client talks to its endpoint. One POST each, never repeated: what a lost reply had caused is not known.
 * Rejects with `AgentHttpError` or `AgentStreamError`; a function of the host that throws is passed on as it is.
 */
export function exchangeWith(options: ExchangeOptions): Exchange {
  const { endpoint, timeoutMs = defaultTimeoutMs } = options;
  return async (request, { signal, stream, onText }) => {
    const body = requestBody(request);
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new AgentHttpError("timeout", `The backend did not answer within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const cancel = () => limit.abort(cancelled());
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const headers = new Headers(await raced(Promise.resolve(headersOf(options.headers)), limit.signal));
      headers.set("content-type", "application/json");
      headers.set("accept", stream ? "text/event-stream, application/json" : "application/json");
      const send = options.fetch ?? fetch;
      const response = await raced(
        send(endpoint, { method: "POST", headers, body, signal: limit.signal }),
        limit.signal,
      ).catch((error: unknown) => {
        throw connectionFailed(error, limit.signal);
      });
      return await readReply(response, limit.signal, onText);
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** The error of something the caller gave up. */
export function cancelled(): AgentHttpError {
  return new AgentHttpError("cancelled", "The turn was cancelled.");
}

function headersOf(headers: ExchangeOptions["headers"]): HeaderList | Promise<HeaderList> {
  return typeof headers === "function" ? headers() : (headers ?? {});
}

/**
 * The request as text. A clip has a limit of its own and is not counted here: a stock client that counts it refuses
 * every clip above some 190 KB, although both sides' parsers take far larger ones.
 */
function requestBody(request: AgentHttpRequest): string {
  const body = JSON.stringify(request);
  const bytes = new TextEncoder().encode(body).length - (request.audio?.base64.length ?? 0);
  if (bytes > AGENT_HTTP_LIMITS.maxRequestBytes)
    throw new AgentHttpError(
      "payload-too-large",
      `The request takes ${bytes} bytes and ${AGENT_HTTP_LIMITS.maxRequestBytes} are allowed: send fewer of the earlier exchanges, or permit fewer columns and options.`,
    );
  return body;
}

async function readReply(
  response: Response,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<AgentHttpResponse> {
  const pieces = connected(readPieces(response, signal), signal);
  if (!response.ok) {
    const shown = await firstCharacters(pieces);
    throw new AgentHttpError("http-error", `agent HTTP ${response.status}: ${shown}`, {
      status: response.status,
    });
  }
  const type = response.headers.get("content-type") ?? "";
  if (/^\s*text\/event-stream\b/i.test(type)) return readStreamedReply(pieces, onText);
  let text = "";
  for await (const piece of pieces) text += piece;
  const reply = parseReply(text);
  if (reply.text) onText(reply.text);
  return reply;
}

function parseReply(text: string): AgentHttpResponse {
  if (text.trim() === "") throw new AgentHttpError("reply-malformed", "The backend's reply is empty.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AgentHttpError("reply-malformed", "The backend's reply is not JSON.", { cause });
  }
  try {
    return parseAgentHttpResponse(value);
  } catch (cause) {
    if (cause instanceof TypeError) throw new AgentHttpError("reply-malformed", cause.message, { cause });
    throw cause;
  }
}

async function firstCharacters(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= shownCharacters) break;
  }
  return text.slice(0, shownCharacters);
}

/** The pieces, with a connection that breaks among them named as one. */
async function* connected(pieces: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    throw error instanceof AgentError ? error : connectionFailed(error, signal);
  }
}

function connectionFailed(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return new AgentHttpError("connection-failed", "The connection to the backend failed.", { cause });
}
