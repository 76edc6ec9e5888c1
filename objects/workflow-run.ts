import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import { deleteWorkflowRun } from "../src/store/expired-runs.ts";
import type { Note } from "../src/store/workflow-notes.ts";
import type { Json } from "../src/turn/index.ts";
import { sameJson } from "../src/workflows/runtime/json-value.ts";
import type { OutcomeOf } from "../src/workflows/runtime/run-player.ts";
import {
  type AttemptResult,
  type BeginAnswer,
  type EndAnswer,
  type EnterAnswer,
  type HookAnswer,
  type HookOrder,
  inlineOutcome,
  type Over,
  type RunEnd,
  type RunSpec,
  type Settled,
  type StartAnswer,
  type WaitAnswer,
  type WaitOrder,
} from "../src/workflows/runtime/run-protocol.ts";
import type { CancelOutcome, ResumeOutcome, RunHappening } from "../src/workflows/runtime/types.ts";
import { announceHook } from "./announce-hook.ts";
import { EventFeed } from "./event-feed.ts";
import { logFault } from "./log-fault.ts";
import { WakeUp } from "./wake-up.ts";
import { runFormat } from "./workflow-run-format.ts";
import { RunHooks, type Sender } from "./workflow-run-hooks.ts";
import { eventType, RunJournal, waitNumber } from "./workflow-run-journal.ts";
import { RunLife, retryMs } from "./workflow-run-life.ts";
import { type Errand, RunOutbox } from "./workflow-run-outbox.ts";
import { WorkflowRunStorage } from "./workflow-run-storage.ts";
import { detailOf, noteRun } from "./workflow-run-view.ts";

/** A run that could not be deleted is tried again after this long. */
const deleteAgainMs = 3_600_000;

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
  private readonly life: RunLife;
  /** The playing of the code that may act. */
  private playing: string | null = null;
  private removing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const now = () => Date.now();
    this.storage = new WorkflowRunStorage(ctx.storage);
    this.journal = new RunJournal(this.storage, now);
    this.hooks = new RunHooks(this.storage, this.journal, now);
    this.wakeUp = new WakeUp(ctx.storage);
    this.life = new RunLife(this.storage, env, this.wakeUp);
    this.outbox = new RunOutbox(this.storage, env, () => this.life.poked());
    this.feed = new EventFeed(
      (after, limit) => this.storage.eventsAfter(after, limit),
      () => !this.storage.exists || this.storage.ended,
      runFormat,
    );
  }

  ping(): "pong" {
    return "pong";
  }

  /** Starts a run, once: asked again it answers how it stands. Takes a `RunSpec`, answers a `StartAnswer`, as JSON. */
  async start(specJson: string): Promise<string> {
    const spec = JSON.parse(specJson) as RunSpec;
    await Promise.allSettled([this.removing]);
    const repeated = this.storage.exists;
    let position: number | null = null;
    if (!repeated) {
      this.storage.create(spec);
      const { workflow, runId, trigger } = spec;
      this.publish({ type: "run", workflowName: workflow, runId, worldRunId: runId, trigger });
      noteRun(this.storage);
      // A serial one may wait in line: what lists show of it is known only then.
      if (spec.serial) position = await this.life.launch();
      await Promise.all([spec.serial ? null : this.life.launch(), this.outbox.tell()]);
    } else {
      position = await this.life.position();
    }
    const same = sameJson(this.storage.rawInput(), spec.rawInput ?? spec.input);
    const answer: StartAnswer = { repeated, same, status: this.storage.status(), position };
    return JSON.stringify(answer);
  }

  /** Its turn in the line of its workflow has come. */
  async admit(): Promise<void> {
    if (!this.storage.exists || this.storage.ended || this.storage.phase() !== "queued") return;
    await this.life.launch();
    await this.life.told(this.outbox.tell());
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
    this.life.arm();
    this.ctx.waitUntil(this.pokeSoon());
    this.feed.wake();
    await this.life.told(this.outbox.tell());
    return JSON.stringify(outcome);
  }

  /** A run that this one waits for has ended. Takes a `Settled` as JSON. */
  async childEnded(waitId: string, outcomeJson: string): Promise<void> {
    if (!this.storage.exists || this.storage.ended) return;
    // It may end before the code has got to waiting for it.
    const wait = this.journal.openWait({ id: waitId, kind: "workflow" });
    if (wait.settled !== null) return;
    this.journal.settleWait(wait, JSON.parse(outcomeJson) as Settled);
    this.life.arm();
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
    return JSON.stringify(detailOf(this.storage, await this.life.position()));
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
    this.life.heard();
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
    return this.acted<WaitAnswer>(playing, () => {
      const { n } = this.journal.openWait(JSON.parse(orderJson) as WaitOrder);
      this.hooks.settleDue();
      const settled = this.storage.waitNumber(n)?.settled ?? null;
      if (settled !== null && JSON.stringify(settled).length <= inlineOutcome) {
        this.storage.setSent(n);
        return { kind: "settled", settled };
      }
      this.ctx.waitUntil(this.pokeSoon());
      return { kind: "waiting", event: eventType({ n }) };
    });
  }

  /** How a step or a wait came out, for one too large for the engine. Answers a `Settled` as JSON. */
  outcome(of: OutcomeOf): string {
    const settled =
      "step" in of
        ? this.storage.step(of.step)?.settled
        : this.storage.waitNumber(waitNumber(of.event))?.settled;
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
    this.life.heard();
    const announced = await announceHook(this.env, this.storage.spec(), this.ctx.id.toString(), hook);
    const ended = this.over(playing);
    if (ended?.kind === "over") {
      // Cancelled meanwhile: what was announced after that is withdrawn.
      this.hooks.withdraw(hook);
      this.note({ kind: "free", runId: this.storage.spec().runId, hookId: hook.id });
      await this.life.told(this.outbox.tell());
      return JSON.stringify(ended);
    }
    const answer = (): HookAnswer => {
      if (announced.kind !== "announced") return announced;
      const wait = this.journal.openWait({ id: order.wait, kind: "hook", hook: hook.id, index: 0 });
      this.ctx.waitUntil(this.pokeSoon());
      return { kind: "open", event: eventType(wait) };
    };
    this.life.heard();
    return JSON.stringify(answer());
  }

  /** A hook takes nothing more; its token is free. */
  async closeHook(hookId: string): Promise<void> {
    if (!this.storage.exists || this.storage.ended) return;
    this.hooks.close(hookId);
    this.note({ kind: "free", runId: this.storage.spec().runId, hookId });
    this.life.heard();
    await this.life.told(this.outbox.tell());
  }

  /** Adds events of a step. Takes `RunHappening`s as JSON. */
  append(playing: string, eventsJson: string): void {
    if (this.over(playing) !== null) return;
    for (const event of JSON.parse(eventsJson) as RunHappening[]) this.journal.publish(event);
    this.life.heard();
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
    const lost = this.storage.ended ? null : await this.life.look(this.outbox);
    if (lost !== null) {
      this.end({ status: "failed", failure: { code: "engine_failed", message: lost } });
      await this.flush();
    }
    this.feed.wake();
    if (this.storage.ended && !this.storage.untold && Date.now() >= this.life.expires()) {
      this.removing ??= this.remove().finally(() => {
        this.removing = null;
      });
      return this.removing;
    }
    this.life.arm();
  }

  /** Deletes the run, which has been kept long enough. */
  private async remove(): Promise<void> {
    try {
      await deleteWorkflowRun(this.env.DB, this.storage.spec().runId, this.ctx.id.toString());
      await this.wakeUp.cancel();
      await this.storage.deleteAll();
    } catch (error) {
      logFault("workflow_run_not_deleted", error);
      this.wakeUp.by(Date.now() + deleteAgainMs);
    }
  }

  /** Ends the run and writes down whom to tell. False: it had ended. */
  private end(result: RunEnd | null): boolean {
    if (!this.journal.finish(result)) return false;
    this.hooks.close(null);
    const { runId, serial, parent } = this.storage.spec();
    noteRun(this.storage);
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

  /** The playing that asks may not act; `null`: it may. */
  private over(playing: string): Over | null {
    if (!this.storage.exists || this.storage.ended) return { kind: "over" };
    this.playing ??= playing;
    return this.playing === playing ? null : { kind: "superseded" };
  }

  private acted<Answer>(playing: string, act: () => Exclude<Answer, Over>): string {
    const answer = this.over(playing) ?? act();
    this.life.heard();
    this.feed.wake();
    return JSON.stringify(answer);
  }

  private flush(): Promise<void> {
    return this.life.told(this.outbox.flush());
  }

  private async pokeSoon(): Promise<void> {
    if (this.storage.unsent().length > 0) await this.life.told(this.outbox.poke());
  }

  private publish(event: RunHappening): void {
    this.journal.publish(event);
    this.feed.wake();
  }

  private note(note: Note): void {
    this.storage.addTo("notes", note);
  }

  private errand(errand: Errand): void {
    this.storage.addTo("errands", errand);
  }
}
