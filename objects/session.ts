import { DurableObject } from "cloudflare:workers";
import type { DeepAgent } from "../src/agents/authoring/deep-agent.ts";
import { findAgent } from "../src/agents/registry.ts";
import {
  type Admission,
  admitTurn,
  isRepeat,
  isSame,
  wrongDecision,
} from "../src/agents/runtime/admit-turn.ts";
import { firstEventHeader } from "../src/agents/runtime/first-event.ts";
import { mintId } from "../src/agents/runtime/mint-id.ts";
import { clientCalls } from "../src/agents/runtime/session-store.ts";
import { noUsage } from "../src/agents/runtime/usage.ts";
import { readConfig } from "../src/config.ts";
import type { Env } from "../src/env.ts";
import { deleteApprovals } from "../src/store/approvals.ts";
import type { Decision, TurnFailure, TurnOutcome, TurnRequest } from "../src/turn/index.ts";
import { lineFormat } from "./event-feed.ts";
import { logFault } from "./log-fault.ts";
import { SessionNotes } from "./session-notes.ts";
import { SessionStorage } from "./session-storage.ts";
import { SessionTurns } from "./session-turns.ts";
import { firstSeq } from "./stored-events.ts";
import type { StoredTurn, TurnWork } from "./stored-turn.ts";
import { TurnLog } from "./turn-log.ts";
import { WakeUp } from "./wake-up.ts";

/** A turn that stopped without its end goes on after this long, and what the database has not heard is told again. */
const wakeMs = 15_000;

/** A session that cannot be deleted now is tried again after this long. */
const retryDeleteMs = 3_600_000;

/** Longest tools, context and forwarded values of a request together, characters of JSON: a row holds them. */
const maxWorkChars = 600_000;

/** What a session is asked to do, as JSON. */
export interface TurnOrder {
  owner: string;
  request: TurnRequest;
  /** The events are wanted together, as a JSON array, when the turn is over. */
  whole?: boolean;
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
  private readonly notes: SessionNotes;
  private readonly log: TurnLog;
  private readonly turns: SessionTurns;
  private readonly wakeUp: WakeUp;
  private removing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.storage = new SessionStorage(ctx.storage);
    this.notes = new SessionNotes(this.storage, env.DB);
    this.log = new TurnLog(this.storage, ctx.storage.sql);
    this.turns = new SessionTurns(this.storage, this.notes, this.log, env, ctx.id.toString());
    this.wakeUp = new WakeUp(ctx.storage);
  }

  ping(): "pong" {
    return "pong";
  }

  /**
   * `POST /turn` takes an order and tells its turn's events, or refuses; `GET /events?after=` replays; `GET /` is the
   * session as it stands. 404: there is none.
   */
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const order = request.method === "POST" ? ((await request.json()) as TurnOrder) : null;
    await this.removed();
    if (order !== null) return this.take(order);
    if (!this.storage.exists) return new Response(null, { status: 404 });
    this.goOn();
    if (url.pathname === "/") return this.asItStands();
    return new Response(this.log.openAfter(Number(url.searchParams.get("after") ?? 0)));
  }

  /** The newest messages, oldest first, as JSON; none when there is no such session. */
  newestMessages(count: number): string {
    return this.storage.exists ? this.storage.newestMessages(count) : "[]";
  }

  /** Takes a decision from the inbox; the turn goes on by itself once nothing waits any more. Takes a `Decision` as JSON. */
  async decide(interruptId: string, decisionJson: string): Promise<DecisionAnswer> {
    await this.removed();
    const answer = this.takeDecision(interruptId, JSON.parse(decisionJson) as Decision);
    await this.heard(this.notes.tell());
    return answer;
  }

  /**
   * Ends the turn under way, or the one that waits for people, as cancelled, and tells the database. `record` names the
   * turn that is meant, `null` whichever it is: another one is left alone, and so is one that has ended. Says whether
   * there was a turn to end; `null`: there is no session.
   */
  async cancelTurn(record: string | null): Promise<boolean | null> {
    await this.removed();
    if (!this.storage.exists) return null;
    this.goOn();
    const turn = this.storage.turn();
    const meant = turn !== null && (record === null || turn.record === record) ? turn : null;
    if (meant?.status === "running") await this.turns.giveUp();
    else if (meant?.status === "interrupted") this.turns.cancelWaiting(meant);
    await this.heard(this.notes.tell());
    return meant?.status === "running" || meant?.status === "interrupted";
  }

  /** Deletes everything of the session, what it has in the inbox included. False: there is none. */
  async remove(): Promise<boolean> {
    if (!this.storage.exists) return false;
    this.removing ??= this.wipe().finally(() => {
      this.removing = null;
    });
    await this.removing;
    return true;
  }

  override async alarm(): Promise<void> {
    this.wakeUp.rang();
    this.goOn();
    const told = await this.heard(this.notes.tell());
    // Read after that: a turn may have begun.
    const turn = this.storage.turn();
    if (turn === null) return;
    if (turn.status === "running" || !told) return this.wakeUp.by(Date.now() + wakeMs);
    const expires = turn.usedAt + readConfig(this.env).config.sessionTtlMs;
    if (Date.now() < expires) return this.wakeUp.by(expires);
    try {
      await this.remove();
    } catch (error) {
      logFault("session_not_deleted", error);
      this.wakeUp.by(Date.now() + retryDeleteMs);
    }
  }

  private take({ owner, request, whole = false }: TurnOrder): Response | Promise<Response> {
    const agent = findAgent(request.agent);
    if (agent === undefined) return refuse("unknown_agent", `There is no agent "${request.agent}".`);
    this.goOn();
    const before = this.storage.turn();
    if (before?.status === "running") {
      if (isRepeat(request, this.storage)) return this.told(before.epoch, whole);
      const message = "A turn is under way in this session; wait for its end before sending the next.";
      return refuse("turn_in_progress", message, true);
    }
    let admitted: { turn: StoredTurn; work: TurnWork };
    try {
      admitted = this.storage.transaction(() => this.admit(agent, owner, request, before));
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      const { admission } = error;
      return admission.kind === "repeated" ? this.howItStands(request, whole) : refusal(admission.failure);
    }
    this.watch(this.turns.play(admitted.turn, admitted.work));
    // People look at the inbox for what they can still decide.
    if (request.resume.length > 0) void this.heard(this.notes.tell());
    return this.told(admitted.turn.epoch, whole);
  }

  /** What happens in the turn under way. */
  private told(epoch: number, whole: boolean): Response | Promise<Response> {
    if (!whole) return this.streamOf(epoch);
    return this.log.untilOver().then((events) => new Response(events));
  }

  /** The events of a turn, from its first, whose number the header tells. */
  private streamOf(epoch: number): Response {
    const headers = { [firstEventHeader]: String(firstSeq(epoch)) };
    return new Response(this.log.openTurn(epoch), { headers });
  }

  /** Writes a request down as a turn that runs. Throws NotAdmitted, which undoes all of it. */
  private admit(
    agent: DeepAgent,
    owner: string,
    request: TurnRequest,
    before: StoredTurn | null,
  ): { turn: StoredTurn; work: TurnWork } {
    if (before === null) this.storage.create(owner, agent.initialState);
    const told = before?.told ?? {};
    const admission = admitTurn(agent, request, this.storage, mintId, told);
    if (admission.kind !== "admitted") throw new NotAdmitted(admission);
    const goesOn = before !== null && (!admission.spoke || request.resume.length > 0);
    const work = workOf(request, goesOn ? this.storage.work() : null);
    if (JSON.stringify(work).length > maxWorkChars) {
      const message = `Tools, context and forwarded values can have ${maxWorkChars} characters together.`;
      const failure: TurnFailure = { code: "invalid_messages", message, retryable: false };
      throw new NotAdmitted({ kind: "refused", failure });
    }
    const now = Date.now();
    const epoch = (before?.epoch ?? 0) + 1;
    const record = `${this.ctx.id.toString().slice(0, 16)}-${epoch}-${request.runId}`;
    const fresh = { record, startedAt: new Date(now).toISOString(), spent: noUsage };
    const turn: StoredTurn = {
      ...(before?.status === "interrupted" ? before : fresh),
      epoch,
      status: "running",
      usedAt: now,
      restarts: 0,
      snapshot: admission.known && request.snapshot,
      watched: true,
      told,
    };
    this.storage.setTurn(turn);
    this.storage.setWork(work);
    return { turn, work };
  }

  /** The events of a request that brings nothing new: nothing runs, and nothing is written. */
  private howItStands({ runId, session, snapshot }: TurnRequest, whole: boolean): Response {
    const interrupts = this.storage.pendingInterrupts();
    const pendingCallIds = clientCalls(this.storage).map(({ callId }) => callId);
    const outcome: TurnOutcome =
      interrupts.length > 0
        ? { type: "interrupt", interrupts, pendingCallIds }
        : { type: "success", finish: { unified: "stop", raw: null }, pendingCallIds };
    const bodies = [
      JSON.stringify({ type: "turn-start", runId, session, model: "none", scripted: false }),
      JSON.stringify({ type: "state-snapshot", state: this.storage.state() }),
      ...(snapshot ? [`{"type":"messages-snapshot","messages":${this.storage.conversation()}}`] : []),
      JSON.stringify({ type: "usage", usage: noUsage }),
      JSON.stringify({ type: "turn-end", outcome }),
    ];
    if (whole) return new Response(`[${bodies.join(",")}]`);
    return new Response(bodies.map((body, seq) => lineFormat.encode({ seq, body })).join(""));
  }

  /** Messages, shared state and open interrupts as JSON, read as the reader takes it: a conversation can be long. */
  private asItStands(): Response {
    const state = JSON.stringify(this.storage.state());
    const interrupts = JSON.stringify(this.storage.pendingInterrupts());
    const running = this.storage.turn()?.status === "running";
    const pages = this.storage.pages();
    const encoder = new TextEncoder();
    let text = `{"state":${state},"interrupts":${interrupts},"running":${running},"messages":[`;
    let comma = "";
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value: page } = pages.next();
        text += done === true ? "]}" : comma + page.join(",");
        controller.enqueue(encoder.encode(text));
        text = "";
        comma = ",";
        if (done === true) controller.close();
      },
    });
    return new Response(body);
  }

  private takeDecision(interruptId: string, decision: Decision): DecisionAnswer {
    if (!this.storage.exists) return { kind: "unknown" };
    this.goOn();
    const stored = this.storage.interrupt(interruptId);
    if (stored === undefined) return { kind: "unknown" };
    if (stored.status === "cancelled")
      return { kind: "conflict", message: "Its turn failed; nothing waits any more." };
    if (stored.decision !== null) {
      if (isSame(stored.decision, decision)) return { kind: "repeated" };
      return { kind: "conflict", message: `It was decided before: ${stored.decision.kind}.` };
    }
    const agent = findAgent(this.storage.work().agent);
    const wrong = agent === undefined ? null : wrongDecision(agent, stored.interrupt, decision);
    if (wrong !== null) return { kind: "refused", message: wrong };
    this.storage.decide(interruptId, decision, "inbox");
    const turn = this.storage.turn();
    // A turn that is still running, its pause not yet told, takes the decision up itself.
    if (turn?.status === "interrupted" && this.storage.pendingInterrupts().length === 0)
      this.watch(this.turns.playOn({ ...turn, status: "running", restarts: 0 }));
    return { kind: "decided" };
  }

  /** Goes on with a turn that an earlier life of this object left running. */
  private goOn(): void {
    const turn = this.storage.turn();
    if (this.turns.isLeft(turn)) this.watch(this.turns.playOn({ ...turn, restarts: turn.restarts + 1 }));
  }

  /** Sees to it that a turn comes to its end, whatever happens to this life of the object. */
  private watch(playing: Promise<void>): void {
    this.wakeUp.by(Date.now() + wakeMs);
    void playing.then(() => this.heard(this.notes.tellSoon()));
  }

  /** Whether the database has heard all; if not, the alarm tells it again. */
  private async heard(telling: Promise<boolean>): Promise<boolean> {
    const told = await telling;
    if (!told) this.wakeUp.by(Date.now() + wakeMs);
    return told;
  }

  /** Waits for a removal that is under way; whether it succeeds is told to who asked for it. */
  private async removed(): Promise<void> {
    await Promise.allSettled([this.removing]);
  }

  private async wipe(): Promise<void> {
    await this.turns.giveUp();
    await this.notes.tell();
    await deleteApprovals(this.env.DB, this.ctx.id.toString());
    await this.wakeUp.cancel();
    await this.storage.deleteAll();
  }
}

/** Undoes what was written of a request that is not taken. */
class NotAdmitted extends Error {
  readonly admission: Exclude<Admission, { kind: "admitted" }>;

  constructor(admission: Exclude<Admission, { kind: "admitted" }>) {
    super(admission.kind);
    this.admission = admission;
  }
}

/**
 * What the loop needs of a request. The tools a client declared hold until its user speaks again: a request that only
 * brings a decision or a result may leave them out. `before`: the work such a request goes on with.
 */
function workOf(request: TurnRequest, before: TurnWork | null): TurnWork {
  const { messages: _messages, resume: _resume, state: _state, snapshot: _snapshot, ...work } = request;
  return work.clientTools.length > 0 || before === null ? work : { ...work, clientTools: before.clientTools };
}

function refuse(code: TurnFailure["code"], message: string, retryable = false): Response {
  return refusal({ code, message, retryable });
}

function refusal(failure: TurnFailure): Response {
  return Response.json({ failure } satisfies TurnRefusal, { status: 409 });
}
