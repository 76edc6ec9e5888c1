import type { RehearsalEvent } from "../src/sandtable/rehearsal/events.ts";
import type { RehearsalSpec } from "../src/sandtable/rehearsal/spec.ts";
import type { Reason, Results, TrialResult } from "../src/sandtable/report/results.ts";
import { sessionId, type TrialPlan } from "../src/sandtable/trial/plan.ts";
import { type TrialFacts, trialFacts } from "../src/sandtable/verdict/trial-facts.ts";
import type { PlannedTrial, RehearsalStorage } from "./rehearsal-storage.ts";

/** What a driver asks of the world outside its object. */
export interface DriverPorts {
  /** Plays a trial in its own object. Throws when that object died; asking again is safe. */
  playTrial(plan: TrialPlan): Promise<TrialResult>;
  cancelTrial(plan: TrialPlan): Promise<void>;
  /** Drops a trial's object, whose result is stored. */
  forgetTrial(plan: TrialPlan): Promise<void>;
  /** Stores a finished trial in the database, whole. */
  storeTrial(seq: number, result: TrialResult): Promise<void>;
  /** Stores the end of the rehearsal in the database. */
  storeEnd(status: Results["status"], endedAt: string): Promise<void>;
  /** Tells watchers. */
  publish(event: RehearsalEvent): void;
  /** Called after each trial, so that the object can renew what the platform allots to one event. */
  afterTrial(): void;
  sleep(ms: number): Promise<void>;
  now(): number;
}

/** How often a trial whose object died is asked again before the rehearsal gives it up. */
const playAttempts = 3;
/** How often a write to the database is tried, over some seconds. */
const storeAttempts = 4;
const retryDelayMs = 500;

/** So many trials that all ended before the agent gave one step that could be used tell that the others would, too. */
const hopelessAfter = 5;

/** Most characters of a reason in an event; the result has it whole. */
const shownReason = 500;

/**
 * Plays the queued trials of a rehearsal, `concurrency` at once, each to its end. Results are stored before a trial
 * counts as done. When the first five to end had not one usable step of the agent, the others are cancelled. When it throws (the database is away), everything done stays done and driving again goes on.
 */
export class RehearsalDriver {
  private readonly storage: RehearsalStorage;
  private readonly spec: RehearsalSpec;
  private readonly ports: DriverPorts;
  /** Counted once and then kept up: counting ten thousand trials takes as long as a step. */
  private readonly counts: { planned: number; finished: number };
  /** Some trial ended otherwise than by a failure of an agent that had given no usable step before. */
  private hope: boolean;

  constructor(storage: RehearsalStorage, spec: RehearsalSpec, ports: DriverPorts) {
    this.storage = storage;
    this.spec = spec;
    this.ports = ports;
    this.counts = storage.counts();
    this.hope = storage.facts().some(givesHope);
  }

  async drive(): Promise<void> {
    this.storage.leaveRunning();
    for (const trial of this.storage.trialsWith("done")) await this.forget(trial);
    const { concurrency } = this.spec.options;
    const lanes = await Promise.allSettled(Array.from({ length: concurrency }, () => this.lane()));
    const failed = lanes.find((lane) => lane.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await this.end();
  }

  /** Lets no further trial begin and stops those under way. */
  async cancel(): Promise<void> {
    this.storage.requestCancel();
    // A trial whose object cannot be told dies with it, and is told before it is asked again.
    await Promise.allSettled(
      this.storage.trialsWith("running").map((trial) => this.ports.cancelTrial(this.plan(trial))),
    );
  }

  private async lane(): Promise<void> {
    for (let trial = this.storage.takeNext(); trial !== null; trial = this.storage.takeNext()) {
      await this.playOne(trial);
      this.ports.afterTrial();
    }
  }

  private async playOne(trial: PlannedTrial): Promise<void> {
    const plan = this.plan(trial);
    const result = await this.playToEnd(plan);
    await this.untilStored(() => this.ports.storeTrial(trial.seq, result));
    const facts = trialFacts(this.spec.domain.rules, result);
    this.storage.finishTrial(trial.seq, facts);
    if (givesHope(facts)) this.hope = true;
    this.counts.finished += 1;
    this.ports.publish({
      type: "trial",
      taskId: result.taskId,
      trial: result.trial,
      verdict: result.verdict,
      why: result.verdict === "passed" ? null : shortened(result.why[0]?.message ?? null),
      turns: result.turns,
      calls: result.transcript.filter((entry) => entry.kind === "call").length,
      ms: Date.parse(result.endedAt) - Date.parse(result.startedAt),
      ...this.counts,
    });
    const { finished, planned } = this.counts;
    if (!this.hope && finished >= hopelessAfter && finished < planned && !this.storage.cancelling)
      await this.cancel();
    await this.forget(trial);
  }

  private async forget(trial: PlannedTrial): Promise<void> {
    await this.ports.forgetTrial(this.plan(trial));
    this.storage.markForgotten(trial.seq);
  }

  private async playToEnd(plan: TrialPlan): Promise<TrialResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.storage.cancelling) await this.ports.cancelTrial(plan);
        return await this.ports.playTrial(plan);
      } catch (error) {
        if (attempt === playAttempts) return erroredTrial(plan, error, this.ports.now());
        await this.ports.sleep(retryDelayMs * attempt);
      }
    }
  }

  /** Writes to the database, which may be away for a moment: a lane that stopped for that would wait for the next wake-up. */
  private async untilStored(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (attempt === storeAttempts) throw error;
        await this.ports.sleep(retryDelayMs * 2 ** (attempt - 1));
      }
    }
  }

  private async end(): Promise<void> {
    if (this.storage.status() !== "running") return;
    const status = this.storage.cancelling ? "cancelled" : "finished";
    const endedAt = new Date(this.ports.now()).toISOString();
    await this.untilStored(() => this.ports.storeEnd(status, endedAt));
    const { agent } = this.spec;
    this.storage.end(status, endedAt, {
      ...this.spec,
      agent: agent.kind === "http" ? { ...agent, headers: {} } : agent,
    });
    this.ports.publish({ type: "ended", status });
  }

  private plan({ task: taskId, trial }: PlannedTrial): TrialPlan {
    const { runId, domain, tasks, options, agent, outbound, owner } = this.spec;
    const task = tasks.find(({ id }) => id === taskId);
    if (task === undefined) throw new Error(`task ${taskId} is not in the plan`);
    const { seed, maxSteps, stepTimeoutMs } = options;
    return {
      runId,
      sessionId: sessionId(runId, taskId, trial),
      domain,
      task,
      trial,
      seed,
      maxSteps,
      stepTimeoutMs,
      agent,
      outbound,
      owner,
    };
  }
}

function givesHope({ agentAnswered, endedBy }: TrialFacts): boolean {
  return agentAnswered || endedBy !== "agent_error";
}

function shortened(reason: string | null): string | null {
  if (reason === null || reason.length <= shownReason) return reason;
  return `${reason.slice(0, shownReason).toWellFormed()}…`;
}

/** A trial whose object could not be made to answer: ours to mend, so it is not held against the agent. */
function erroredTrial(plan: TrialPlan, error: unknown, now: number): TrialResult {
  const at = new Date(now).toISOString();
  const message = `the trial could not be played: ${error instanceof Error ? error.message : String(error)}`;
  const why: Reason[] = [{ kind: "errored", message, entry: 0 }];
  return {
    taskId: plan.task.id,
    trial: plan.trial,
    sessionId: plan.sessionId,
    verdict: "errored",
    why,
    endedBy: "killed",
    turns: 0,
    steps: 0,
    transcript: [{ kind: "note", turn: 0, text: message }],
    stateChanges: [],
    callerUsage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    startedAt: at,
    endedAt: at,
    agentMs: 0,
  };
}
