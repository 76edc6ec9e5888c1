import { AsyncLocalStorage } from "node:async_hooks";
import type { Json, TurnEvent, TurnFailure, TurnRequest } from "../../turn/index.ts";
import type { HookOrder, WaitOrder } from "./run-protocol.ts";
import type { RunHappening, ScheduleOutcome, ScheduleRecord, StartOutcome } from "./types.ts";

/** What a step can ask of the workspace its run belongs to. */
export interface StepServices {
  /** Starts another workflow on behalf of this run. `wait`: which of its waits that one's end settles. */
  start(child: {
    workflow: string;
    input: Json;
    idempotencyKey: string;
    wait: string | null;
  }): Promise<StartOutcome>;
  putSchedule(schedule: {
    name: string;
    workflow: string;
    cron: string;
    input: Json;
  }): Promise<ScheduleOutcome>;
  removeSchedule(name: string): Promise<boolean>;
  listSchedules(): Promise<ScheduleRecord[]>;
  /** Begins a turn of an agent. */
  startTurn(
    request: TurnRequest,
  ): Promise<{ ok: true; events: AsyncIterable<TurnEvent[]> } | { ok: false; failure: TurnFailure }>;
}

/** What the body of a workflow can do, all of it durable. */
export interface BodyOps {
  runId: string;
  workflowName: string;
  startedAt: string;
  /** Runs a step, or answers with what it came to. Throws `StepFailedError`. */
  step(name: string, maxRetries: number, run: () => unknown): Promise<Json>;
  /** An id for the next thing of this name: the same in every playing. */
  nextId(name: string): string;
  /** Opens a wait and comes back when it is over, with its value. */
  wait(order: WaitOrder): Promise<Json>;
  /** Opens a hook and the wait for its first payload, in a step of its own. */
  openHook(name: string, order: HookOrder): Promise<{ event: string }>;
  /** Comes back when the wait that was opened with a hook is over. */
  settled(id: string, event: string): Promise<Json>;
  closeHook(hookId: string): Promise<void>;
}

/** What a step can do. */
export interface StepOps {
  services: StepServices;
  runId: string;
  workflowName: string;
  conversation: string | null;
  /** The same in every attempt. */
  stepId: string;
  attempt: number;
  /** Adds events to the run's feed. */
  append(events: RunHappening[]): Promise<void>;
  /** Counts what a step starts, so that an attempt starts the same as the one before. */
  nextStart(): number;
}

type Scope = { kind: "body"; ops: BodyOps } | { kind: "step"; ops: StepOps };

/** Which workflow's body or step the code that runs belongs to. The store itself holds nothing. */
const scopes = new AsyncLocalStorage<Scope>();

export function inBody<Result>(ops: BodyOps, run: () => Result): Result {
  return scopes.run({ kind: "body", ops }, run);
}

export function inStep<Result>(ops: StepOps, run: () => Result): Result {
  return scopes.run({ kind: "step", ops }, run);
}

/** The scope the caller is in; `undefined` outside of a run. */
export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

/** The body that calls. Throws when it is a step or no run at all. */
export function bodyOps(what: string): BodyOps {
  const scope = scopes.getStore();
  if (scope?.kind === "body") return scope.ops;
  const where = scope === undefined ? "outside of a workflow" : "in a step";
  throw new Error(`${what} works in the body of a workflow; it was called ${where}`);
}

/** The step that calls. Throws when it is a body or no run at all. */
export function stepOps(what: string): StepOps {
  const scope = scopes.getStore();
  if (scope?.kind === "step") return scope.ops;
  const where =
    scope === undefined ? "outside of a workflow" : "in the body of a workflow, which is played again";
  throw new Error(`${what} works in a function that begins with 'use step'; it was called ${where}`);
}
