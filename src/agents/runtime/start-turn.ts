import type { TurnOrder, TurnRefusal } from "../../../objects/session.ts";
import type { OwnedContext } from "../../http/context.ts";
import { systemTiming } from "../../models/timing.ts";
import { type AgentRun, putRuns } from "../../store/agent-runs.ts";
import { sessionObject } from "../../store/objects.ts";
import type { TurnEvent, TurnFailure, TurnOutcome, TurnRequest } from "../../turn/index.ts";
import type { DeepAgent } from "../authoring/deep-agent.ts";
import { findAgent } from "../registry.ts";
import { isServerTool } from "./agent-frame.ts";
import { AnsweringModels } from "./answering-models.ts";
import { EventQueue } from "./event-queue.ts";
import { firstEvent } from "./first-event.ts";
import { importMessages, strayResult } from "./import-messages.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { mintId } from "./mint-id.ts";
import { runStatus } from "./run-status.ts";
import { runTurn } from "./run-turn.ts";
import { unknownAgent } from "./unknown-agent.ts";
import { noUsage } from "./usage.ts";

/** A turn that has begun, or why it has not. */
export type StartedTurn =
  /** `first`: the number of the first event, where they can be asked for again; the others count on from it. */
  | { ok: true; events: AsyncIterable<TurnEvent[]>; first?: number | undefined }
  | { ok: false; failure: TurnFailure };

/** What starting a turn needs of a request's context. */
export type TurnContext = Pick<OwnedContext, "env" | "owner"> & { ctx: Pick<ExecutionContext, "waitUntil"> };

/**
 * Starts a turn of an agent. A durable one runs in its session's object and goes on whoever watches; a stateless one
 * runs here and is given up when its events are no longer read. Events come in batches, as they become ready; those of
 * a durable turn that is wanted `whole` come in one, when it is over, for less than half the cost.
 */
export async function startTurn(
  context: TurnContext,
  request: TurnRequest,
  { whole = false }: { whole?: boolean } = {},
): Promise<StartedTurn> {
  const agent = findAgent(request.agent);
  if (agent === undefined) {
    return refused(unknownAgent(request.agent));
  }
  const names = request.clientTools.map(({ name }) => name);
  const twin = names.find((name, at) => names.indexOf(name) < at || isServerTool(agent, name));
  if (twin !== undefined) {
    const message = isServerTool(agent, twin)
      ? `The agent has a tool "${twin}" of its own; name yours differently.`
      : `Two tools are called "${twin}".`;
    return refused({ code: "invalid_messages", message, retryable: false });
  }
  return request.session === null
    ? startStateless(context, agent, request)
    : startDurable(context, request, request.session, whole);
}

/** The events of a session after a number, to the end of the turn under way; `null` when there is no such session. */
export async function replayThread(
  { env, owner }: Pick<TurnContext, "env" | "owner">,
  agent: string,
  session: string,
  after: number,
): Promise<AsyncIterable<{ seq: number; event: TurnEvent }[]> | null> {
  const object = sessionObject(env, owner, agent, session);
  const response = await object.fetch(`https://session/events?after=${after}`);
  return response.status === 404 || response.body === null ? null : numberedEvents(response.body);
}

async function startDurable(
  { env, owner }: TurnContext,
  request: TurnRequest,
  key: string,
  whole: boolean,
): Promise<StartedTurn> {
  const order: TurnOrder = { owner, request, whole };
  const object = sessionObject(env, owner, request.agent, key);
  let response: Response;
  try {
    response = await object.fetch("https://session/turn", { method: "POST", body: JSON.stringify(order) });
  } catch (thrown) {
    // Of a turn that was to come whole nobody knows whether it had begun, unless it was turned away at the door.
    if (!whole || isTurnedAway(thrown)) throw thrown;
    return { ok: true, events: wholeTurn(() => Promise.reject(thrown)) };
  }
  if (!response.ok || response.body === null)
    return refused(((await response.json()) as TurnRefusal).failure);
  return {
    ok: true,
    events: whole ? wholeTurn(() => response.json()) : withoutNumbers(response.body),
    first: firstEvent(response),
  };
}

/** Whether the platform says that a call never reached its object. */
function isTurnedAway(thrown: unknown): boolean {
  return thrown instanceof Error && "overloaded" in thrown && thrown.overloaded === true;
}

async function* wholeTurn(read: () => Promise<TurnEvent[]>): AsyncGenerator<TurnEvent[]> {
  yield await read();
}

function startStateless(context: TurnContext, agent: DeepAgent, request: TurnRequest): StartedTurn {
  const stray = strayResult(request.messages);
  if (stray !== undefined) {
    const message = `The tool result for ${JSON.stringify(stray)} answers no call in the messages before it.`;
    return refused({ code: "invalid_messages", message, retryable: false });
  }
  const { env, ctx } = context;
  const store = new MemorySessionStore(structuredClone(agent.initialState));
  importMessages(request.messages, store);
  const cancel = new AbortController();
  const queue = new EventQueue<TurnEvent>(() => cancel.abort());
  const timing = systemTiming();
  const models = new AnsweringModels({ ...env }, fetch, timing);
  const startedAt = new Date().toISOString();
  const record = { model: "none", usage: noUsage };
  const emit = (event: TurnEvent) => {
    if (event.type === "turn-start") record.model = event.model;
    if (event.type === "usage") record.usage = event.usage;
    queue.push(event);
  };
  const played = runTurn(
    agent,
    { ...request, askFirst: true },
    {
      store,
      emit,
      model: (frame) => models.of(frame),
      timing,
      mintId,
      signal: cancel.signal,
    },
  ).finally(() => queue.end());
  ctx.waitUntil(played.then((outcome) => recordRun(context, request, outcome, { ...record, startedAt })));
  return { ok: true, events: queue };
}

/** Keeps the record of a stateless run. That it cannot be kept is told in the log: the client has its reply. */
async function recordRun(
  { env, owner }: TurnContext,
  { runId, agent, wire, session, conversation }: TurnRequest,
  outcome: TurnOutcome,
  seen: Pick<AgentRun, "model" | "usage" | "startedAt">,
): Promise<void> {
  try {
    const run: AgentRun = {
      ...{ runId: mintId(`${runId}-`), agent, wire, session, conversation },
      ...seen,
      status: runStatus(outcome),
      endedAt: new Date().toISOString(),
      failure: outcome.type === "failed" ? outcome.failure : null,
    };
    await putRuns(env.DB, [{ owner, run }]).run();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ level: "error", event: "run_not_recorded", error: said.slice(0, 300) }));
  }
}

async function* withoutNumbers(body: ReadableStream<Uint8Array>): AsyncIterable<TurnEvent[]> {
  for await (const events of numberedEvents(body)) yield events.map(({ event }) => event);
}

/** Reads the lines of a session's stream, a batch for each chunk that completes one. */
async function* numberedEvents(
  body: ReadableStream<Uint8Array>,
): AsyncIterable<{ seq: number; event: TurnEvent }[]> {
  const decoder = new TextDecoder();
  /** What there is of a line that is not complete: many chunks, when it is a long conversation. */
  let begun: string[] = [];
  for await (const chunk of body) {
    const [rest = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    begun.push(rest);
    if (lines.length === 0) continue;
    const complete = [begun.join(""), ...lines.slice(0, -1)].filter((line) => line !== "");
    begun = lines.slice(-1);
    if (complete.length > 0) yield complete.map(numbered);
  }
}

function numbered(line: string): { seq: number; event: TurnEvent } {
  const space = line.indexOf(" ");
  return { seq: Number(line.slice(0, space)), event: JSON.parse(line.slice(space + 1)) as TurnEvent };
}

function refused(failure: TurnFailure): StartedTurn {
  return { ok: false, failure };
}
