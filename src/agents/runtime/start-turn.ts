import type { TurnOrder, TurnRefusal } from "../../../objects/session.ts";
import type { OwnedContext } from "../../http/context.ts";
import { systemTiming } from "../../models/timing.ts";
import { putAgentRun } from "../../store/agent-runs.ts";
import { sessionObject } from "../../store/objects.ts";
import type { Message, TurnEvent, TurnFailure, TurnRequest, TurnUsage } from "../../turn/index.ts";
import type { DeepAgent } from "../authoring/deep-agent.ts";
import { findAgent } from "../registry.ts";
import { answeringModel } from "./answering-model.ts";
import { EventQueue } from "./event-queue.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { mintId } from "./mint-id.ts";
import { runStatus } from "./run-status.ts";
import { runTurn } from "./run-turn.ts";
import { mainFrame } from "./session-store.ts";

/** A turn that has begun, or why it has not. */
export type StartedTurn =
  | { ok: true; events: AsyncIterable<TurnEvent[]> }
  | { ok: false; failure: TurnFailure };

/** What starting a turn needs of a request's context. */
export type TurnContext = Pick<OwnedContext, "env" | "owner"> & { ctx: Pick<ExecutionContext, "waitUntil"> };

/**
 * Starts a turn of an agent. A durable one runs in its session's object and goes on whoever watches; a stateless one
 * runs here and is given up when its events are no longer read. Events come in batches, as they become ready.
 */
export async function startTurn(context: TurnContext, request: TurnRequest): Promise<StartedTurn> {
  const agent = findAgent(request.agent);
  if (agent === undefined) {
    return refused({
      code: "unknown_agent",
      message: `There is no agent "${request.agent}".`,
      retryable: false,
    });
  }
  const twin = request.clientTools.find(({ name }) => agent.tools.some((tool) => tool.name === name));
  if (twin !== undefined) {
    const message = `The agent has a tool "${twin.name}" of its own; name yours differently.`;
    return refused({ code: "invalid_messages", message, retryable: false });
  }
  return request.session === null
    ? startStateless(context, agent, request)
    : startDurable(context, request, request.session);
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
): Promise<StartedTurn> {
  const order: TurnOrder = { owner, request };
  const object = sessionObject(env, owner, request.agent, key);
  const response = await object.fetch("https://session/turn", {
    method: "POST",
    body: JSON.stringify(order),
  });
  if (!response.ok || response.body === null)
    return refused(((await response.json()) as TurnRefusal).failure);
  return { ok: true, events: withoutNumbers(response.body) };
}

function startStateless(context: TurnContext, agent: DeepAgent, request: TurnRequest): StartedTurn {
  const stray = strayResult(request.messages);
  if (stray !== undefined) {
    const message = `The tool result for ${JSON.stringify(stray)} answers no call in the messages before it.`;
    return refused({ code: "invalid_messages", message, retryable: false });
  }
  const { env, ctx, owner } = context;
  const store = new MemorySessionStore(structuredClone(agent.initialState));
  for (const message of request.messages) store.append(mainFrame, message);
  const cancel = new AbortController();
  const queue = new EventQueue<TurnEvent>(() => cancel.abort());
  const timing = systemTiming();
  const startedAt = new Date().toISOString();
  let model = "none";
  let usage: TurnUsage | null = null;
  const played = runTurn(
    agent,
    { ...request, known: false, askFirst: true },
    {
      store,
      emit: (event) => {
        if (event.type === "turn-start") model = event.model;
        if (event.type === "usage") usage = event.usage;
        queue.push(event);
      },
      model: (frame) => answeringModel(frame, { ...env }, fetch, timing),
      timing,
      mintId,
      signal: cancel.signal,
    },
  ).then(async (outcome) => {
    queue.end();
    const { runId, wire, session, conversation } = request;
    await putAgentRun(env.DB, owner, {
      ...{ runId: mintId(`${runId}-`), agent: agent.name, wire, session, conversation, model, startedAt },
      status: runStatus(outcome),
      endedAt: new Date().toISOString(),
      usage: usage ?? {
        inputTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      },
      failure: outcome.type === "failed" ? outcome.failure : null,
    });
  });
  ctx.waitUntil(played);
  return { ok: true, events: queue };
}

/** Call id of the first tool result that answers no call before it. */
function strayResult(messages: Message[]): string | undefined {
  const calls = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.blocks) if (block.type === "call") calls.add(block.callId);
    } else if (message.role === "tool" && !calls.has(message.callId)) {
      return message.callId;
    }
  }
  return undefined;
}

async function* withoutNumbers(body: ReadableStream<Uint8Array>): AsyncIterable<TurnEvent[]> {
  for await (const events of numberedEvents(body)) yield events.map(({ event }) => event);
}

/** Reads the lines of a session's stream, a batch for each chunk that completes one. */
async function* numberedEvents(
  body: ReadableStream<Uint8Array>,
): AsyncIterable<{ seq: number; event: TurnEvent }[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    const events = lines
      .filter((line) => line !== "")
      .map((line) => {
        const space = line.indexOf(" ");
        return { seq: Number(line.slice(0, space)), event: JSON.parse(line.slice(space + 1)) as TurnEvent };
      });
    if (events.length > 0) yield events;
  }
}

function refused(failure: TurnFailure): StartedTurn {
  return { ok: false, failure };
}
