import type { Context } from "../http/context.ts";
import { presentedCredentials } from "../http/credentials.ts";
import { failureLine, secretsOf } from "../http/log.ts";
import type { TurnEvent, TurnFailure } from "../turn/index.ts";
import { abortable } from "./abortable.ts";
import { type AnsweredBy, type CollectedTurn, collectTurn } from "./collect-turn.ts";
import { openTurn } from "./open-turn.ts";
import { sseResponse } from "./sse.ts";
import { type TurnEncoder, turnFrames } from "./sse-turn.ts";
import { brokenOff, failureOf } from "./turn-failure.ts";

/** How one wire tells a turn, made for one request. */
export interface TurnReply {
  stream: boolean;
  /** A session keeps the turn, so that the same request again would be another turn. */
  durable: boolean;
  /** Sent with every reply of the wire. */
  headers: { [name: string]: string };
  /** A frame or comment that says nothing. */
  heartbeat: string;
  failure(failure: TurnFailure, mayRetry: boolean): Response;
  body(turn: CollectedTurn): object;
  encoder(): TurnEncoder;
}

/**
 * The reply to a turn that was started, in one piece or as a stream. A turn that fails before it has anything to tell
 * is a reply with a status, on both. `x-greenroom-model` names the model that answers, `scripted` when none does. A
 * client that leaves gives its turn up.
 */
export async function answerTurn(
  context: Context,
  events: AsyncIterable<TurnEvent[]>,
  reply: TurnReply,
): Promise<Response> {
  const { signal } = context.request;
  try {
    const opened = await openTurn(abortable(events, signal), context.config.heartbeatMs);
    const headers = { ...reply.headers, ...modelHeader(opened.answeredBy) };
    if (!opened.ok) return withHeaders(reply.failure(opened.failure, !reply.durable), headers);
    if (reply.stream) {
      const frames = turnFrames(opened.events, reply.encoder(), (thrown) => {
        if (!signal.aborted) logBreak(context, thrown);
      });
      const { heartbeat } = reply;
      return sseResponse(frames, { heartbeat, heartbeatMs: context.config.heartbeatMs, headers });
    }
    const turn = await collectTurn(opened.events);
    const failure = failureOf(turn.outcome);
    if (failure !== null) return withHeaders(reply.failure(failure, !reply.durable), headers);
    return Response.json(reply.body(turn), { headers });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    logBreak(context, thrown);
    return withHeaders(reply.failure(brokenOff, !reply.durable), reply.headers);
  }
}

function modelHeader(answeredBy: AnsweredBy | null): { [name: string]: string } {
  if (answeredBy === null) return {};
  return { "x-greenroom-model": answeredBy.scripted ? "scripted" : answeredBy.model };
}

function withHeaders(response: Response, headers: { [name: string]: string }): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The client is told that the turn broke off; what broke it is for the log. */
function logBreak({ request, requestId, env, url }: Context, thrown: unknown): void {
  const about = { requestId, method: request.method, route: url.pathname };
  console.error(failureLine(thrown, about, secretsOf(env, presentedCredentials(request.headers))));
}
