import { DurableObject } from "cloudflare:workers";
import { findAgent } from "../src/agents/registry.ts";
import { admitTurn, wrongDecision } from "../src/agents/runtime/admit-turn.ts";
import { answeringModel } from "../src/agents/runtime/answering-model.ts";
import { mintId } from "../src/agents/runtime/mint-id.ts";
import { runStatus } from "../src/agents/runtime/run-status.ts";
import { runTurn } from "../src/agents/runtime/run-turn.ts";
import { mainFrame } from "../src/agents/runtime/session-store.ts";
import { readConfig } from "../src/config.ts";
import type { Env } from "../src/env.ts";
import { systemTiming } from "../src/models/timing.ts";
import { putAgentRun } from "../src/store/agent-runs.ts";
import { cancelApprovals, noteDecisions, putApprovals } from "../src/store/approvals.ts";
import type {
  Decision,
  Interrupt,
  TurnEvent,
  TurnFailure,
  TurnOutcome,
  TurnRequest,
  TurnUsage,
} from "../src/turn/index.ts";
import { SessionStorage, type StoredTurn } from "./session-storage.ts";
import { TurnLog } from "./turn-log.ts";

/** A turn that stopped without its end goes on after this long. */
const wakeMs = 15_000;

/** What a session is asked to do, as JSON. */
export interface TurnOrder {
  owner: string;
  request: TurnRequest;
}

/** Why an order was not taken, as JSON of a 409. */
export interface TurnRefusal {
  failure: TurnFailure;
}

export type DecisionAnswer =
  | { kind: "decided" | "repeated" | "unknown" }
  | { kind: "conflict" | "refused"; message: string };

/** One session: its conversation, shared state, open interrupts and the one turn it may be in. */
export class SessionObject extends DurableObject<Env> {
  private readonly storage: SessionStorage;
  private readonly log: TurnLog;
  private running: Promise<void> | null = null;
  private turnGivenUp = new AbortController();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.storage = new SessionStorage(ctx.storage.sql);
    this.log = new TurnLog(this.storage);
  }

  ping(): "pong" {
    return "pong";
  }

  /** `POST /turn` takes an order and streams its turn's events, or refuses; `GET /events?after=` replays. */
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (request.method === "POST") return this.take((await request.json()) as TurnOrder);
    if (!this.storage.exists) return new Response(null, { status: 404 });
    this.ensureRunning();
    return new Response(this.log.openAfter(Number(url.searchParams.get("after") ?? 0)));
  }

  /** Messages, state and open interrupts as JSON, or `null` when there is no such session. */
  snapshot(): string | null {
    if (!this.storage.exists) return null;
    return JSON.stringify({
      messages: this.storage.messages(mainFrame),
      state: this.storage.state(),
      interrupts: this.storage.pendingInterrupts(),
      running: this.storage.turn()?.status === "running",
    });
  }

  /** Takes a decision from the inbox; the turn goes on by itself once nothing waits any more. Takes a `Decision` as JSON. */
  async decide(interruptId: string, decisionJson: string): Promise<DecisionAnswer> {
    const decision = JSON.parse(decisionJson) as Decision;
    const turn = this.storage.exists ? this.storage.turn() : null;
    const stored = turn === null ? undefined : this.storage.interrupt(interruptId);
    if (turn === null || stored === undefined) return { kind: "unknown" };
    if (stored.status === "decided") {
      if (JSON.stringify(stored.decision) === JSON.stringify(decision)) return { kind: "repeated" };
      return { kind: "conflict", message: `It was decided before: ${stored.decision?.kind ?? "otherwise"}.` };
    }
    const agent = findAgent(turn.request.agent);
    const wrong = agent === undefined ? null : wrongDecision(agent, stored.interrupt, decision);
    if (wrong !== null) return { kind: "refused", message: wrong };
    this.storage.decide(interruptId, decision);
    this.storage.setCall(stored.interrupt.callId, { status: "decided" });
    // A turn that is still running, its pause not yet told, takes the decision up itself.
    if (turn.status !== "running" && this.storage.pendingInterrupts().length === 0) {
      this.begin({ ...turn, known: true, epoch: turn.epoch + 1, status: "running" }, this.owner());
    }
    await noteDecisions(this.env.DB, [{ id: interruptId, decision }], "inbox", new Date().toISOString());
    return { kind: "decided" };
  }

  /** Deletes everything of the session; what waited for a person is cancelled. */
  async remove(): Promise<void> {
    this.turnGivenUp.abort();
    await this.running;
    await cancelApprovals(this.env.DB, this.ctx.id.toString(), new Date().toISOString());
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    if (!this.storage.exists) return;
    if (this.storage.turn()?.status === "running") {
      this.ensureRunning();
      await this.ctx.storage.setAlarm(Date.now() + wakeMs);
      return;
    }
    const expires = Number(this.storage.meta("used") ?? 0) + readConfig(this.env).config.sessionTtlMs;
    if (Date.now() >= expires) await this.remove();
    else await this.ctx.storage.setAlarm(expires);
  }

  private take({ owner, request }: TurnOrder): Response {
    const agent = findAgent(request.agent);
    if (agent === undefined)
      return refuse({
        code: "unknown_agent",
        message: `There is no agent "${request.agent}".`,
        retryable: false,
      });
    this.storage.prepare();
    const before = this.storage.turn();
    if (before?.status === "running") {
      this.ensureRunning();
      const message = "A turn is under way in this session; wait for its end before sending the next.";
      return refuse({ code: "turn_in_progress", message, retryable: true });
    }
    if (before === null) {
      this.storage.setMeta("owner", owner);
      this.storage.setState(agent.initialState);
    }
    const admitted = admitTurn(agent, request, this.storage, mintId);
    if (admitted.kind === "refused") return refuse(admitted.failure);
    const { messages: _messages, resume, state: _state, ...settings } = request;
    const turn: StoredTurn = {
      epoch: (before?.epoch ?? 0) + 1,
      status: "running",
      request: { ...settings, clientTools: clientToolsOf(settings, before) },
      known: admitted.kind === "admitted" && admitted.known,
      startedAt: new Date().toISOString(),
    };
    if (admitted.kind === "repeated") return this.repeat(turn);
    this.begin(turn, owner);
    const decisions = resume.map(({ interruptId: id, decision }) => ({ id, decision }));
    this.ctx.waitUntil(noteDecisions(this.env.DB, decisions, "wire", turn.startedAt));
    return new Response(this.log.openTurn(turn.epoch));
  }

  /** A resume that was taken before: nothing runs, and the stream says how the session stands. */
  private repeat(turn: StoredTurn): Response {
    const { runId, session } = turn.request;
    this.storage.setTurn({ ...turn, status: "ended" });
    this.log.begin(turn.epoch);
    this.log.emit({ type: "turn-start", runId, session, model: "none", scripted: false });
    if (turn.request.snapshot)
      this.log.emit({ type: "messages-snapshot", messages: this.storage.messages(mainFrame) });
    this.log.emit({ type: "state-snapshot", state: this.storage.state() });
    const pendingCallIds = this.storage.openCalls(mainFrame).map(({ callId }) => callId);
    this.log.emit({
      type: "turn-end",
      outcome: { type: "success", finish: { unified: "stop", raw: null }, pendingCallIds },
    });
    this.log.end();
    return new Response(this.log.openTurn(turn.epoch));
  }

  private begin(turn: StoredTurn, owner: string): void {
    this.storage.setTurn(turn);
    this.storage.setMeta("used", String(Date.now()));
    this.log.begin(turn.epoch);
    this.turnGivenUp = new AbortController();
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now() + wakeMs));
    this.running = this.play(turn, owner).finally(() => {
      this.running = null;
    });
    this.ctx.waitUntil(this.running);
  }

  /** Goes on with a turn that an earlier life of this object left running. */
  private ensureRunning(): void {
    const turn = this.storage.turn();
    if (this.running !== null || turn === null || turn.status !== "running") return;
    this.begin({ ...turn, known: true, epoch: turn.epoch + 1 }, this.owner());
  }

  private async play(turn: StoredTurn, owner: string): Promise<void> {
    const { request, known } = turn;
    const agent = findAgent(request.agent);
    if (agent === undefined) throw new Error(`the agent ${request.agent} is no longer there`);
    const record = { model: "none", usage: noUsage };
    const timing = systemTiming();
    const outcome = await runTurn(
      agent,
      { ...request, known, askFirst: false },
      {
        store: this.storage,
        emit: (event) => {
          noteForRecord(record, event);
          this.beforeEnd(turn, event);
          this.log.emit(event);
        },
        announcePause: (interrupts) => this.announce(turn, owner, interrupts),
        model: (frame) => answeringModel(frame, { ...this.env }, fetch, timing),
        timing,
        mintId,
        signal: this.turnGivenUp.signal,
      },
    );
    this.log.end();
    await this.ctx.storage.setAlarm(Date.now() + readConfig(this.env).config.sessionTtlMs);
    await this.recordRun(turn, owner, outcome, record);
  }

  /** The end of a turn is stored before anybody is told of it. */
  private beforeEnd(turn: StoredTurn, event: TurnEvent): void {
    if (event.type !== "turn-end") return;
    this.storage.setTurn({ ...turn, status: event.outcome.type === "interrupt" ? "interrupted" : "ended" });
  }

  private async announce(turn: StoredTurn, owner: string, interrupts: Interrupt[]): Promise<void> {
    const { agent, session, runId } = turn.request;
    const place = { owner, objectId: this.ctx.id.toString(), agent, session: session ?? "", runId };
    await putApprovals(this.env.DB, place, interrupts);
  }

  private async recordRun(
    turn: StoredTurn,
    owner: string,
    outcome: TurnOutcome,
    { model, usage }: RunRecord,
  ): Promise<void> {
    const { runId, agent, wire, session, conversation } = turn.request;
    await putAgentRun(this.env.DB, owner, {
      ...{
        runId: `${this.ctx.id.toString().slice(0, 16)}-${runId}`,
        agent,
        wire,
        session,
        conversation,
        model,
        usage,
      },
      status: runStatus(outcome),
      startedAt: turn.startedAt,
      endedAt: new Date().toISOString(),
      failure: outcome.type === "failed" ? outcome.failure : null,
    });
  }

  private owner(): string {
    return this.storage.meta("owner") ?? "";
  }
}

interface RunRecord {
  model: string;
  usage: TurnUsage;
}

const noUsage: TurnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

function noteForRecord(record: RunRecord, event: TurnEvent): void {
  if (event.type === "turn-start") record.model = event.model;
  if (event.type === "usage") record.usage = event.usage;
}

/** The tools a client declared hold for the thread: a request that only brings a decision or a result may leave them out. */
function clientToolsOf(
  settings: Pick<TurnRequest, "clientTools">,
  before: StoredTurn | null,
): TurnRequest["clientTools"] {
  return settings.clientTools.length > 0 ? settings.clientTools : (before?.request.clientTools ?? []);
}

function refuse(failure: TurnFailure): Response {
  return Response.json({ failure } satisfies TurnRefusal, { status: 409 });
}
