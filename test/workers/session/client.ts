import { createExecutionContext, reset } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { type StartedTurn, startTurn } from "../../../src/agents/runtime/start-turn.ts";
import { sessionObject } from "../../../src/store/objects.ts";
import type {
  Interrupt,
  JsonObject,
  Message,
  TurnEvent,
  TurnOutcome,
  TurnRequest,
} from "../../../src/turn/index.ts";

const origin = "http://127.0.0.1:8787";

/** The owner that a credential makes, as the Worker computes it. */
export async function ownerOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, 32);
}

export async function api<Body>(
  path: string,
  init: { method?: string; body?: unknown; token?: string } = {},
): Promise<{ status: number; body: Body }> {
  const response = await exports.default.fetch(`${origin}${path}`, {
    method: init.method ?? (init.body === undefined ? "GET" : "POST"),
    headers: { authorization: `Bearer ${init.token ?? "t"}`, "content-type": "application/json" },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as Body };
}

export interface Snapshot {
  messages: Message[];
  state: JsonObject;
  interrupts: Interrupt[];
  running: boolean;
}

export interface ApprovalRow {
  id: string;
  status: string;
  decidedBy: string | null;
  runId: string;
  interrupt: Interrupt;
  history?: Message[];
}

export interface RunRow {
  runId: string;
  status: string;
  session: string | null;
  model: string;
  usage: { outputTokens: number };
  failure: { code: string } | null;
}

/** One turn as a client saw it. */
export interface Seen {
  events: TurnEvent[];
  outcome: TurnOutcome;
  text: string;
}

let threads = 0;

/** A client of one durable session of an agent. */
export class Client {
  readonly agent: string;
  readonly key: string;
  readonly token: string;
  private sent = 0;

  constructor(agent = "playground", options: { key?: string; token?: string } = {}) {
    threads += 1;
    this.agent = agent;
    this.key = options.key ?? `thread ${threads}/${crypto.randomUUID()}`;
    this.token = options.token ?? "t";
  }

  async object() {
    return sessionObject(env, await ownerOf(this.token), this.agent, this.key);
  }

  request(changes: Partial<TurnRequest> = {}): TurnRequest {
    this.sent += 1;
    return {
      agent: this.agent,
      wire: "agui",
      runId: `run-${this.sent}`,
      session: this.key,
      conversation: null,
      messages: [],
      clientTools: [],
      state: null,
      resume: [],
      sampling: {},
      snapshot: true,
      context: [],
      forwarded: null,
      ...changes,
    };
  }

  async start(changes: Partial<TurnRequest>, options: { whole?: boolean } = {}): Promise<StartedTurn> {
    return startTurn(
      { env, owner: await ownerOf(this.token), ctx: createExecutionContext() },
      this.request(changes),
      options,
    );
  }

  /** A request's turn to its end. */
  async send(changes: Partial<TurnRequest>): Promise<Seen> {
    const started = await this.start(changes);
    if (!started.ok) throw new Error(`refused: ${JSON.stringify(started.failure)}`);
    return readTurn(started.events);
  }

  say(text: string, changes: Partial<TurnRequest> = {}): Promise<Seen> {
    return this.send({ messages: [this.message(text)], ...changes });
  }

  /** The code a request is refused with. */
  async refusal(changes: Partial<TurnRequest>): Promise<string> {
    const started = await this.start(changes);
    if (!started.ok) return started.failure.code;
    throw new Error(`taken: ${JSON.stringify((await readTurn(started.events)).outcome)}`);
  }

  message(text: string): Message {
    this.sent += 1;
    return { role: "user", id: `u${this.sent}`, parts: [{ type: "text", text }] };
  }

  private get path(): string {
    return `/api/sessions/${this.agent}/${encodeURIComponent(this.key)}`;
  }

  async snapshot(): Promise<Snapshot> {
    const { status, body } = await api<Snapshot>(this.path, { token: this.token });
    if (status !== 200) throw new Error(`GET ${this.path} answered ${status}`);
    return body;
  }

  async exists(): Promise<boolean> {
    return (await api(this.path, { token: this.token })).status === 200;
  }

  delete() {
    return api(this.path, { method: "DELETE", token: this.token });
  }

  /** Waits until no turn is under way. */
  async settled(): Promise<Snapshot> {
    for (let round = 0; round < 400; round += 1) {
      const snapshot = await this.snapshot();
      if (!snapshot.running) return snapshot;
      await pause(5);
    }
    throw new Error("the turn never ended");
  }

  /** What the inbox holds of this session, oldest first. */
  async inbox(): Promise<ApprovalRow[]> {
    const { body } = await api<{ items: (ApprovalRow & { session: string })[] }>("/api/approvals?limit=100", {
      token: this.token,
    });
    return body.items.filter(({ session }) => session === this.key).reverse();
  }

  /** The runs recorded of this session, oldest first; waits until there are as many. */
  async runs(count: number): Promise<RunRow[]> {
    for (let round = 0; round < 600; round += 1) {
      const { body } = await api<{ items: RunRow[] }>("/api/runs?limit=100", { token: this.token });
      const found = body.items.filter(({ session }) => session === this.key).reverse();
      if (found.length >= count) return found;
      await pause(5);
    }
    throw new Error(`there never were ${count} runs`);
  }

  approve(id: string, body: unknown = {}) {
    return api<{ status: string }>(`/api/approvals/${id}/approve`, { body, token: this.token });
  }

  reject(id: string, reason?: string) {
    const body = reason === undefined ? {} : { reason };
    return api<{ status: string }>(`/api/approvals/${id}/reject`, { body, token: this.token });
  }
}

export async function readTurn(events: AsyncIterable<TurnEvent[]>): Promise<Seen> {
  const seen: TurnEvent[] = [];
  for await (const batch of events) seen.push(...batch);
  const end = seen.at(-1);
  if (end?.type !== "turn-end")
    throw new Error(`the turn did not end: ${seen.map(({ type }) => type).join(" ")}`);
  return { events: seen, outcome: end.outcome, text: spoken(seen) };
}

function spoken(events: readonly TurnEvent[]): string {
  return events
    .flatMap((event) => (event.type === "text-delta" && event.subagent === undefined ? [event.delta] : []))
    .join("");
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Text of the newest message, when it is the assistant's. */
export function lastReply({ messages }: Pick<Snapshot, "messages">): string {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return "";
  return last.blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

export function interruptsOf({ outcome }: Seen): Interrupt[] {
  return outcome.type === "interrupt" ? outcome.interrupts : [];
}

/** What the playground's tools noted in the state: one entry an execution. Throws when one call took effect twice. */
export function effectsOf({ state }: Pick<Snapshot, "state">): { callId: string; tool: string }[] {
  const effects = state.effects as { callId: string; tool: string }[];
  const ids = effects.map(({ callId }) => callId);
  if (new Set(ids).size < ids.length) throw new Error(`a call took effect twice: ${JSON.stringify(effects)}`);
  return effects;
}

/** Ends a file of tests: no object is left whose alarm would go off in another file. */
export async function leaveNothing(): Promise<void> {
  await pause(300);
  await reset();
}
