import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import { createModelCaller } from "../src/sandtable/caller/model.ts";
import { plantWorld } from "../src/sandtable/world/plant-world.ts";
import { playTrial } from "../src/sandtable/trial/play-trial.ts";
import { agentSender } from "../src/sandtable/trial/send-step.ts";
import type { TrialPlan } from "../src/sandtable/trial/plan.ts";
import type { TrialResult } from "../src/sandtable/report/results.ts";
import { TrialStorage } from "./trial-storage.ts";

/** Where a trial gets its base rows from: in the call when they are few, else chunk by chunk from the rehearsal. */
export type WorldSource = { kind: "inline"; chunks: string[] } | { kind: "rehearsal"; objectId: string; chunks: number };

/** One trial: the only owner of its world, call log and transcript. Created for a session id and forgotten after it. */
export class TrialObject extends DurableObject<Env> {
  private readonly cancelled = new AbortController();
  private playing: Promise<TrialResult> | null = null;

  ping(): "pong" {
    return "pong";
  }

  /**
   * Plays the trial to its end and returns its result. Safe to call again: a trial under way is joined, a finished
   * one answers the same, and one that an earlier life of this object left goes on where it stood.
   */
  run(plan: TrialPlan, world: WorldSource): Promise<TrialResult> {
    this.playing ??= this.play(plan, world);
    return this.playing;
  }

  /** Stops the trial after what it is doing now; a step under way is given up. */
  cancel(): void {
    this.cancelled.abort();
  }

  /** Deletes everything of the trial, once its result is stored elsewhere. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private async play(plan: TrialPlan, world: WorldSource): Promise<TrialResult> {
    const store = new TrialStorage(this.ctx.storage.sql);
    if (!store.planted) await this.plant(store, plan, world);
    return playTrial(plan, {
      store,
      sendStep: agentSender(plan, {
        fetch: (request, init) => fetch(request, init),
        signal: this.cancelled.signal,
      }),
      modelCaller: () => createModelCaller(plan, this.env, this.cancelled.signal),
      now: () => Date.now(),
      signal: this.cancelled.signal,
    });
  }

  private async plant(store: TrialStorage, plan: TrialPlan, world: WorldSource): Promise<void> {
    if (world.kind === "inline") {
      for (const chunk of world.chunks) store.plant(chunk);
    } else {
      const rehearsal = this.env.REHEARSAL.get(this.env.REHEARSAL.idFromString(world.objectId));
      for (let chunk = 0; chunk < world.chunks; chunk += 1) store.plant(await rehearsal.worldChunk(chunk));
    }
    store.finishPlanting((rows) => plantWorld(rows, plan.domain.tables.map((table) => ({ ...table, rows: [] })), plan.task.given));
  }
}
