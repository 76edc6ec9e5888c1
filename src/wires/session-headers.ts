import { HttpError } from "../http/errors.ts";

/** Keys of one conversation, at most one of them set. */
export interface SessionKeys {
  /** A durable session: the server keeps the conversation. */
  session: string | null;
  /** Groups stateless turns for viewing. */
  conversation: string | null;
}

const sessionHeader = "x-stackbone-session";
const conversationHeader = "x-stackbone-conversation";

/** UTF-16 units: far above any id in use, and short enough for a key of storage. */
const maxKeyLength = 512;

/**
 * The keys a request's headers carry. Throws `HttpError` 400 `invalid_request` with the header as `param` when both are
 * sent, or one is empty or too long.
 */
export function sessionKeys(headers: Headers): SessionKeys {
  const session = keyOf(headers, sessionHeader);
  const conversation = keyOf(headers, conversationHeader);
  if (session !== null && conversation !== null) {
    throw refused(
      conversationHeader,
      `Send ${sessionHeader} or ${conversationHeader}, not both: the first keeps the conversation, the second only groups turns.`,
    );
  }
  return { session, conversation };
}

function keyOf(headers: Headers, name: string): string | null {
  const key = headers.get(name);
  if (key === null) return null;
  if (key === "")
    throw refused(name, `The header ${name} is empty; send a key of your choice, or leave it out.`);
  if (key.length > maxKeyLength) {
    throw refused(
      name,
      `The header ${name} is ${key.length} characters long; at most ${maxKeyLength} are taken.`,
    );
  }
  return key;
}

function refused(param: string, message: string): HttpError {
  return new HttpError("invalid_request", message, { details: { param } });
}
