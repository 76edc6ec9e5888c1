import type { LaneReply, LaneRequest } from "./lane.ts";
import { answerText, modelUsage, pieces } from "./model-protocol.ts";

/**
 * Who is asked. Plain ones have the fixed model in them; the others ask a model's process over HTTP, the slow ones a
 * model that takes its time over a stream. `oursFresh` is there for its memory alone: each of its turns makes a session.
 */
export type Stack = "floor" | Modelled | `${Modelled}Http` | "honoSlow" | "oursSlow" | "oursFresh";

type Modelled = "hono" | "agents" | "ours";

/** Whether a stack asks the model's process. */
export function asksModel(stack: Stack): boolean {
  return /(?:Http|Slow)$/.test(stack);
}

/** One way of asking, and what the answer must be. */
export interface Kind {
  /** What is printed. */
  name: string;
  stack: Stack;
  /** Turns a lane takes in one session before it begins another; `Infinity`: it never does. */
  turnsPerSession: number;
  /** The nth turn of a session. */
  request(session: string, turn: number): LaneRequest;
  /** Why a reply is not the right one, or `null`. */
  problem(reply: LaneReply): string | null;
}

/** Credential of the Worker under measurement. */
export const token = "bench-token";

/** An agent without a model of its own, and the one the bench adds. */
const agents = { http: "freight", fixed: "bench" };

function question(turn: number): string {
  return `MC 100101 here, what is there from Dallas to Memphis? I ask for the ${turn}th time.`;
}

function chat(turn: number, stream: boolean, agent = agents.fixed): string {
  const messages = [{ role: "user", content: question(turn) }];
  return JSON.stringify({ model: agent, messages, ...(stream ? { stream } : {}) });
}

const authorization = { authorization: `Bearer ${token}` };

function wholeReply({ status, body }: LaneReply): string | null {
  if (status !== 200) return `status ${status}: ${body.slice(0, 300)}`;
  const { choices, usage } = JSON.parse(body) as {
    choices: { message: { content: string }; finish_reason: string }[];
    usage: { completion_tokens: number };
  };
  const [choice] = choices;
  if (choice?.message.content !== answerText) return `another text: ${body.slice(0, 300)}`;
  if (choice.finish_reason !== "stop" || usage.completion_tokens !== modelUsage.completion_tokens)
    return `another end: ${body.slice(-300)}`;
  return null;
}

/** The texts of a stream's frames, which must be that of the answer, a frame for each piece. */
function streamedReply(textOf: (frame: string) => string | null, last: string) {
  return ({ status, body }: LaneReply): string | null => {
    if (status !== 200) return `status ${status}: ${body.slice(0, 300)}`;
    if (!body.includes(last)) return `no end: ${body.slice(-300)}`;
    const texts = body
      .split("\n\n")
      .map(textOf)
      .filter((text) => text !== null);
    if (texts.join("") !== answerText) return `another text: ${body.slice(0, 300)}`;
    return texts.length === pieces.length ? null : `${texts.length} pieces instead of ${pieces.length}`;
  };
}

/** The text of an OpenAI chunk; parsed no further than that, since the bench shares the machine. */
function chunkText(frame: string): string | null {
  const text = /"content":("(?:[^"\\]|\\.)*")/.exec(frame)?.[1];
  return text === undefined || text === '""' ? null : (JSON.parse(text) as string);
}

function aguiText(frame: string): string | null {
  if (!frame.includes('"TEXT_MESSAGE_CONTENT"')) return null;
  const data = /^data: (.*)$/m.exec(frame)?.[1] ?? "null";
  return (JSON.parse(data) as { delta: string }).delta;
}

const chatStream = streamedReply(chunkText, "data: [DONE]");

type Asked = Omit<Kind, "name" | "turnsPerSession">;

function openai(stream: boolean, durable: boolean, model: "fixed" | "http" = "fixed"): Asked {
  return {
    stack: model === "http" ? "oursHttp" : "ours",
    request: (session: string, turn: number): LaneRequest => ({
      path: "/openai/v1/chat/completions",
      headers: { ...authorization, ...(durable ? { "x-stackbone-session": session } : {}) },
      body: chat(turn, stream, agents[model]),
    }),
    problem: stream ? chatStream : wholeReply,
  };
}

function floor(name: string, spread: boolean): Kind {
  return {
    name,
    stack: "floor",
    turnsPerSession: Number.POSITIVE_INFINITY,
    request: (session, turn) => ({
      path: spread ? `/${session}` : "/",
      headers: authorization,
      body: chat(turn, false),
    }),
    problem: ({ status, body }) => (status === 200 && /^\{"stored":\d+\}$/.test(body) ? null : body),
  };
}

function hono(name: string, stream: boolean, stack: Stack = "hono"): Kind {
  return {
    name,
    stack,
    turnsPerSession: Number.POSITIVE_INFINITY,
    request: (_session, turn) => ({
      path: "/v1/chat/completions",
      headers: authorization,
      body: chat(turn, stream),
    }),
    problem: stream ? chatStream : wholeReply,
  };
}

function agentsSdk(name: string, stream: boolean, stack: Stack = "agents"): Kind {
  return {
    name,
    stack,
    turnsPerSession: 10,
    request: (session, turn) => ({
      path: "/v1/chat/completions",
      headers: { ...authorization, "x-session": session },
      body: chat(turn, stream),
    }),
    problem: stream ? chatStream : wholeReply,
  };
}

function agui(model: "fixed" | "http"): Asked {
  return {
    stack: model === "http" ? "oursHttp" : "ours",
    request: (session, turn) => ({
      path: `/agui/v1/agents/${agents[model]}`,
      headers: authorization,
      body: JSON.stringify({
        threadId: session,
        runId: `${session}-${turn}`,
        messages: [{ id: `${session}-${turn}`, role: "user", content: question(turn) }],
        tools: [],
        context: [],
        state: null,
      }),
    }),
    problem: streamedReply(aguiText, '"RUN_FINISHED"'),
  };
}

const durable = { turnsPerSession: 10 };

/** Everything that is measured, in the order it is printed. Figures of turns are for ten of them a session. */
export const kinds = {
  floor: floor("floor: one object, one INSERT", false),
  floorSpread: floor("the same, an object a lane", true),
  honoJson: hono("hono + AI SDK, JSON", false),
  honoSse: hono("hono + AI SDK, SSE", true),
  agentsJson: agentsSdk("agents SDK, JSON", false),
  agentsSse: agentsSdk("agents SDK, SSE", true),
  statelessJson: { name: "stateless, JSON", turnsPerSession: 1, ...openai(false, false) },
  statelessSse: { name: "stateless, SSE", turnsPerSession: 1, ...openai(true, false) },
  json: { name: "durable, JSON", ...durable, ...openai(false, true) },
  jsonFresh: {
    name: "durable, JSON, a turn a session",
    turnsPerSession: 1,
    ...openai(false, true),
    stack: "oursFresh",
  },
  jsonLong: { name: "durable, JSON, 100 turns a session", turnsPerSession: 100, ...openai(false, true) },
  sse: { name: "durable, SSE", ...durable, ...openai(true, true) },
  aguiSse: { name: "durable, SSE of AG-UI", ...durable, ...agui("fixed") },
  honoHttpJson: hono("hono + AI SDK, JSON", false, "honoHttp"),
  honoHttpSse: hono("hono + AI SDK, SSE", true, "honoHttp"),
  agentsHttpJson: agentsSdk("agents SDK, JSON", false, "agentsHttp"),
  agentsHttpSse: agentsSdk("agents SDK, SSE", true, "agentsHttp"),
  httpJson: { name: "durable, JSON", ...durable, ...openai(false, true, "http") },
  httpSse: { name: "durable, SSE", ...durable, ...openai(true, true, "http") },
  honoSlow: hono("hono + AI SDK, SSE, slow", true, "honoSlow"),
  sseSlow: { name: "durable, SSE, slow", ...durable, ...openai(true, true, "http"), stack: "oursSlow" },
} satisfies { [name: string]: Kind };

export type KindName = keyof typeof kinds;

/** In that order. */
export const kindNames = Object.keys(kinds) as KindName[];
