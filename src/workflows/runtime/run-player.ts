import type { Json } from "../../turn/json.ts";
import { FatalError, RetryableError, StepFailedError } from "../authoring/errors.ts";
import { DeliveryOrder } from "./delivery-order.ts";
import { jsonBytes, readJsonValue } from "./json-value.ts";
import { maxValueBytes } from "./read-input.ts";
import { reliably } from "./reliably.ts";
import { defaultMaxRetries } from "./retry-policy.ts";
import {
  type AttemptResult,
  type BeginAnswer,
  type EndAnswer,
  type HookAnswer,
  type HookOrder,
  inlineOutcome,
  type Over,
  type PokePayload,
  type RunSpec,
  type Settled,
  type WaitAnswer,
  type WaitOrder,
} from "./run-protocol.ts";
import { type BodyOps, inStep, type StepOps, type StepServices } from "./scope.ts";
import type { RunHappening } from "./types.ts";

/** What a playing needs of the engine. */
export interface EnginePort {
  do<Result>(
    name: string,
    config: { retries: { limit: number; delay: number; backoff: "exponential" }; timeout: string },
    run: () => Promise<Result>,
  ): Promise<Result>;
  waitForEvent(name: string, options: { type: string; timeout: string }): Promise<{ payload: PokePayload }>;
}

/** Names what came of something. */
export type OutcomeOf = { step: string } | { event: string };

/** What a playing needs of the run's object; everything that is more than a text crosses as JSON. */
export interface RunPort {
  beginStep(playing: string, id: string, name: string, maxRetries: number): Promise<string>;
  endStep(playing: string, id: string, attempt: number, maxRetries: number, result: string): Promise<string>;
  openWait(playing: string, order: string): Promise<string>;
  openHook(playing: string, order: string): Promise<string>;
  closeHook(hookId: string): Promise<void>;
  /** How a step or a wait came out, by the step's id or the wait's event. Answers a `Settled` as JSON. */
  outcome(of: OutcomeOf): Promise<string>;
  append(playing: string, events: string): Promise<void>;
}

/**
 * The engine's own retries are for faults between the engine and the run's object; a step's own failures are values
 * there. A step may take an hour.
 */
const engineConfig = {
  retries: { limit: 5, delay: 1_000, backoff: "exponential" },
  timeout: "1 hour",
} as const;

/** Longest the engine waits for an event; longer waits begin again. */
const longestWait = "365 days";

/** How the engine keeps what a step or a wait came to. */
type Kept = { settled: Settled } | { order: number; event?: string } | Over | { again: string };

/** Why a playing goes no further: its run has ended, another playing has taken over, or the engine threw by itself. */
export type Halt = Over | { kind: "broken"; error: unknown };

/**
 * One playing of a run's code. Its operations are what the engine has kept of them, or else are done now; the run's
 * object decides what holds.
 */
export class RunPlayer implements BodyOps {
  readonly runId: string;
  readonly workflowName: string;
  readonly startedAt: string;
  /** Resolves once the code may not go on; what it asks for after that never comes, whatever it catches. */
  readonly halted: Promise<Halt>;
  private readonly resolveHalted: (halt: Halt) => void;
  private readonly order = new DeliveryOrder();
  private readonly counts = new Map<string, number>();
  private readonly playing: string;
  private readonly spec: RunSpec;
  private readonly engine: EnginePort;
  private readonly run: RunPort;
  private readonly services: StepServices;

  constructor(ports: {
    playing: string;
    spec: RunSpec;
    engine: EnginePort;
    run: RunPort;
    services: StepServices;
  }) {
    const { promise, resolve } = Promise.withResolvers<Halt>();
    this.halted = promise;
    this.resolveHalted = resolve;
    this.playing = ports.playing;
    this.spec = ports.spec;
    this.engine = ports.engine;
    this.run = ports.run;
    this.services = ports.services;
    this.runId = ports.spec.runId;
    this.workflowName = ports.spec.workflow;
    this.startedAt = ports.spec.startedAt;
  }

  nextId(name: string): string {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  }

  step(name: string, maxRetries: number, run: () => unknown): Promise<Json> {
    const id = this.nextId(name);
    return this.valueOf(id, () => this.attempts(id, name, maxRetries, run));
  }

  async wait(order: WaitOrder): Promise<Json> {
    return this.valueOf(order.id, async () => {
      const opened = await this.engineDo(`${order.id} begins`, () =>
        reliably(
          async () => JSON.parse(await this.run.openWait(this.playing, JSON.stringify(order))) as WaitAnswer,
        ),
      );
      if (opened.kind === "settled") return opened.settled;
      if (opened.kind !== "waiting") return this.halt(opened);
      return this.awaited(order.id, opened.event);
    });
  }

  async openHook(name: string, order: HookOrder): Promise<{ event: string }> {
    const opened = await this.step(name, defaultMaxRetries, async () => {
      const answer = JSON.parse(await this.run.openHook(this.playing, JSON.stringify(order))) as HookAnswer;
      if (answer.kind === "open") return { event: answer.event };
      if (answer.kind === "taken") {
        const message = `The token ${JSON.stringify(order.token)} is taken: the run ${answer.runId} listens on it.`;
        throw new FatalError(message, { code: "hook_conflict" });
      }
      if (answer.kind !== "failed") return this.halt(answer);
      const code = order.approval === null ? "hook_persist_failed" : "approval_persist_failed";
      throw Object.assign(new Error(answer.message), { code });
    });
    return opened as { event: string };
  }

  settled(id: string, event: string): Promise<Json> {
    return this.valueOf(id, () => this.awaited(id, event));
  }

  async closeHook(hookId: string): Promise<void> {
    await this.engineDo(`${hookId} closes`, async () => {
      await reliably(() => this.run.closeHook(hookId));
      return null;
    });
  }

  /** What an operation came to, once it is its turn. Throws `StepFailedError`. */
  private async valueOf(id: string, operation: () => Promise<Settled>): Promise<Json> {
    const settled = await this.order.deliver(operation);
    if (settled.kind === "failed") throw new StepFailedError(settled.failure, id);
    return settled.value;
  }

  private async attempts(id: string, name: string, maxRetries: number, run: () => unknown): Promise<Settled> {
    for (let round = 1; ; round += 1) {
      const kept = await this.engineDo(round === 1 ? id : `${id} (attempt ${round})`, () =>
        this.attempt(id, name, maxRetries, run),
      );
      if ("settled" in kept) return kept.settled;
      if ("order" in kept) return this.stored({ step: id });
      if ("again" in kept) await this.awaited(`${id} (attempt ${round + 1} begins)`, kept.again);
      else return this.halt(kept);
    }
  }

  private async attempt(id: string, name: string, maxRetries: number, run: () => unknown): Promise<Kept> {
    const begun = await reliably(
      async () => JSON.parse(await this.run.beginStep(this.playing, id, name, maxRetries)) as BeginAnswer,
    );
    if (begun.kind !== "go") return keep(begun);
    const { attempt } = begun;
    const result = await this.tried(id, attempt, run);
    // The result is not lost because its telling failed once: the step would run again.
    const ended = await reliably(
      async () =>
        JSON.parse(
          await this.run.endStep(this.playing, id, attempt, maxRetries, JSON.stringify(result)),
        ) as EndAnswer,
    );
    return ended.kind === "again" ? { again: ended.event } : keep(ended);
  }

  private async tried(id: string, attempt: number, run: () => unknown): Promise<AttemptResult> {
    let starts = 0;
    const { runId, workflow, conversation } = this.spec;
    const ops: StepOps = {
      services: this.services,
      runId,
      workflowName: workflow,
      conversation,
      stepId: id,
      attempt,
      append: (events: RunHappening[]) => this.run.append(this.playing, JSON.stringify(events)),
      nextStart: () => {
        starts += 1;
        return starts;
      },
    };
    try {
      return resultOf(await inStep(ops, async () => run()));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async awaited(id: string, event: string): Promise<Settled> {
    const { settled, over = false } = await this.awaitEvent(id, event);
    if (over) return this.halt({ kind: "over" });
    return settled ?? this.stored({ event });
  }

  private async awaitEvent(name: string, type: string): Promise<PokePayload> {
    for (let round = 1; ; round += 1) {
      try {
        const { payload } = await this.engine.waitForEvent(round === 1 ? name : `${name} (${round})`, {
          type,
          timeout: longestWait,
        });
        return payload;
      } catch (error) {
        // Anything else is the engine's way to stop the code.
        if (!String(error instanceof Error ? error.message : error).startsWith("WorkflowTimeoutError")) {
          return this.halt({ kind: "broken", error });
        }
      }
    }
  }

  private async stored(of: OutcomeOf): Promise<Settled> {
    return reliably(async () => JSON.parse(await this.run.outcome(of)) as Settled);
  }

  private async engineDo<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await this.engine.do(name, engineConfig, run);
    } catch (error) {
      return this.halt({ kind: "broken", error });
    }
  }

  private halt(why: Halt): Promise<never> {
    this.resolveHalted(why);
    return new Promise(() => undefined);
  }
}

function keep(answer: Settled | Over): Kept {
  if (answer.kind === "over" || answer.kind === "superseded") return answer;
  return JSON.stringify(answer).length <= inlineOutcome ? { settled: answer } : { order: answer.order };
}

function resultOf(returned: unknown): AttemptResult {
  const json = readJsonValue(returned, "the result");
  const refuse = (code: string, message: string): AttemptResult => ({
    ok: false,
    failure: { code, message },
    fatal: true,
    retryAfter: null,
  });
  if (!json.ok) return refuse("step_result_invalid", `${json.message}. A step returns JSON.`);
  const bytes = jsonBytes(JSON.stringify(json.value));
  if (bytes > maxValueBytes) {
    const message = `The step returned ${bytes} bytes of JSON; at most ${maxValueBytes} can be kept. Store it elsewhere and return where it is.`;
    return refuse("step_result_too_large", message);
  }
  return { ok: true, value: json.value };
}

/** Longest message and code of a failure that are kept, characters. */
const maxMessage = 2_000;
const maxCode = 100;

function failureOf(error: unknown): AttemptResult {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxMessage);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code.slice(0, maxCode)
      : "step_failed";
  return {
    ok: false,
    failure: { code, message },
    fatal: error instanceof FatalError,
    retryAfter: error instanceof RetryableError ? error.retryAfterMs : null,
  };
}
