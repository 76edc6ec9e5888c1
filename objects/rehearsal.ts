import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import type { RehearsalEvent } from "../src/sandtable/rehearsal/events.ts";
import type { RehearsalSpec } from "../src/sandtable/rehearsal/spec.ts";
import type { Gate, Results, Summary, TrialResult } from "../src/sandtable/report/results.ts";
import type { TrialPlan } from "../src/sandtable/trial/plan.ts";
import { summarise } from "../src/sandtable/verdict/summarise.ts";
import { endRehearsal, insertRehearsal, putTrialBody, type ResultsHead } from "../src/store/rehearsals.ts";
import { version } from "../src/version.ts";
import { chunkText } from "./chunked-text.ts";
import { EventFeed } from "./event-feed.ts";
import { RehearsalDriver } from "./rehearsal-driver.ts";
import { type PlannedTrial, RehearsalStorage } from "./rehearsal-storage.ts";
import type { TrialOrder, WorldSource } from "./trial.ts";

/** A rehearsal that stopped without its end (a killed runtime, a database away) is driven again after this long. */
const wakeMs = 15_000;

/** A world that came without its rehearsal (the starter died in between) is dropped after this long. */
const abandonedMs = 600_000;

/** Trials between two wake-ups asked for early: each event renews the calls the platform allots to an object. */
const trialsPerEvent = 10;

/** Worlds up to this many characters go along with each trial's call; larger ones are fetched chunk by chunk. */
const inlineWorld = 256_000;

export interface RehearsalStatus {
  runId: string;
  status: Results["status"];
  planned: number;
  finished: number;
  startedAt: string;
  endedAt: string | null;
  summary: Summary;
  gates: Gate[];
}

/** One rehearsal: plan, queue, verdicts and the events its watchers see. */
export class RehearsalObject extends DurableObject<Env> {
  private readonly storage: RehearsalStorage;
  private readonly feed: EventFeed;
  private driver: RehearsalDriver | null = null;
  private world: WorldSource | null = null;
  private sinceWake = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.storage = new RehearsalStorage(ctx.storage.sql);
    this.feed = new EventFeed(
      (after, limit) => this.storage.eventsAfter(after, limit),
      () => this.storage.status() !== "running",
    );
  }

  ping(): "pong" {
    return "pong";
  }

  /** Takes one chunk of the base world, before `start`. */
  async putWorldChunk(chunk: number, body: string): Promise<void> {
    this.storage.prepare();
    if (this.storage.exists) throw new Error("the rehearsal has been started");
    this.storage.putWorldChunk(chunk, body);
    await this.ctx.storage.setAlarm(Date.now() + abandonedMs);
  }

  worldChunk(chunk: number): string {
    return this.storage.worldChunk(chunk);
  }

  /**
   * Starts the rehearsal; it goes on by itself until every trial has ended. Takes a `RehearsalSpec` as JSON; returns
   * the number of planned trials. Throws what the database says when it cannot list the rehearsal; nothing is left then.
   */
  async start(specJson: string): Promise<number> {
    const spec = JSON.parse(specJson) as RehearsalSpec;
    const trials: PlannedTrial[] = [];
    for (const task of spec.tasks) {
      for (let trial = 0; trial < spec.options.trials; trial += 1)
        trials.push({ seq: trials.length, task: task.id, trial });
    }
    this.storage.prepare();
    this.storage.start(spec, trials);
    this.publish({ type: "started", runId: spec.runId, planned: trials.length });
    await this.ctx.storage.setAlarm(Date.now() + wakeMs);
    try {
      await this.list(spec);
    } catch (error) {
      if (!this.storage.listed) await this.ctx.storage.deleteAll();
      throw error;
    }
    this.ensureDriving();
    return trials.length;
  }

  /** Whether a rehearsal was started in this object. */
  exists(): boolean {
    return this.storage.exists;
  }

  /** Where the rehearsal stands, or `null` when there is none in this object. */
  status(): RehearsalStatus | null {
    if (!this.storage.exists) return null;
    this.ensureDriving();
    const { runId, status, startedAt, endedAt, summary, gates } = this.head();
    return { runId, status, ...this.storage.counts(), startedAt, endedAt, summary, gates };
  }

  /** Everything of results.json but the trials, as it stands. */
  head(): ResultsHead {
    const spec = this.storage.spec();
    const summed = summarise(
      {
        tasks: spec.tasks,
        rules: spec.domain.rules,
        trials: spec.options.trials,
        gates: spec.gates,
        doNothing: spec.doNothing,
      },
      this.storage.facts(),
    );
    const { name, description } = spec.domain;
    return {
      format: "greenroom.results",
      version: 1,
      greenroom: { version },
      runId: spec.runId,
      domain: { name, description, digest: spec.digest },
      agent: spec.label,
      options: spec.options,
      status: this.storage.status(),
      startedAt: spec.startedAt,
      endedAt: this.storage.endedAt(),
      ...summed,
    };
  }

  /** Stops the rehearsal: no further trial begins, those under way end as cancelled. Cancelling an ended one does nothing. */
  async cancel(): Promise<void> {
    if (this.storage.status() !== "running") return;
    // First of all, so that a driver that begins now begins no trial.
    this.storage.requestCancel();
    await this.ensureDriving()?.cancel();
  }

  /** The event stream, from after the sequence number in `?after=`. */
  override async fetch(request: Request): Promise<Response> {
    this.ensureDriving();
    const after = Number(new URL(request.url).searchParams.get("after") ?? 0);
    return new Response(this.feed.open(after), {
      headers: { "content-type": "text/event-stream; charset=utf-8" },
    });
  }

  override async alarm(): Promise<void> {
    if (!this.storage.exists) return this.ctx.storage.deleteAll();
    if (this.storage.status() !== "running") return;
    await this.ctx.storage.setAlarm(Date.now() + wakeMs);
    if (!this.storage.listed) await this.list(this.storage.spec());
    this.ensureDriving();
  }

  /** Makes the rehearsal known to the database. Doing it again changes nothing. */
  private async list(spec: RehearsalSpec): Promise<void> {
    await insertRehearsal(this.env.DB, spec.owner, {
      runId: spec.runId,
      domain: spec.domain.name,
      agent: spec.label,
      status: "running",
      planned: spec.tasks.length * spec.options.trials,
      startedAt: spec.startedAt,
      endedAt: null,
    });
    this.storage.markListed();
  }

  private ensureDriving(): RehearsalDriver | null {
    if (this.driver !== null) return this.driver;
    if (!this.storage.exists || this.storage.status() !== "running" || !this.storage.listed) return null;
    const spec = this.storage.spec();
    const driver = new RehearsalDriver(this.storage, spec, this.ports(spec));
    this.driver = driver;
    this.ctx.waitUntil(
      driver
        .drive()
        .catch((error: unknown) => {
          // What is done is stored; the alarm, or whoever looks next, drives again.
          console.error(JSON.stringify({ event: "rehearsal_stopped", error: String(error) }));
        })
        .finally(() => {
          this.driver = null;
        }),
    );
    return driver;
  }

  private ports(spec: RehearsalSpec) {
    const trial = (plan: TrialPlan) => this.env.TRIAL.get(this.env.TRIAL.idFromName(this.trialName(plan)));
    return {
      playTrial: async (plan: TrialPlan) => {
        const order: TrialOrder = { plan, world: this.worldSource() };
        return JSON.parse(await trial(plan).run(JSON.stringify(order))) as TrialResult;
      },
      cancelTrial: async (plan: TrialPlan) => trial(plan).cancel(),
      forgetTrial: async (plan: TrialPlan) => trial(plan).forget(),
      storeTrial: (seq: number, result: TrialResult) =>
        putTrialBody(this.env.DB, spec.runId, seq, chunkText(JSON.stringify(result))),
      storeEnd: (status: Results["status"], endedAt: string) =>
        endRehearsal(this.env.DB, { ...this.head(), status, endedAt }),
      publish: (event: RehearsalEvent) => this.publish(event),
      afterTrial: () => this.renew(),
      sleep: (ms: number) => scheduler.wait(ms),
      now: () => Date.now(),
    };
  }

  private trialName(plan: TrialPlan): string {
    return `${this.ctx.id.toString()}/${plan.sessionId}`;
  }

  private worldSource(): WorldSource {
    if (this.world === null) {
      const { chunks, length } = this.storage.worldSize();
      this.world =
        length <= inlineWorld
          ? {
              kind: "inline",
              chunks: Array.from({ length: chunks }, (_, chunk) => this.storage.worldChunk(chunk)),
            }
          : { kind: "rehearsal", objectId: this.ctx.id.toString(), chunks };
    }
    return this.world;
  }

  private renew(): void {
    this.sinceWake += 1;
    if (this.sinceWake < trialsPerEvent) return;
    this.sinceWake = 0;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
  }

  private publish(event: RehearsalEvent): void {
    this.storage.appendEvent(event);
    this.feed.wake();
  }
}
