import { readConfig } from "../src/config.ts";
import type { Env } from "../src/env.ts";
import { joinLine, placeInLine } from "../src/store/workflow-line.ts";
import { logFault } from "./log-fault.ts";
import type { WakeUp } from "./wake-up.ts";
import type { RunOutbox } from "./workflow-run-outbox.ts";
import { lookAfterMs, recovery } from "./workflow-run-recovery.ts";
import type { WorkflowRunStorage } from "./workflow-run-storage.ts";
import { noteRun } from "./workflow-run-view.ts";

/** What could not be done is done again after this long, and twice as long each time after that. */
export const retryMs = 2_000;
const longestRetryMs = 300_000;

/** Code that is silent for longer than this may have been given up by the engine, which is asked then. */
const askAfterMs = 60_000;

/** How long an engine that was woken is given to play the code up to where it tells of itself. */
const awakeMs = 2_000;

/**
 * Sees to it that the code of a run is played and goes on: tells the engine of the run, notices whether its code is
 * heard of, and wakes an engine that has forgotten it.
 */
export class RunLife {
  private readonly storage: WorkflowRunStorage;
  private readonly env: Env;
  private readonly wakeUp: WakeUp;
  /** When the code was last heard of, in this life of the object. */
  private heardAt: number | null = null;
  /** When the engine was last told or woken, in this life of the object. */
  private pokedAt: number | null = null;
  private onHeard: (() => void)[] = [];
  /** Times in a row that something could not be told. */
  private untold = 0;

  constructor(storage: WorkflowRunStorage, env: Env, wakeUp: WakeUp) {
    this.storage = storage;
    this.env = env;
    this.wakeUp = wakeUp;
  }

  /** Puts the run in its line, or has the engine play it. Its place in the line, 1 is next; `null`: it runs. */
  async launch(): Promise<number | null> {
    const { workflow, owner, runId } = this.storage.spec();
    this.wakeUp.by(Date.now() + retryMs);
    try {
      if (this.storage.phase() === "queued") {
        const before = await joinLine(this.env.DB, { workflow, owner, runId });
        if (before > 0) return before;
        this.storage.setPhase("launching");
        noteRun(this.storage);
      }
      await this.env.WORKFLOWS.create({ id: runId, params: { workflow, runId, owner } }).catch(
        async (error: unknown) => {
          if (!/already.?exists/i.test(String(error))) throw error;
          await this.beginAgain(runId);
        },
      );
      this.storage.setPhase("launched");
    } catch (error) {
      logFault("workflow_not_launched", error);
    }
    return null;
  }

  /** The run's place in the line of its workflow, 1 is next; `null`: it is not in it. */
  async position(): Promise<number | null> {
    if (this.storage.ended || this.storage.phase() !== "queued") return null;
    const { workflow, runId } = this.storage.spec();
    return placeInLine(this.env.DB, workflow, runId);
  }

  /** The code told of itself: it is being played. */
  heard(): void {
    this.heardAt = Date.now();
    for (const resolve of this.onHeard.splice(0)) resolve();
    if (!this.storage.exists || this.storage.ended) return;
    if (this.storage.wakes() > 0) this.storage.setWakes(0);
    this.wakeUp.by(this.heardAt + lookAfterMs);
    this.arm();
  }

  /** The engine was told something. Resolves once its code is heard of, or does not speak up in time. */
  async poked(): Promise<void> {
    this.pokedAt = Date.now();
    if (!this.storage.ended) this.wakeUp.by(this.pokedAt + lookAfterMs);
    if (this.heardAt !== null) return;
    await Promise.race([new Promise<void>((resolve) => this.onHeard.push(resolve)), scheduler.wait(awakeMs)]);
  }

  /** When the run, which has ended, need not be kept any longer. */
  expires(): number {
    return Date.parse(this.storage.endedAt() ?? "") + readConfig(this.env).config.runTtlMs;
  }

  /** Sets the alarm to the next deadline, or to when the run is to be deleted, unless it rings before. */
  arm(): void {
    const due = this.storage.ended ? this.expires() : this.storage.nextDue();
    if (due !== null) this.wakeUp.by(due);
  }

  /** What could not be told is told again, by the alarm. */
  async told(telling: Promise<boolean>): Promise<void> {
    if (await telling) {
      this.untold = 0;
      return;
    }
    this.wakeUp.by(Date.now() + Math.min(retryMs * 2 ** this.untold, longestRetryMs));
    this.untold += 1;
  }

  /** Looks after the code, at an alarm. Answers why the engine gave the run up, if it did. */
  async look(outbox: RunOutbox): Promise<string | null> {
    if (this.storage.phase() !== "launched") {
      await this.launch();
      return null;
    }
    const { heardAt, pokedAt } = this;
    const now = Date.now();
    const waiting = this.storage.stepsInFlight() === 0 && this.storage.openWaits() > 0;
    const wakes = this.storage.wakes();
    const next = recovery({ now, heardAt, pokedAt, waiting, wakes });
    if (next.kind === "rest") return null;
    if (next.kind === "wake") this.storage.setWakes(wakes + 1);
    if (wakes >= 2 || (heardAt !== null && now - heardAt > askAfterMs)) {
      const lost = await this.lost();
      if (lost !== null) return lost;
    }
    if (next.kind === "wake") await outbox.wake();
    this.wakeUp.by(next.at);
    return null;
  }

  /** An engine that has ended a run of this id keeps one that was deleted here, and whose key was used again. */
  private async beginAgain(runId: string): Promise<void> {
    const instance = await this.env.WORKFLOWS.get(runId);
    if (isOver((await instance.status()).status)) await instance.restart();
  }

  /** Why the engine gave the run up by itself; `null`: it did not. One that never knew of it is told. */
  private async lost(): Promise<string | null> {
    try {
      const instance = await this.env.WORKFLOWS.get(this.storage.spec().runId);
      const { status } = await instance.status();
      return isOver(status) ? `The engine gave the run up: it is ${status} there.` : null;
    } catch (error) {
      if (!/not.?found/i.test(String(error))) throw error;
      this.storage.setPhase("launching");
      await this.launch();
      return null;
    }
  }
}

function isOver(status: InstanceStatus["status"]): boolean {
  return status === "errored" || status === "terminated" || status === "complete";
}
