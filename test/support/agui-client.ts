import { HttpAgent, type RunAgentParameters } from "@ag-ui/client";
import type { BaseEvent, Interrupt, Message, ResumeEntry } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { expect, vi } from "vitest";
import type { JsonObject, Message as StoredMessage } from "../../src/turn/index.ts";
import { encodeMessages } from "../../src/wires/agui/encode-messages.ts";

/** Where a Worker is reached, and as whom. */
export interface Door {
  url: string;
  token: string;
}

/** An event as it came, with whatever it carries. */
export type Seen = { type: string } & { [key: string]: unknown };

/** One run as its client saw it. */
export interface SeenRun {
  events: Seen[];
  /** Of the `RUN_ERROR`; `null` when the run did not fail. */
  error: { message: string; code: string | undefined } | null;
  /** Of `RUN_FINISHED`. */
  outcome: { type?: string; interrupts?: Interrupt[]; pendingToolCallIds?: string[] } | null;
  /** What the agent itself said in it. */
  text: string;
}

export function headersOf({ token }: Door): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** A chat page: the protocol's own client on one thread, its verification on, failing on whatever it warns of. */
export class Page {
  readonly agent: HttpAgent;
  private readonly door: Door;
  readonly name: string;

  constructor(door: Door, threadId: string, name = "playground", initialMessages: Message[] = []) {
    this.door = door;
    this.name = name;
    this.agent = new HttpAgent({
      url: `${door.url}/agui/v1/agents/${name}`,
      headers: headersOf(door),
      threadId,
      initialMessages,
    });
  }

  /** Sends a message, and what `parameters` add to the run. */
  say(content: string, parameters: RunAgentParameters = {}): Promise<SeenRun> {
    this.agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
    return this.run(parameters);
  }

  /** Answers a call of one of the client's own tools. */
  answer(toolCallId: string, content: string, parameters: RunAgentParameters = {}): Promise<SeenRun> {
    this.agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId, content });
    return this.run(parameters);
  }

  resume(entries: ResumeEntry[], parameters: RunAgentParameters = {}): Promise<SeenRun> {
    return this.run({ ...parameters, resume: entries });
  }

  async run(parameters: RunAgentParameters = {}): Promise<SeenRun> {
    const events: Seen[] = [];
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      await this.agent.runAgent(parameters, {
        onEvent: ({ event }) => void events.push(event as BaseEvent & Seen),
      });
      expect(warn.mock.calls).toEqual([]);
    } finally {
      warn.mockRestore();
    }
    return checked(events);
  }

  get interrupts(): Interrupt[] {
    return this.agent.pendingInterrupts;
  }

  get state(): JsonObject {
    return this.agent.state as JsonObject;
  }

  /** The thread as the server keeps it. */
  stored(): Promise<StoredSession> {
    return storedSession(this.door, this.name, this.agent.threadId);
  }

  /** What the page shows is what is stored, row for row and under the same ids; what subagents said aside. */
  async expectInStep(): Promise<void> {
    const { messages, state } = await this.stored();
    const rows = this.agent.messages.filter((message) => !("subagentRunId" in message));
    expect(rows.map(comparable)).toEqual(encodeMessages(messages).map(comparable));
    expect(this.state).toEqual(state);
  }
}

export interface StoredSession {
  messages: StoredMessage[];
  state: JsonObject;
  interrupts: { id: string; callId: string }[];
  running: boolean;
}

export async function storedSession(door: Door, agent: string, key: string): Promise<StoredSession> {
  const response = await fetch(`${door.url}/api/sessions/${agent}/${encodeURIComponent(key)}`, {
    headers: headersOf(door),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as StoredSession;
}

/** A message as both sides must have it: an absent content and an empty one are the same, metadata is an extra. */
function comparable(message: object): { [key: string]: unknown } {
  const { metadata: _metadata, error: _error, content = "", ...rest } = message as { [key: string]: unknown };
  return { ...rest, content };
}

/** Every event is the protocol's own, and the run has one start and one end. */
function checked(events: Seen[]): SeenRun {
  for (const event of events) {
    expect(EventSchema.safeParse(event).error?.issues ?? [], JSON.stringify(event)).toEqual([]);
  }
  expect(events[0]?.type).toBe("RUN_STARTED");
  const ends = events.filter(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR");
  expect(ends).toHaveLength(1);
  const end = events.at(-1);
  expect(end).toBe(ends[0]);
  const failed = end?.type === "RUN_ERROR";
  return {
    events,
    error: failed ? { message: String(end.message), code: end.code as string | undefined } : null,
    outcome: failed ? null : ((end?.outcome ?? {}) as SeenRun["outcome"]),
    text: events
      .filter(({ type, subagentRunId }) => type === "TEXT_MESSAGE_CONTENT" && subagentRunId === undefined)
      .map(({ delta }) => delta)
      .join(""),
  };
}

export function ofType(run: { events: Seen[] }, ...types: string[]): Seen[] {
  return run.events.filter(({ type }) => types.includes(type));
}

/** A run by hand, as a client that is none of the known ones would ask for it. */
export function post(
  door: Door,
  body: unknown,
  init: { agent?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const { agent = "playground", headers = {}, signal } = init;
  return fetch(`${door.url}/agui/v1/agents/${agent}`, {
    method: "POST",
    headers: { ...headersOf(door), "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A run by hand, read to its end. */
export async function runRaw(door: Door, body: unknown, agent = "playground"): Promise<SeenRun> {
  const response = await post(door, body, { agent });
  expect(response.status).toBe(200);
  return checked(readFrames(await response.text()).map(({ event }) => event));
}

export interface Frame {
  id: number | null;
  event: Seen;
}

/** Frames of a stream, comments apart. */
export function readFrames(text: string): Frame[] {
  return text.split("\n\n").flatMap((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return [];
    const id = /^id: (\d+)$/m.exec(block)?.[1];
    return [{ id: id === undefined ? null : Number(id), event: JSON.parse(data) as Seen }];
  });
}

/** A thread's events after a number, as long as they come; `until` ends the reading early. */
export async function replay(
  door: Door,
  threadId: string,
  options: {
    after?: number;
    lastEventId?: string;
    agent?: string;
    until?: (frames: Frame[]) => boolean;
  } = {},
): Promise<Frame[]> {
  const { after, lastEventId, agent = "playground", until } = options;
  const query = after === undefined ? "" : `?after=${after}`;
  const response = await fetch(
    `${door.url}/agui/v1/agents/${agent}/threads/${encodeURIComponent(threadId)}/events${query}`,
    {
      headers: { ...headersOf(door), ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) },
    },
  );
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Only whole frames count.
    const frames = readFrames(text.slice(0, text.lastIndexOf("\n\n") + 2));
    if (until?.(frames)) return frames;
  }
  return readFrames(text);
}

/** Executions the playground noted in its shared state, `tool callId` each: one that is there twice has run twice. */
export function effects(state: JsonObject): string[] {
  const noted = (state.effects ?? []) as { callId: string; tool: string }[];
  return noted.map(({ tool, callId }) => `${tool} ${callId}`);
}
