import { readText } from "../../http/body.ts";
import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { parseJson, refuseContentType } from "../../http/read-json.ts";
import { TableError } from "../../table/backend/table-error.ts";
import { AGENT_HTTP_LIMITS } from "../../table/protocol/limits.ts";
import type { AgentHttpRequest } from "../../table/protocol/messages.ts";
import { parseAgentHttpRequest } from "../../table/protocol/parse-request.ts";

/** Characters of base64 that the longest clip takes. */
const maxClipChars = Math.ceil(AGENT_HTTP_LIMITS.maxAudioBytes / 3) * 4;

/** Largest body there is: a request with the longest clip. */
const maxBodyBytes = AGENT_HTTP_LIMITS.maxRequestBytes + maxClipChars;

/**
 * The request a body holds. A clip counts apart from the rest, which may have as many bytes as the protocol allows;
 * `AGENT_MAX_BODY` holds too where it is less. Throws `HttpError` for what is no JSON or too large, and `TableError` 400
 * that names the field for what is no request.
 */
export async function readTableRequest({ request, config }: OwnedContext): Promise<AgentHttpRequest> {
  refuseContentType(request.headers);
  const limit =
    config.maxBody < maxBodyBytes
      ? { maxBytes: config.maxBody, variable: "AGENT_MAX_BODY" }
      : { maxBytes: maxBodyBytes, variable: "the protocol" };
  const text = await readText(request, limit);
  const value = parseJson(text);
  const clip = clipLength(value);
  const { maxRequestBytes } = AGENT_HTTP_LIMITS;
  // A character is three bytes of UTF-8 at most, two of them four: seldom is there something to count.
  const rest = text.length - clip;
  if (rest > maxRequestBytes || (rest * 3 > maxRequestBytes && byteLength(text) - clip > maxRequestBytes)) {
    throw new HttpError(
      "body_too_large",
      `The request is larger than ${maxRequestBytes} bytes beside its audio, the limit set by the protocol.`,
    );
  }
  try {
    return parseAgentHttpRequest(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TableError(400, error.message, error);
  }
}

function clipLength(value: unknown): number {
  const audio = typeof value === "object" && value !== null && "audio" in value ? value.audio : null;
  const base64 = typeof audio === "object" && audio !== null && "base64" in audio ? audio.base64 : null;
  return typeof base64 === "string" ? base64.length : 0;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
