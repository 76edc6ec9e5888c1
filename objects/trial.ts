import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/env.ts";
import { modelEnv } from "../src/models/model-env.ts";
import { resolveModel } from "../src/models/resolve-model.ts";
import { systemTiming } from "../src/models/timing.ts";
import { createModelCaller } from "../src/sandtable/caller/model.ts";
import type { TrialResult } from "../src/sandtable/report/results.ts";
import { type AgentAnswer, readAgentAnswer } from "../src/sandtable/trial/agent-answer.ts";
import type { TrialPlan } from "../src/sandtable/trial/plan.ts";
import { playTrial } from "../src/sandtable/trial/play-trial.ts";
import { agentSender } from "../src/sandtable/trial/send-step.ts";
import type { StepRequest } from "../src/sandtable/trial/step-protocol.ts";
import { applyGiven } from "../src/sandtable/world/apply-given.ts";
import { answerStep } from "../src/wires/step/answer-step.ts";
import { TrialStorage } from "./trial-storage.ts";

/** Where a trial gets its base rows from: in the call when they are few, else chunk by chunk from the rehearsal. */
export type WorldSource =
  | { kind: "inline"; chunks: string[] }
  | { kind: "rehearsal"; objectId: string; chunks: number };

/** What a trial object is called with. */
export interface TrialOrder {
  plan: TrialPlan;
  world: WorldSource;
}

/** One trial: the only owner of its world, call log and transcript. Created for a session id and forgotten after it. */
export class TrialObject extends DurableObject<Env> {
  private readonly cancelled = new AbortController();
  private playing: Promise<TrialResult> | null = null;

  ping(): "pong" {
    return "pong";
  }

  /**
   * Plays the trial to its end and returns its result. Both are JSON, of `TrialOrder` and `TrialResult`: a call's types
   * cannot carry values of any depth. Safe to call again: a trial under way is joined, a finished
   * one answers the same, and one that an earlier life of this object left goes on where it stood.
   */
  async run(order: string): Promise<string> {
    this.playing ??= this.play(JSON.parse(order) as TrialOrder);
    return JSON.stringify(await this.playing);
  }

  /** Stops the trial after what it is doing now; a step under way is given up. */
  cancel(): void {
    this.cancelled.abort();
  }

  /** Deletes everything of the trial, once its result is stored elsewhere. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private async play({ plan, world }: TrialOrder): Promise<TrialResult> {
    const store = new TrialStorage(this.ctx.storage.sql);
    if (!store.planted) await this.plant(store, plan, world);
    return playTrial(plan, {
      store,
      sendStep: agentSender(plan, {
        fetch: (url, init) => fetch(url, init),
        signal: this.cancelled.signal,
        askAgent: (name, request) => this.askAgent(plan.owner, name, request),
      }),
      modelCaller: (caller) => {
        const { model } = resolveModel(caller.model, modelEnv({ ...this.env }), fetch);
        return createModelCaller(caller, { model, timing: systemTiming(), signal: this.cancelled.signal });
      },
      now: () => Date.now(),
      signal: this.cancelled.signal,
    });
  }

  /** A step of an agent of this Worker, which answers as it would over HTTP. */
  private async askAgent(owner: string, name: string, request: StepRequest): Promise<AgentAnswer> {
    const { env, ctx } = this;
    const answered = await answerStep({ env, ctx, owner }, name, request);
    if (!answered.ok) return { kind: "failure", message: answered.failure.message };
    return readAgentAnswer(200, JSON.stringify(answered.answer));
  }

  private async plant(store: TrialStorage, plan: TrialPlan, world: WorldSource): Promise<void> {
    if (world.kind === "inline") {
      for (const chunk of world.chunks) store.plant(chunk);
    } else {
      const rehearsal = this.env.REHEARSAL.get(this.env.REHEARSAL.idFromString(world.objectId));
      for (let chunk = 0; chunk < world.chunks; chunk += 1) store.plant(await rehearsal.worldChunk(chunk));
    }
    store.finishPlanting((rows) => applyGiven(rows, plan.domain.tables, plan.task.given));
  }
}
