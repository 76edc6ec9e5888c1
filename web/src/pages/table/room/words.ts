import { AgentError, AgentHttpError } from "../../../../../src/table/client/errors.ts";
import type { Unresolved } from "../../../../../src/table/index.ts";
import { messageOf } from "../../../api/errors.ts";

const unresolved: Record<Unresolved["code"], string> = {
  "discovery-exhausted":
    "The agent kept looking things up and never came to a plan, so nothing more was done. Ask for one thing at a time.",
  "continuation-exhausted": "The agent wanted to go on and on; it was stopped after four steps.",
  "repeated-plan": "The agent sent the same steps twice; they were done once.",
  "no-reader-channel": "The agent asked something that cannot be asked here.",
  "question-unanswered": "The question was left open, so the agent did nothing more.",
};

/** Why a turn stopped short, for a person. */
export function unresolvedWords({ code }: Unresolved): string {
  return unresolved[code];
}

const codes: Record<string, string> = {
  "connection-failed":
    "No connection to the backend. Is it running, and does it let this page read its replies (CORS)?",
  timeout: "The backend took too long to answer.",
  cancelled: "Stopped. What had been done by then stands above.",
  "reply-malformed":
    "Something answered, but not as a table backend: its reply is not adapttable.agent.v1. Check the address.",
  "connect-refused": "The backend does not take this table.",
  "context-stale": "You changed the rules while the agent was at work, so the rest was not done. Ask again.",
  "payload-too-large": "This is more than one request may carry. Filter the table, or say less at once.",
  "audio-invalid": "The recording cannot be sent. Try again, or type.",
  "transcript-missing": "The backend never said what it heard. Type instead.",
  "stream-incomplete": "The connection broke before the answer was whole, so none of it was done.",
  "stream-malformed": "The answer was garbled on the way, so none of it was done.",
  "stream-too-long": "The answer did not end, so none of it was done.",
  "duplicate-call-id": "The backend contradicted itself, so none of its plan was done.",
  "plan-conflict": "The backend contradicted itself, so none of its plan was done.",
};

/** Why talking to a backend failed, for a person. */
export function failureWords(error: unknown): string {
  if (error instanceof AgentHttpError && error.code === "http-error") return statusWords(error);
  if (!(error instanceof AgentError)) return messageOf(error);
  const words = codes[error.code];
  if (words === undefined) return error.message;
  return error.code === "connect-refused" ? `${words} It says: ${error.message}` : words;
}

function statusWords({ status, message }: AgentHttpError): string {
  const said = saidBy(message);
  switch (status) {
    case 401:
    case 403:
      return `The backend does not accept the token.${said}`;
    case 404:
    case 405:
      return `There is no table backend at this address.${said}`;
    case 501:
      return `The backend cannot do this.${said}`;
    default:
      return `The backend answered with ${status ?? "an error"}.${said}`;
  }
}

/** What the reply itself says, when it is an `{ error }`. */
function saidBy(message: string): string {
  const body = message.replace(/^agent HTTP \d+: ?/, "");
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && "error" in parsed) {
      const { error } = parsed;
      if (typeof error === "string") return ` It says: ${error}`;
    }
  } catch {
    // Not JSON, or cut off: a page of HTML says nothing to a person.
  }
  return "";
}
