import type { Env } from "../src/env.ts";
import { workflowRunObject } from "../src/store/objects.ts";
import { leaveLine } from "../src/store/workflow-line.ts";
import { type Note, tellOfRun } from "../src/store/workflow-notes.ts";
import { inlineOutcome, type PokePayload, type Settled } from "../src/workflows/runtime/run-protocol.ts";
import { logFault } from "./log-fault.ts";
import { eventType } from "./workflow-run-journal.ts";
import type { StoredWait, WorkflowRunStorage } from "./workflow-run-storage.ts";

/** Something to do elsewhere because of what happened in a run. Doing it twice does no harm. */
export type Errand =
  /** Leave the line of a serial workflow, and call who is next. */
  | { kind: "leave" }
  /** Tell the run that waits for this one's end. */
  | { kind: "parent"; owner: string; runId: string; wait: string; outcome: Settled };

/** Notes told at once. */
const batchSize = 40;

/**
 * What a run has to tell: the engine of waits that are over, the database of what lists show, other runs of its end.
 * Everything is written down with what it is about and kept until it is told, so a runtime that stops loses none.
 */
export class RunOutbox {
  private readonly storage: WorkflowRunStorage;
  private readonly env: Env;
  /** Resolves once the engine that got an event has the run's code under way. */
  private readonly awake: () => Promise<void>;
  private readonly going = new Map<string, { again: boolean; done: Promise<boolean> }>();

  constructor(storage: WorkflowRunStorage, env: Env, awake: () => Promise<void>) {
    this.storage = storage;
    this.env = env;
    this.awake = awake;
  }

  /** Tells all there is to tell. False: something could not be told, and waits. */
  async flush(): Promise<boolean> {
    const told = await Promise.all([this.poke(), this.tell(), this.run()]);
    return told.every((one) => one);
  }

  /**
   * Tells the engine of waits that are over, one event after another: an engine that had forgotten the run and gets two
   * at once plays its code twice.
   */
  poke(): Promise<boolean> {
    return this.alone("poke", () => this.pokeAll());
  }

  /** Wakes an engine that forgot the run: with what there is to tell, else with an event nothing waits for. */
  wake(): Promise<boolean> {
    return this.alone("poke", async () => {
      if (this.storage.unsent().length === 0) await this.send("wake", {});
      await this.pokeAll();
    });
  }

  private async pokeAll(): Promise<void> {
    for (let [wait] = this.storage.unsent(); wait !== undefined; [wait] = this.storage.unsent()) {
      await this.send(eventType(wait), payloadOf(wait));
      this.storage.setSent(wait.n);
    }
  }

  /** Tells the database. */
  tell(): Promise<boolean> {
    return this.alone("tell", async () => {
      for (;;) {
        const notes = this.storage.firstOf<Note>("notes", batchSize);
        const last = notes.at(-1);
        if (last === undefined) return;
        await tellOfRun(
          this.env.DB,
          notes.map(({ body }) => body),
        );
        this.storage.dropThrough("notes", last.pos);
      }
    });
  }

  /** Runs the errands. */
  private run(): Promise<boolean> {
    return this.alone("run", async () => {
      for (;;) {
        const [errand] = this.storage.firstOf<Errand>("errands", 1);
        if (errand === undefined) return;
        await this.do(errand.body);
        this.storage.dropThrough("errands", errand.pos);
      }
    });
  }

  private async do(errand: Errand): Promise<void> {
    if (errand.kind === "parent") {
      const { owner, runId, wait, outcome } = errand;
      await workflowRunObject(this.env, owner, runId).childEnded(wait, JSON.stringify(outcome));
      return;
    }
    const { workflow, runId } = this.storage.spec();
    const next = await leaveLine(this.env.DB, workflow, runId);
    if (next !== null) await workflowRunObject(this.env, next.owner, next.runId).admit();
  }

  private async send(type: string, payload: PokePayload): Promise<void> {
    if (this.storage.phase() !== "launched") return;
    try {
      const instance = await this.env.WORKFLOWS.get(this.storage.spec().runId);
      await instance.sendEvent({ type, payload });
    } catch (error) {
      // Code of a run that has ended may be gone by now, and nothing depends on it.
      if (!this.storage.ended) throw error;
    }
    await this.awake();
  }

  /** Does one kind of telling once at a time; what comes up meanwhile is told right after. */
  private alone(lane: string, work: () => Promise<void>): Promise<boolean> {
    const going = this.going.get(lane);
    if (going !== undefined) {
      going.again = true;
      return going.done;
    }
    const turn = { again: true, done: Promise.resolve(true) };
    this.going.set(lane, turn);
    turn.done = (async () => {
      try {
        while (turn.again) {
          turn.again = false;
          await work();
        }
        return true;
      } catch (error) {
        logFault(`workflow_${lane}_failed`, error);
        return false;
      } finally {
        this.going.delete(lane);
      }
    })();
    return turn.done;
  }
}

function payloadOf({ settled }: StoredWait): PokePayload {
  if (settled === null) return { over: true };
  return JSON.stringify(settled).length <= inlineOutcome ? { settled } : {};
}
