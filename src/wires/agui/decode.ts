import type { ClientTool, Json, JsonObject, TurnFailure, TurnRequest } from "../../turn/index.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeResume } from "./decode-resume.ts";
import type { RunInput } from "./schema.ts";

export type DecodedRun = { ok: true; request: TurnRequest } | { ok: false; failure: TurnFailure };

/**
 * A run input as a turn of `agent`: durable when it names a thread. A failure is told on the stream, as the run's end.
 * `mintId` makes ids for messages that have none. Throws `HttpError` 400 for content that cannot be taken.
 */
export function decodeRun(agent: string, input: RunInput, mintId: (prefix: string) => string): DecodedRun {
  const { threadId, runId } = input;
  const decoded = decodeResume(input.resume ?? []);
  if (!decoded.ok) return decoded;
  const { resume } = decoded;
  if (threadId === "" && resume.length > 0) {
    const message = "A resume needs the threadId of the thread that waits; a stateless turn never does.";
    return { ok: false, failure: { code: "session_required", message, retryable: false } };
  }
  const request: TurnRequest = {
    agent,
    wire: "agui",
    runId,
    session: threadId === "" ? null : threadId,
    conversation: null,
    messages: decodeMessages(input.messages, mintId),
    clientTools: decodeTools(input.tools ?? []),
    state: isObject(input.state) ? input.state : null,
    resume,
    sampling: {},
    snapshot: true,
    context: decodeContext(input.context ?? []),
    // Parsed from JSON, so JSON it is.
    forwarded: (input.forwardedProps ?? null) as Json,
  };
  return { ok: true, request };
}

/** A tool declared twice counts once, as it was declared first. */
function decodeTools(tools: NonNullable<RunInput["tools"]>): ClientTool[] {
  const byName = new Map<string, ClientTool>();
  for (const { name, description, parameters } of tools) {
    if (byName.has(name)) continue;
    byName.set(name, {
      name,
      description: description ?? "",
      parameters: isObject(parameters) ? parameters : { type: "object", properties: {} },
    });
  }
  return [...byName.values()];
}

function decodeContext(entries: NonNullable<RunInput["context"]>): TurnRequest["context"] {
  return entries.map(({ description, value }) => ({
    description: description ?? "",
    value: typeof value === "string" ? value : JSON.stringify(value ?? null),
  }));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
