import { replayThread } from "../../agents/runtime/start-turn.ts";
import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import type { TurnEvent } from "../../turn/index.ts";
import { abortable } from "../../wires/abortable.ts";
import { AguiEncoder } from "../../wires/agui/encode.ts";
import { frames, heartbeat } from "../../wires/agui/frames.ts";
import { threadEventsQuery } from "../../wires/agui/schema.ts";
import { sseResponse } from "../../wires/sse.ts";
import { agentOf } from "./find.ts";

/** The numbers of a turn's events begin at a multiple of this. */
const turnNumbers = 1_000_000;

/** The events of a thread's runs, past and under way, for a client that left or comes anew. */
export const replayAguiThread: Route = {
  access: "credential",
  summary: "Replay a thread's AG-UI events.",
  description:
    "The events of the thread's last runs and of the one under way, from its acceptance on, as server-sent events whose `id` is a number. Starts after `Last-Event-ID` or `?after=`, the former winning; closes when no run is under way.",
  capability: "agui.replay",
  query: threadEventsQuery,
  responses: { 200: { description: "AG-UI events.", contentType: "text/event-stream" } },
  async handle(context) {
    const agent = agentOf(context);
    const threadId = param(context, "threadId");
    const after = lastSeen(context);
    // From its turn's first event, since what a later one looks like can depend on those before it.
    const from = after - (after % turnNumbers);
    const events = await replayThread(context, agent.name, threadId, from - 1);
    if (events === null) {
      throw new HttpError("not_found", `The agent ${agent.name} has no thread ${JSON.stringify(threadId)}.`);
    }
    return sseResponse(replay(abortable(events, context.request.signal), threadId, after), {
      heartbeat,
      heartbeatMs: context.config.heartbeatMs,
    });
  },
};

function lastSeen(context: OwnedContext): number {
  const { after } = readQuery(context, threadEventsQuery);
  const text = context.request.headers.get("last-event-id") ?? after ?? "0";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new HttpError("invalid_request", "Last-Event-ID and ?after= must be a number this stream gave.");
}

async function* replay(
  events: AsyncIterable<{ seq: number; event: TurnEvent }[]>,
  threadId: string,
  after: number,
): AsyncIterable<string> {
  const encoder = new AguiEncoder({ threadId, declareVersion: true });
  for await (const batch of events) {
    let text = "";
    for (const { seq, event } of batch) {
      const encoded = encoder.encode(event);
      if (seq > after) text += frames(encoded, seq);
    }
    yield text;
  }
  yield frames(encoder.cut("The stream broke off; ask for the events after the last one again."));
}
