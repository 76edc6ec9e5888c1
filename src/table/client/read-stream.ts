import type { JsonObject } from "../../turn/json.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "../protocol/limits.ts";
import type { AgentHttpResponse } from "../protocol/messages.ts";
import { parseAskUser, parseToolCalls } from "../protocol/parse-response.ts";
import { isFilled } from "../protocol/shape.ts";
import { frameData, type StreamFrame, streamFrames } from "../protocol/stream-frame.ts";
import { AgentStreamError } from "./errors.ts";

/**
 * A reply that comes as events, whole: it is given only after `done`, and a stream that ends before, fails, or says
 * something malformed is an `AgentStreamError`. `onText` gets the text so far, each time it grows. A stream carries no
 * pin, session or wish to continue, so the reply has none.
 */
export async function readStreamedReply(
  pieces: AsyncIterable<string>,
  onText: (text: string) => void,
): Promise<AgentHttpResponse> {
  const frames = streamFrames();
  const reply: AgentHttpResponse = { schemaVersion };
  let events = 0;
  for await (const piece of pieces)
    for (const frame of frames.push(piece)) {
      if (++events > AGENT_HTTP_LIMITS.maxStreamEvents)
        throw new AgentStreamError(
          "stream-too-long",
          `The reply has more than ${AGENT_HTTP_LIMITS.maxStreamEvents} events; nothing of it was run.`,
        );
      if (frame.event === "done") return reply;
      take(reply, frame, onText);
    }
  throw new AgentStreamError(
    "stream-incomplete",
    "The reply ended before it was done, so nothing of it was run.",
  );
}

/** One event into the reply. Events nobody knows are passed over. */
function take(reply: AgentHttpResponse, frame: StreamFrame, onText: (text: string) => void): void {
  switch (frame.event) {
    case "text-delta": {
      const { text } = dataOf(frame);
      if (typeof text !== "string") throw malformed(frame, "text must be a string");
      reply.text = (reply.text ?? "") + text;
      onText(reply.text);
      return;
    }
    case "transcript": {
      const { text } = dataOf(frame);
      if (typeof text !== "string") throw malformed(frame, "text must be a string");
      reply.transcript = text;
      return;
    }
    case "ask-user":
      reply.askUser = parsed(frame, () => parseAskUser(dataOf(frame)));
      return;
    case "tool-calls":
      reply.toolCalls = parsed(frame, () => parseToolCalls(dataOf(frame).toolCalls ?? undefined)) ?? [];
      return;
    case "error": {
      const { code, message } = frameData(frame) ?? {};
      throw new AgentStreamError(
        isFilled(code) ? code : "stream-error",
        isFilled(message) ? message : "The backend failed while it answered.",
      );
    }
  }
}

function dataOf(frame: StreamFrame): JsonObject {
  const data = frameData(frame);
  if (!data) throw malformed(frame, "data must be a JSON object");
  return data;
}

function parsed<T>(frame: StreamFrame, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TypeError) throw malformed(frame, error.message);
    throw error;
  }
}

function malformed(frame: StreamFrame, why: string): AgentStreamError {
  return new AgentStreamError("stream-malformed", `Event ${frame.event} of the reply is malformed: ${why}`);
}
