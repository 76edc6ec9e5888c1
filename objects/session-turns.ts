import type { DeepAgent } from "../src/agents/authoring/deep-agent.ts";
import { findAgent } from "../src/agents/registry.ts";
import { AnsweringModels } from "../src/agents/runtime/answering-models.ts";
import { closeCalls } from "../src/agents/runtime/end-call.ts";
import { mintId } from "../src/agents/runtime/mint-id.ts";
import { runStatus } from "../src/agents/runtime/run-status.ts";
import { runTurn } from "../src/agents/runtime/run-turn.ts";
import { TurnFailedError } from "../src/agents/runtime/turn-failed.ts";
import { addUsage, noUsage } from "../src/agents/runtime/usage.ts";
import type { Env } from "../src/env.ts";
import { systemTiming } from "../src/models/timing.ts";
import type { AgentRun } from "../src/store/agent-runs.ts";
import { putApprovals } from "../src/store/approvals.ts";
import type { Interrupt, TurnEvent, TurnFailure, TurnOutcome, TurnUsage } from "../src/turn/index.ts";
import { logFault } from "./log-fault.ts";
import type { SessionNotes } from "./session-notes.ts";
import type { SessionStorage } from "./session-storage.ts";
import type { StoredTurn, TurnWork } from "./stored-turn.ts";
import type { TurnLog } from "./turn-log.ts";

/** A turn in which the runtime stopped more often than this is taken to be the cause, and ended. */
const maxRestarts = 5;

/** A turn that lasts longer than this is listed while it runs, so that it can be found and cancelled. Milliseconds. */
const listedAfterMs = 1_000;

/** Waits between attempts at putting a pause into the inbox, milliseconds. */
const announcePauses = [300, 900];

/** What a turn's record says of its model. */
interface RunFacts {
  model: string;
  usage: TurnUsage;
}

/** Plays the turns of a session, one at a time, each to its one end. */
export class SessionTurns {
  private readonly storage: SessionStorage;
  private readonly notes: SessionNotes;
  private readonly log: TurnLog;
  private readonly env: Env;
  private readonly objectId: string;
  private readonly timing = systemTiming();
  /** The turn this life of the object plays. */
  private playing: { giveUp: AbortController; done: Promise<void> } | null = null;

  constructor(storage: SessionStorage, notes: SessionNotes, log: TurnLog, env: Env, objectId: string) {
    this.storage = storage;
    this.notes = notes;
    this.log = log;
    this.env = env;
    this.objectId = objectId;
  }

  /** Plays a turn that has been written down as running. Resolves once it has ended; never rejects. */
  play(turn: StoredTurn, work: TurnWork): Promise<void> {
    this.log.begin(turn.epoch);
    const giveUp = new AbortController();
    const playing = { giveUp, done: Promise.resolve() };
    this.playing = playing;
    const record: RunFacts = { model: "none", usage: noUsage };
    const listing = setTimeout(() => this.listRunning(turn, work, record.model), listedAfterMs);
    playing.done = this.playOut(turn, work, record, giveUp.signal).finally(() => {
      clearTimeout(listing);
      // The next turn may have begun by now.
      if (this.playing === playing) this.playing = null;
    });
    return playing.done;
  }

  /** Goes on with a turn: one an earlier life of this object left running, or one that waited. */
  playOn(turn: StoredTurn): Promise<void> {
    const next = { ...turn, epoch: turn.epoch + 1, usedAt: this.timing.now(), watched: false };
    this.storage.setTurn(next);
    return this.play(next, this.storage.work());
  }

  /** Whether a turn is written down as running that nobody plays. */
  isLeft(turn: StoredTurn | null): turn is StoredTurn {
    return this.playing === null && turn?.status === "running";
  }

  /** Ends the turn under way, as cancelled. */
  async giveUp(): Promise<void> {
    this.playing?.giveUp.abort();
    await this.playing?.done;
  }

  /** Ends a turn that waits for people, as cancelled: nothing of it waits any more. */
  cancelWaiting(turn: StoredTurn): void {
    const work = this.storage.work();
    const next = { ...turn, epoch: turn.epoch + 1, usedAt: this.timing.now(), watched: false };
    const emit = this.teller(findAgent(work.agent), next, work, { model: "none", usage: noUsage });
    this.log.begin(next.epoch);
    this.endWithout(work, emit, "was cancelled", { type: "cancelled" });
    this.log.end();
  }

  private async playOut(
    turn: StoredTurn,
    work: TurnWork,
    record: RunFacts,
    signal: AbortSignal,
  ): Promise<void> {
    const agent = findAgent(work.agent);
    // For this turn only: a session in memory has no room for a provider's schemas.
    const models = new AnsweringModels({ ...this.env }, fetch, this.timing);
    const emit = this.teller(agent, turn, work, record);
    try {
      if (agent === undefined || turn.restarts > maxRestarts) this.fail(agent, work, emit);
      else {
        await runTurn(
          agent,
          { ...work, askFirst: false },
          {
            store: this.storage,
            emit,
            announcePause: (interrupts) => this.announce(turn, work, interrupts, signal),
            model: (frame) => models.of(frame),
            timing: this.timing,
            mintId,
            signal,
          },
        );
      }
      this.log.end();
    } catch (error) {
      // As far as it is written down, the turn is still running: the alarm takes it up.
      logFault("turn_broke_off", error);
      this.log.breakOff();
    }
  }

  /** Takes the events of a turn: the end is written down before anybody is told. */
  private teller(agent: DeepAgent | undefined, turn: StoredTurn, work: TurnWork, record: RunFacts) {
    return (event: TurnEvent) => {
      if (event.type === "turn-start") record.model = event.model;
      if (event.type === "usage") record.usage = event.usage;
      if (event.type === "turn-end") this.end(agent, turn, work, event.outcome, record);
      this.log.emit(event);
      if (event.type === "state-snapshot" && turn.snapshot) this.log.emitSnapshot();
    };
  }

  /** Ends a turn that cannot be played. */
  private fail(agent: DeepAgent | undefined, work: TurnWork, emit: (event: TurnEvent) => void): void {
    const failure: TurnFailure =
      agent === undefined
        ? { code: "unknown_agent", message: `There is no agent "${work.agent}" any more.`, retryable: false }
        : { code: "interrupted", message: "The turn was interrupted too often.", retryable: true };
    this.endWithout(work, emit, "failed", { type: "failed", failure });
  }

  /** A turn's events where nothing is played any more: what is open is closed, and that is its end. */
  private endWithout(
    { runId, session }: TurnWork,
    emit: (event: TurnEvent) => void,
    why: "failed" | "was cancelled",
    outcome: TurnOutcome,
  ): void {
    emit({ type: "turn-start", runId, session, model: "none", scripted: false });
    emit({ type: "state-snapshot", state: this.storage.state() });
    closeCalls({ store: this.storage, emit, mintId }, why);
    emit({ type: "usage", usage: noUsage });
    emit({ type: "turn-end", outcome });
  }

  private end(
    agent: DeepAgent | undefined,
    turn: StoredTurn,
    work: TurnWork,
    outcome: TurnOutcome,
    { model, usage }: RunFacts,
  ): void {
    const spent = addUsage(turn.spent, usage);
    const status = outcome.type === "interrupt" ? "interrupted" : "ended";
    const told = turn.watched ? this.editableState(agent) : turn.told;
    this.storage.setTurn({ ...turn, status, spent, told });
    this.addRun(turn, work, {
      ...{ model, usage: spent },
      status: runStatus(outcome),
      endedAt: new Date(this.timing.now()).toISOString(),
      failure: outcome.type === "failed" ? outcome.failure : null,
    });
  }

  /** Lists a turn that is under way. It is told in order with its end, which so has the last word. */
  private listRunning(turn: StoredTurn, work: TurnWork, model: string): void {
    this.addRun(turn, work, { model, usage: turn.spent, status: "running", endedAt: null, failure: null });
    void this.notes.tell();
  }

  private addRun(
    { record, startedAt }: StoredTurn,
    { agent, wire, session, conversation }: TurnWork,
    facts: Pick<AgentRun, "model" | "usage" | "status" | "endedAt" | "failure">,
  ): void {
    const run = { runId: record, agent, wire, session, conversation, startedAt, ...facts };
    this.notes.add({ kind: "run", owner: this.storage.owner(), run });
  }

  private editableState(agent: DeepAgent | undefined) {
    const keys = Object.keys(agent?.editableState ?? {});
    if (keys.length === 0) return {};
    return Object.fromEntries(Object.entries(this.storage.state()).filter(([key]) => keys.includes(key)));
  }

  /** Puts a pause where people decide. When that cannot be done the turn fails: nobody would ever be asked. */
  private async announce(
    { record: runId }: StoredTurn,
    { agent, session }: TurnWork,
    interrupts: Interrupt[],
    signal: AbortSignal,
  ): Promise<void> {
    const owner = this.storage.owner();
    const place = { owner, objectId: this.objectId, agent, session: session ?? "", runId };
    for (const pause of [...announcePauses, null]) {
      try {
        return await putApprovals(this.env.DB, place, interrupts);
      } catch (error) {
        logFault("pause_not_announced", error);
        if (pause !== null) await this.timing.sleep(pause, signal);
        signal.throwIfAborted();
      }
    }
    throw new TurnFailedError(
      "internal_error",
      "The approval this needs cannot be asked for now; nothing was run. Send the message again in a while.",
      { retryable: true },
    );
  }
}
