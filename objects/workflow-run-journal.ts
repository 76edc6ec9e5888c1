import { mintId } from "../src/agents/runtime/mint-id.ts";
import { retryDelayMs, triesAgain } from "../src/workflows/runtime/retry-policy.ts";
import type {
  AttemptResult,
  BeginAnswer,
  EndAnswer,
  HookOrder,
  RunEnd,
  Settled,
  WaitOrder,
} from "../src/workflows/runtime/run-protocol.ts";
import type { RunFailure, RunHappening } from "../src/workflows/runtime/types.ts";
import type { StoredHook, StoredStep, StoredWait, WorkflowRunStorage } from "./workflow-run-storage.ts";

/**
 * What happened in a run, written down before anybody acts on it. Each step's attempt is noted before it begins and its
 * result before the code goes on, so a step that has a result never runs again; only one that was under way when the
 * runtime died does. Each wait is settled once, by whoever comes first.
 */
export class RunJournal {
  private readonly storage: WorkflowRunStorage;
  private readonly now: () => number;

  constructor(storage: WorkflowRunStorage, now: () => number) {
    this.storage = storage;
    this.now = now;
  }

  /** Begins an attempt of a step, or answers with what an earlier one came to. */
  begin(id: string, name: string, maxRetries: number): Exclude<BeginAnswer, { kind: "over" | "superseded" }> {
    const before = this.storage.step(id);
    if (before?.settled) return before.settled;
    if (before?.status === "running") {
      // The attempt before never told how it ended: the runtime died in it, or it took too long.
      const lost = before.lost + 1;
      if (!triesAgain({ maxRetries, failed: before.attempts - lost, lost }, "lost")) {
        const message = `The step was under way when the runtime stopped${maxRetries === 0 ? ", and is not to be tried again" : ` ${lost} times`}.`;
        const failure = { code: "step_interrupted", message, step: id };
        this.publish({
          type: "step-failed",
          step: id,
          name,
          attempt: before.attempts,
          failure,
          retryAt: null,
        });
        return this.settleStep({ ...before, lost }, { kind: "failed", order: 0, failure });
      }
      before.lost = lost;
    }
    const attempts = (before?.attempts ?? 0) + 1;
    const at = this.time();
    const fresh = { id, name, lost: 0, startedAt: at, endedAt: null, settled: null };
    this.storage.putStep({
      ...(before ?? fresh),
      status: "running",
      attempts,
      failure: before?.failure ?? null,
    });
    this.publish({ type: "step-start", step: id, name, attempt: attempts }, at);
    return { kind: "go", attempt: attempts };
  }

  /** Writes down how an attempt ended. The first result of a step stays, whichever attempt brought it. */
  end(
    id: string,
    attempt: number,
    result: AttemptResult,
    maxRetries: number,
  ): Exclude<EndAnswer, { kind: "over" | "superseded" }> {
    const step = this.storage.step(id);
    if (step === null) throw new Error(`the step "${id}" has not begun`);
    if (step.settled !== null) return step.settled;
    const { name } = step;
    if (result.ok) {
      this.publish({ type: "step-end", step: id, name, attempt });
      return this.settleStep(step, { kind: "done", order: 0, value: result.value });
    }
    const failure = { ...result.failure, step: id };
    const failed = step.attempts - step.lost;
    const again = !result.fatal && triesAgain({ maxRetries, failed, lost: step.lost }, "failed");
    if (!again) {
      this.publish({ type: "step-failed", step: id, name, attempt, failure, retryAt: null });
      return this.settleStep(step, { kind: "failed", order: 0, failure });
    }
    const due = this.now() + (result.retryAfter ?? retryDelayMs(failed));
    this.storage.putStep({ ...step, status: "retrying", failure });
    const wait = this.storage.openWait({
      id: retryWait(id, step.attempts),
      kind: "retry",
      hook: null,
      place: null,
      openedAt: this.time(),
      due,
    });
    this.publish({
      ...{ type: "step-failed", step: id, name, attempt, failure },
      retryAt: new Date(due).toISOString(),
    } as const satisfies RunHappening);
    return { kind: "again", event: eventType(wait) };
  }

  /** Opens a wait, once; one whose end is known already is settled at once. */
  openWait(order: WaitOrder): StoredWait {
    const known = this.storage.wait(order.id);
    if (known !== null) return known;
    const hook = order.kind === "hook" ? this.storage.hook(order.hook) : null;
    const wait = this.storage.openWait({
      id: order.id,
      kind: order.kind === "hook" && hook?.question ? "approval" : order.kind,
      hook: hook?.id ?? null,
      place: order.kind === "hook" ? order.index : null,
      openedAt: this.time(),
      due: order.kind === "sleep" ? this.dueOf(order.until) : (hook?.due ?? null),
    });
    this.publish({
      type: "wait-start",
      wait: wait.id,
      kind: wait.kind === "retry" ? "sleep" : wait.kind,
      until: wait.due === null ? null : new Date(wait.due).toISOString(),
      token: hook?.token ?? null,
      title: hook?.question?.title ?? null,
    });
    if (hook !== null) {
      const payload = this.storage.payload(hook.id, wait.place ?? 0);
      if (payload !== null) this.settleWait(wait, { kind: "done", order: 0, value: payload.body });
    }
    return wait;
  }

  /** Writes a hook down, once. Nobody can find it before its token is claimed. */
  openHook(order: HookOrder): StoredHook {
    const known = this.storage.hook(order.id);
    if (known !== null) return known;
    const { approval } = order;
    const hook: StoredHook = {
      id: order.id,
      token: order.token,
      many: order.many,
      schema: order.schema,
      approvalId: approval === null ? null : mintId("apr_"),
      question: approval?.question ?? null,
      status: "pending",
      due: approval === null || approval.timeoutMs === null ? null : this.now() + approval.timeoutMs,
      listening: true,
      decidedAt: null,
    };
    this.storage.putHook(hook);
    return hook;
  }

  /** Settles the wait for an event's end, in the order all waits and steps are settled in. */
  settleWait(wait: StoredWait, outcome: Settled): void {
    const order = wait.kind === "retry" ? 0 : this.storage.nextOrder();
    this.storage.settleWait(wait.n, { ...outcome, order }, this.time());
    if (wait.kind === "retry") return;
    const timedOut = wait.kind === "approval" && wait.due !== null && this.now() >= wait.due;
    this.publish({ type: "wait-end", wait: wait.id, kind: wait.kind, timedOut });
  }

  /** Ends the run, once; `null` cancels it. False: it had ended. */
  finish(end: RunEnd | null): boolean {
    if (this.storage.ended) return false;
    const at = this.time();
    this.storage.end(end, at);
    if (end === null) this.publish({ type: "end", status: "interrupted" }, at);
    else if (end.status === "done") this.publish({ type: "end", status: "done", output: end.output }, at);
    else this.publish({ type: "end", status: "failed", failure: end.failure }, at);
    return true;
  }

  /** Adds an event to the run's feed, with the time. */
  publish(event: RunHappening, at = this.time()): void {
    this.storage.appendEvent({ ...event, at });
  }

  private settleStep(step: StoredStep, outcome: Settled): Settled {
    const settled = { ...outcome, order: this.storage.nextOrder() };
    const failure: RunFailure | null = settled.kind === "failed" ? settled.failure : null;
    const status = settled.kind;
    this.storage.putStep({ ...step, status, failure, settled, endedAt: this.time() });
    return settled;
  }

  private dueOf(until: { ms: number } | { at: number }): number {
    return "at" in until ? until.at : this.now() + until.ms;
  }

  private time(): string {
    return new Date(this.now()).toISOString();
  }
}

/** The type of the event by which the engine tells a run's code that a wait is over: unique in the run. */
export function eventType({ n }: Pick<StoredWait, "n">): string {
  return `wait-${n}`;
}

/** The number of the wait an event of that type tells of. */
export function waitNumber(event: string): number {
  return Number(event.slice("wait-".length));
}

/** Id of the wait between an attempt of a step and the next. */
export function retryWait(step: string, attempt: number): string {
  return `${step} retry ${attempt}`;
}
