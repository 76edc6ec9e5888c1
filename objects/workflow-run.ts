import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import { putQuestion } from "../src/store/inbox.ts";
import { workflowRunObject } from "../src/store/objects.ts";
import { claimToken, type HookPlace } from "../src/store/workflow-hooks.ts";
import { joinLine, placeInLine } from "../src/store/workflow-line.ts";
import type { Note } from "../src/store/workflow-notes.ts";
import type { Json } from "../src/turn/index.ts";
import { sameJson } from "../src/workflows/runtime/json-value.ts";
import type { OutcomeOf } from "../src/workflows/runtime/run-player.ts";
import type {
  AttemptResult,
  BeginAnswer,
  EndAnswer,
  EnterAnswer,
  HookAnswer,
  HookOrder,
  Over,
  RunEnd,
  RunSpec,
  Settled,
  StartAnswer,
  WaitAnswer,
  WaitOrder,
} from "../src/workflows/runtime/run-protocol.ts";
import type {
  CancelOutcome,
  ResumeOutcome,
  RunDetail,
  RunEvent,
  RunSummary,
  StepRecord,
  WaitRecord,
} from "../src/workflows/runtime/types.ts";
import { EventFeed } from "./event-feed.ts";
import { logFault } from "./log-fault.ts";
import { WakeUp } from "./wake-up.ts";
import { runFormat } from "./workflow-run-format.ts";
import { RunHooks, type Sender } from "./workflow-run-hooks.ts";
import { eventType, RunJournal, retryWait } from "./workflow-run-journal.ts";
import { type Errand, RunOutbox } from "./workflow-run-outbox.ts";
import { lookAfterMs, recovery } from "./workflow-run-recovery.ts";
import { type StoredStep, type StoredWait, WorkflowRunStorage } from "./workflow-run-storage.ts";

/** What could not be told is told again after this long, and twice as long each time after that. */
const retryMs = 2_000;
const longestRetryMs = 300_000;

/** Code that is silent for longer than this may have been given up by the engine, which is asked then. */
const askAfterMs = 60_000;

/** Largest output of a step that is shown with its run, characters of JSON. */
const maxShownOutput = 65_536;

/** How long an engine that was woken is given to play the code up to where it tells of itself. */
const awakeMs = 2_000;

/**
 * One run of a workflow, and the truth about it: its steps' results, its waits and deadlines, what people said, its
 * events. The engine plays its code; this object tells the engine when a wait is over, and wakes it when it has
 * forgotten the run, which the local one does in every restart. While a run only waits nothing is asked of anybody: the
 * next deadline is this object's alarm.
 */
export class WorkflowRunObject extends DurableObject<Env> {
  private readonly storage: WorkflowRunStorage;
  private readonly journal: RunJournal;
  private readonly hooks: RunHooks;
  private readonly outbox: RunOutbox;
  private readonly feed: EventFeed;
  private readonly wakeUp: WakeUp;
  /** When the code was last heard of, in this life of the object. */
  private heardAt: number | null = null;
  /** When the engine was last told or woken, in this life of the object. */
  private pokedAt: number | null = null;
  /** The playing of the code that may act. */
  private playing: string | null = null;
  private onHeard: (() => void)[] = [];
  /** Times in a row that something could not be told. */
  private untold = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const now = () => Date.now();
    this.storage = new WorkflowRunStorage(ctx.storage);
    this.journal = new RunJournal(this.storage, now);
    this.hooks = new RunHooks(this.storage, this.journal, now);
    this.outbox = new RunOutbox(this.storage, env, () => this.awake());
    this.feed = new EventFeed(
      (after, limit) => this.storage.eventsAfter(after, limit),
      () => this.storage.ended,
      runFormat,
    );
    this.wakeUp = new WakeUp(ctx.storage);
  }

  ping(): "pong" {
    return "pong";
  }

  /** Starts a run, once: asked again it answers how it stands. Takes a `RunSpec`, answers a `StartAnswer`, as JSON. */
  async start(specJson: string): Promise<string> {
    const spec = JSON.parse(specJson) as RunSpec;
    const repeated = this.storage.exists;
    let position: number | null = null;
    if (!repeated) {
      this.storage.create(spec);
      const { workflow, runId, trigger } = spec;
      this.publish({ type: "run", workflowName: workflow, runId, worldRunId: runId, trigger });
      this.noteRun();
      this.wakeUp.by(Date.now() + retryMs);
      [position] = await Promise.all([this.launch(), this.outbox.tell()]);
    } else if (this.storage.phase() === "queued") {
      position = await this.position();
    }
    const was = this.storage.spec();
    const same = sameJson(was.rawInput ?? was.input, spec.rawInput ?? spec.input);
    const answer: StartAnswer = { repeated, same, status: this.storage.status(), position };
    return JSON.stringify(answer);
  }

  /** Its turn in the line of its workflow has come. */
  async admit(): Promise<void> {
    if (!this.storage.exists || this.storage.ended || this.storage.phase() !== "queued") return;
    this.wakeUp.by(Date.now() + retryMs);
    await this.launch();
    await this.outbox.tell();
  }

  /** Ends the run: no further step begins, the one under way is not waited for, its hooks take nothing any more. */
  async cancel(): Promise<CancelOutcome> {
    if (!this.storage.exists) return { kind: "unknown" };
    const { runId } = this.storage.spec();
    if (!this.end(null)) return { kind: "ended", runId, status: this.storage.status() };
    await this.flush();
    this.feed.wake();
    return { kind: "cancelled", runId };
  }

  /** Takes a payload for a hook of the run. Takes `{ref, body, sender}`, answers a `ResumeOutcome`, as JSON. */
  async resume(orderJson: string): Promise<string> {
    const { ref, body, sender } = JSON.parse(orderJson) as {
      ref: { hookId: string } | { approvalId: string };
      body: Json;
      sender: Sender;
    };
    const unknown: ResumeOutcome = { kind: "unknown" };
    if (!this.storage.exists) return JSON.stringify(unknown);
    const hook =
      "hookId" in ref ? this.storage.hook(ref.hookId) : this.storage.hookOfApproval(ref.approvalId);
    const outcome = hook === null ? unknown : this.hooks.resume(hook, body, sender);
    this.arm();
    this.ctx.waitUntil(this.pokeSoon());
    this.feed.wake();
    await this.told(this.outbox.tell());
    return JSON.stringify(outcome);
  }

  /** A run that this one waits for has ended. Takes a `Settled` as JSON. */
  async childEnded(waitId: string, outcomeJson: string): Promise<void> {
    if (!this.storage.exists || this.storage.ended) return;
    // It may end before the code has got to waiting for it.
    const wait = this.journal.openWait({ id: waitId, kind: "workflow" });
    if (wait.settled !== null) return;
    this.journal.settleWait(wait, JSON.parse(outcomeJson) as Settled);
    this.arm();
    this.ctx.waitUntil(this.pokeSoon());
    this.feed.wake();
  }

  /** Whether a run that wanted this one's token really holds it still; a run that has ended lets go of it. */
  async holds(hookId: string): Promise<boolean> {
    if (!this.storage.exists) return false;
    const hook = this.storage.hook(hookId);
    if (hook !== null && !this.storage.ended) return true;
    await this.outbox.tell();
    return false;
  }

  /** Everything that happened, as JSON of a `RunDetail`; `null` when there is no such run. */
  async detail(): Promise<string | null> {
    if (!this.storage.exists) return null;
    this.hooks.settleDue();
    this.ctx.waitUntil(this.pokeSoon());
    const { input, rawInput } = this.storage.spec();
    const result = this.storage.result();
    const detail: RunDetail = {
      ...this.summary(),
      input: rawInput ?? input,
      output: result?.status === "done" ? result.output : null,
      steps: this.storage.steps().map((step) => this.stepRecord(step)),
      waits: this.storage.waits().map((wait) => this.waitRecord(wait)),
      position: this.storage.phase() === "queued" && !this.storage.ended ? await this.position() : null,
    };
    return JSON.stringify(detail);
  }

  /** The event stream, from after the number in `?after=`. 404: there is no such run. */
  override async fetch(request: Request): Promise<Response> {
    if (!this.storage.exists) return new Response(null, { status: 404 });
    const after = Number(new URL(request.url).searchParams.get("after") ?? 0);
    return new Response(this.feed.open(after), {
      headers: { "content-type": "text/event-stream; charset=utf-8" },
    });
  }

  /** A playing of the code begins. Answers an `EnterAnswer` as JSON. */
  enter(playing: string): string {
    const answer = (): EnterAnswer => {
      if (!this.storage.exists || this.storage.ended) return { kind: "over" };
      this.playing = playing;
      return { kind: "play", spec: this.storage.spec() };
    };
    const made = answer();
    this.heard();
    return JSON.stringify(made);
  }

  /** Answers a `BeginAnswer` as JSON. */
  beginStep(playing: string, id: string, name: string, maxRetries: number): string {
    return this.acted<BeginAnswer>(playing, () => this.journal.begin(id, name, maxRetries));
  }

  /** Takes an `AttemptResult`, answers an `EndAnswer`, as JSON. */
  endStep(playing: string, id: string, attempt: number, maxRetries: number, resultJson: string): string {
    const result = JSON.parse(resultJson) as AttemptResult;
    const end = () => this.journal.end(id, attempt, result, maxRetries);
    // A step that ran has run, also for a playing that another one took over from.
    if (result.ok && this.over(playing)?.kind === "superseded") end();
    return this.acted<EndAnswer>(playing, end);
  }

  /** Takes a `WaitOrder`, answers a `WaitAnswer`, as JSON. */
  openWait(playing: string, orderJson: string): string {
    return this.acted<WaitAnswer>(playing, () => this.opened(JSON.parse(orderJson) as WaitOrder));
  }

  /** How a step or a wait came out, for one too large for the engine. Answers a `Settled` as JSON. */
  outcome(of: OutcomeOf): string {
    const settled =
      "step" in of
        ? this.storage.step(of.step)?.settled
        : this.storage.waits().find((one) => eventType(one) === of.event)?.settled;
    if (settled === undefined || settled === null)
      throw new Error(`nothing came of ${JSON.stringify(of)} so far`);
    return JSON.stringify(settled);
  }

  /** Opens a hook: claims its token and, when a person is asked, writes the inbox. Answers a `HookAnswer` as JSON. */
  async openHook(playing: string, orderJson: string): Promise<string> {
    const order = JSON.parse(orderJson) as HookOrder;
    const over = this.over(playing);
    if (over !== null) return JSON.stringify(over);
    const hook = this.journal.openHook(order);
    this.heard();
    const { owner, runId, workflow } = this.storage.spec();
    const createdAt = new Date().toISOString();
    let answer: HookAnswer;
    try {
      const place = { owner, token: hook.token, runId, hookId: hook.id, createdAt };
      const holder = await this.claim(place);
      if (holder.runId !== runId || holder.hookId !== hook.id) {
        answer = { kind: "taken", runId: holder.runId };
      } else {
        if (hook.question !== null && hook.approvalId !== null) {
          const expiresAt = hook.due === null ? null : new Date(hook.due).toISOString();
          const objectId = this.ctx.id.toString();
          await putQuestion(
            this.env.DB,
            { id: hook.approvalId, owner, objectId, workflow, token: hook.token, runId },
            hook.question,
            { createdAt, expiresAt },
          );
        }
        const waits =
          order.approval === null
            ? null
            : this.opened({ id: order.id, kind: "hook", hook: hook.id, index: 0 });
        answer = { kind: "open", event: waits?.event ?? null };
      }
    } catch (error) {
      logFault("workflow_hook_not_opened", error);
      answer = { kind: "failed", message: "The database cannot answer now." };
    }
    this.heard();
    return JSON.stringify(answer);
  }

  /** A hook takes nothing more; its token is free. */
  async closeHook(hookId: string): Promise<void> {
    if (!this.storage.exists || this.storage.ended) return;
    this.hooks.close(hookId);
    this.note({ kind: "free", runId: this.storage.spec().runId, hookId });
    this.heard();
    await this.told(this.outbox.tell());
  }

  /** Adds events of a step. Takes `RunEvent`s as JSON. */
  append(playing: string, eventsJson: string): void {
    if (this.over(playing) !== null) return;
    for (const event of JSON.parse(eventsJson) as RunEvent[]) this.journal.publish(event);
    this.heard();
  }

  /** The code has ended. Takes a `RunEnd` as JSON. */
  async finish(playing: string, endJson: string): Promise<void> {
    if (this.over(playing) !== null) return;
    this.end(JSON.parse(endJson) as RunEnd);
    await this.flush();
    this.feed.wake();
  }

  override async alarm(): Promise<void> {
    this.wakeUp.rang();
    if (!this.storage.exists) return;
    this.hooks.settleDue();
    await this.flush();
    if (!this.storage.ended) await this.recover();
    this.feed.wake();
    this.arm();
  }

  /** Puts the run in its line, or has the engine play it. Its place in the line, 1 is next; `null`: it runs. */
  private async launch(): Promise<number | null> {
    const { workflow, owner, runId } = this.storage.spec();
    try {
      if (this.storage.phase() === "queued") {
        const before = await joinLine(this.env.DB, { workflow, owner, runId });
        if (before > 0) return before;
        this.storage.setPhase("launching");
        this.noteRun();
      }
      await this.env.WORKFLOWS.create({ id: runId, params: { workflow, runId, owner } }).catch(
        (error: unknown) => {
          if (!/already.?exists/i.test(String(error))) throw error;
        },
      );
      this.storage.setPhase("launched");
    } catch (error) {
      logFault("workflow_not_launched", error);
      this.wakeUp.by(Date.now() + retryMs);
    }
    return null;
  }

  private async position(): Promise<number> {
    const { workflow, runId } = this.storage.spec();
    return placeInLine(this.env.DB, workflow, runId);
  }

  private async claim(place: {
    owner: string;
    token: string;
    runId: string;
    hookId: string;
    createdAt: string;
  }) {
    for (let tries = 0; ; tries += 1) {
      const holder: HookPlace = await claimToken(this.env.DB, place);
      const own = holder.runId === place.runId;
      if ((own && holder.active) || tries === 3) return holder;
      // The row of a run that has ended may still be told of: its object knows.
      if (!own && (await workflowRunObject(this.env, holder.owner, holder.runId).holds(holder.hookId)))
        return holder;
    }
  }

  private opened(order: WaitOrder): Exclude<WaitAnswer, Over> {
    const wait = this.journal.openWait(order);
    this.ctx.waitUntil(this.pokeSoon());
    return { kind: "waiting", event: eventType(wait) };
  }

  /** Ends the run and writes down whom to tell. False: it had ended. */
  private end(result: RunEnd | null): boolean {
    if (!this.journal.finish(result)) return false;
    this.hooks.close(null);
    const { runId, serial, parent } = this.storage.spec();
    this.noteRun();
    this.note({ kind: "free", runId, hookId: null });
    if (serial) this.errand({ kind: "leave" });
    if (parent !== null && parent.wait !== null) {
      const { owner, runId: parentRun, wait } = parent;
      const message = "The run was cancelled.";
      const outcome: Settled =
        result === null
          ? { kind: "failed", order: 0, failure: { code: "run_cancelled", message } }
          : result.status === "done"
            ? { kind: "done", order: 0, value: result.output }
            : { kind: "failed", order: 0, failure: result.failure };
      this.errand({ kind: "parent", owner, runId: parentRun, wait, outcome });
    }
    this.wakeUp.by(Date.now() + retryMs);
    return true;
  }

  /** Sees to it that the code of a run goes on that the engine may have forgotten. */
  private async recover(): Promise<void> {
    const now = Date.now();
    if (this.storage.phase() !== "launched") {
      await this.launch();
      if (this.storage.phase() === "queued") return;
      return this.wakeUp.by(now + retryMs);
    }
    const { heardAt, pokedAt } = this;
    const inFlight = this.storage.stepsInFlight();
    const waiting = inFlight === 0 && this.storage.openWaits() > 0;
    const next = recovery({ now, heardAt, pokedAt, waiting, wakes: this.storage.wakes() });
    if (next.kind === "rest") return;
    const wakes = this.storage.wakes();
    if (next.kind === "wake") this.storage.setWakes(wakes + 1);
    const silent = heardAt !== null && now - heardAt > askAfterMs;
    if ((silent || wakes >= 2) && (await this.lost())) return;
    if (next.kind === "wake") await this.outbox.wake();
    this.wakeUp.by(next.at);
  }

  /** Whether the engine gave the run up by itself; then it has failed. One that never knew it is told of it. */
  private async lost(): Promise<boolean> {
    try {
      const instance = await this.env.WORKFLOWS.get(this.storage.spec().runId);
      const { status } = await instance.status();
      if (status !== "errored" && status !== "terminated" && status !== "complete") return false;
      const message = `The engine gave the run up: it is ${status} there.`;
      this.end({ status: "failed", failure: { code: "engine_failed", message } });
      await this.flush();
      return true;
    } catch (error) {
      if (!/not.?found/i.test(String(error))) throw error;
      this.storage.setPhase("launching");
      await this.launch();
      return false;
    }
  }

  /** The playing that asks may not act; `null`: it may. */
  private over(playing: string): Over | null {
    if (!this.storage.exists || this.storage.ended) return { kind: "over" };
    this.playing ??= playing;
    return this.playing === playing ? null : { kind: "superseded" };
  }

  private acted<Answer>(playing: string, act: () => Exclude<Answer, Over>): string {
    const answer = this.over(playing) ?? act();
    this.heard();
    this.feed.wake();
    return JSON.stringify(answer);
  }

  /** The code told of itself: it is being played. */
  private heard(): void {
    if (!this.storage.exists) return;
    this.heardAt = Date.now();
    for (const resolve of this.onHeard.splice(0)) resolve();
    if (this.storage.ended) return;
    if (this.storage.wakes() > 0) this.storage.setWakes(0);
    this.wakeUp.by(this.heardAt + lookAfterMs);
    this.arm();
  }

  /** The engine was told something: its code should be heard of. */
  private async awake(): Promise<void> {
    this.pokedAt = Date.now();
    if (!this.storage.ended) this.wakeUp.by(this.pokedAt + lookAfterMs);
    if (this.heardAt !== null) return;
    await Promise.race([new Promise<void>((resolve) => this.onHeard.push(resolve)), scheduler.wait(awakeMs)]);
  }

  /** Sets the alarm to the next deadline, unless it rings before. */
  private arm(): void {
    const due = this.storage.ended ? null : this.storage.nextDue();
    if (due !== null) this.wakeUp.by(due);
  }

  private flush(): Promise<void> {
    return this.told(this.outbox.flush());
  }

  private async pokeSoon(): Promise<void> {
    if (this.storage.unsent().length > 0) await this.told(this.outbox.poke());
  }

  /** What could not be told is told again, by the alarm. */
  private async told(telling: Promise<boolean>): Promise<void> {
    if (await telling) {
      this.untold = 0;
      return;
    }
    this.wakeUp.by(Date.now() + Math.min(retryMs * 2 ** this.untold, longestRetryMs));
    this.untold += 1;
  }

  private publish(event: RunEvent): void {
    this.journal.publish(event);
    this.feed.wake();
  }

  private note(note: Note): void {
    this.storage.addTo("notes", note);
  }

  private noteRun(): void {
    this.note({ kind: "run", owner: this.storage.spec().owner, run: this.summary() });
  }

  private errand(errand: Errand): void {
    this.storage.addTo("errands", errand);
  }

  private summary(): RunSummary {
    const { runId, workflow, trigger, conversation, parent, retryOf, startedAt } = this.storage.spec();
    const result = this.storage.result();
    return {
      runId,
      workflowName: workflow,
      trigger,
      status: this.storage.status(),
      conversation,
      parentRunId: parent?.runId ?? null,
      retryOf,
      startedAt,
      endedAt: this.storage.endedAt(),
      failure: result?.status === "failed" ? result.failure : null,
    };
  }

  private stepRecord(step: StoredStep): StepRecord {
    const { id, name, status, attempts, startedAt, endedAt, failure, settled } = step;
    const due = status === "retrying" ? (this.storage.wait(retryWait(id, attempts))?.due ?? null) : null;
    return {
      ...{ id, name, status, attempts, startedAt, endedAt, failure },
      durationMs: endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
      retryAt: due === null ? null : new Date(due).toISOString(),
      output: settled?.kind === "done" && isShown(settled.value) ? settled.value : null,
    };
  }

  private waitRecord({ id, kind, hook, openedAt, due, settledAt }: StoredWait): WaitRecord {
    return {
      id,
      kind: kind === "retry" ? "sleep" : kind,
      status: settledAt === null ? "open" : "settled",
      openedAt,
      until: due === null ? null : new Date(due).toISOString(),
      settledAt,
      token: hook === null ? null : (this.storage.hook(hook)?.token ?? null),
    };
  }
}

/** A thousand steps' outputs must fit in one reply. */
function isShown(value: Json): boolean {
  return JSON.stringify(value).length <= maxShownOutput;
}
