import { mintId } from "../../agents/runtime/mint-id.ts";
import { type StartedTurn, startTurn } from "../../agents/runtime/start-turn.ts";
import type { OwnedContext } from "../../http/context.ts";
import { presentedCredentials } from "../../http/credentials.ts";
import { failureLine, secretsOf } from "../../http/log.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import type { TurnEvent } from "../../turn/index.ts";
import { abortable } from "../../wires/abortable.ts";
import { decodeRun } from "../../wires/agui/decode.ts";
import { AguiEncoder, type EncoderOptions, refusedRun } from "../../wires/agui/encode.ts";
import { frameEncoder, frames, heartbeat } from "../../wires/agui/frames.ts";
import { runInputSchema } from "../../wires/agui/schema.ts";
import { sseResponse } from "../../wires/sse.ts";
import { turnFrames } from "../../wires/sse-turn.ts";
import { agentOf } from "./find.ts";

/** A run of an agent. Always a stream of server-sent events, whatever the client accepts. */
export const runAguiAgent: Route = {
  access: "credential",
  summary: "Run an agent over AG-UI.",
  description:
    "Takes a `RunAgentInput` and streams AG-UI 1.0 events from `RUN_STARTED` to the one `RUN_FINISHED` or `RUN_ERROR`. A `threadId` that is not empty names a durable session, which knows what was said: the newest messages are enough. Its events have ids: send the last one as `Last-Event-ID` to the thread's events to go on where a stream broke off.",
  capability: "agui.run",
  wire: "agui",
  request: runInputSchema,
  responses: {
    200: {
      description: "The run's events; also when it is refused or fails.",
      contentType: "text/event-stream",
    },
  },
  async handle(context) {
    const agent = agentOf(context);
    const input = await readJson(context, runInputSchema);
    const decoded = decodeRun(agent.name, input, mintId);
    const options = { threadId: input.threadId, declareVersion: typeof input.protocolVersion === "string" };
    const started = decoded.ok ? await startTurn(context, decoded.request) : decoded;
    if (started.ok) return streamTurn(context, started, options);
    return reply(context, once(frames(refusedRun(started.failure, input.runId, options))), {});
  },
};

async function streamTurn(
  context: OwnedContext,
  { events, first: number }: Extract<StartedTurn, { ok: true }>,
  options: EncoderOptions,
): Promise<Response> {
  const { signal } = context.request;
  const source = abortable(events, signal)[Symbol.asyncIterator]();
  const first = await source.next();
  const [start] = first.done === true ? [] : first.value;
  const lost =
    options.threadId === ""
      ? "The turn broke off."
      : "The stream broke off, and the turn goes on by itself: ask for the thread's events.";
  const encoder = frameEncoder(new AguiEncoder(options), lost, number);
  const lines = turnFrames(startingWith(first, source), encoder, (thrown) => {
    if (!signal.aborted) logLost(context, thrown);
  });
  return reply(context, lines, start?.type === "turn-start" ? modelHeader(start) : {});
}

/** Which model answers, for whoever looks at the reply rather than the events. */
function modelHeader({ model, scripted }: Extract<TurnEvent, { type: "turn-start" }>): {
  [name: string]: string;
} {
  return { "x-greenroom-model": scripted ? "scripted" : model };
}

function reply(
  { config }: OwnedContext,
  lines: AsyncIterable<string>,
  headers: { [name: string]: string },
): Response {
  return sseResponse(lines, { heartbeat, heartbeatMs: config.heartbeatMs, headers });
}

/** `source` with what was read of it put back. Leaving it leaves `source` at once. */
function startingWith<Item>(first: IteratorResult<Item>, source: AsyncIterator<Item>): AsyncIterable<Item> {
  let unread: IteratorResult<Item> | null = first;
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const result = unread;
        unread = null;
        return result === null ? source.next() : Promise.resolve(result);
      },
      async return() {
        await source.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}

function logLost(context: OwnedContext, thrown: unknown): void {
  const { request, requestId, env } = context;
  const about = { requestId, method: request.method, route: "/agui/v1/agents/:name" };
  console.error(failureLine(thrown, about, secretsOf(env, presentedCredentials(request.headers))));
}
