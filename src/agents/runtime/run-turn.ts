import type { LanguageModel } from "../../models/language-model.ts";
import type { Timing } from "../../models/timing.ts";
import type {
  Finish,
  Interrupt,
  JsonObject,
  Sampling,
  SubagentRef,
  TurnEvent,
  TurnOutcome,
  TurnRequest,
} from "../../turn/index.ts";
import type { DeepAgent } from "../authoring/deep-agent.ts";
import { type AgentFrame, frameOfAgent } from "./agent-frame.ts";
import { closeCalls } from "./end-call.ts";
import { modelStep } from "./model-step.ts";
import { clientCalls, type SessionStore } from "./session-store.ts";
import { settleCalls } from "./settle-calls.ts";
import { statePatch, stateRestated } from "./state-patch.ts";
import { TurnFailedError } from "./turn-failed.ts";
import { addUsage, noUsage } from "./usage.ts";

/** A model that answers, and whether it is the agent's own script rather than a provider's model. */
export interface AnsweringModel {
  model: LanguageModel;
  id: string;
  scripted: boolean;
}

export interface TurnDeps {
  store: SessionStore;
  /** Takes an event; what is emitted between two awaits goes out together. */
  emit(event: TurnEvent): void;
  /** Makes a pause known where people decide, before the client can see it. Absent: the turn cannot pause. */
  announcePause?: (interrupts: Interrupt[]) => Promise<void>;
  /** Throws TurnFailedError when none can be had. */
  model(frame: AgentFrame): AnsweringModel;
  timing: Timing;
  /** Ids that no other call gives: `msg_…`, `call_…`, `int_…`. */
  mintId(prefix: string): string;
  signal: AbortSignal;
}

/** What of a request the loop needs: messages, decisions and state have been taken in already. */
export type TurnSettings = Pick<
  TurnRequest,
  "runId" | "session" | "clientTools" | "sampling" | "context" | "forwarded"
> & {
  /** Ask the model even if the conversation ends with its own words, as a stateless one that is to be continued does. */
  askFirst: boolean;
};

/**
 * Plays one turn from wherever its session stands: open calls are settled first, then the model is asked, until it
 * replies, waits for a person or a client, or fails. Emits every event from `turn-start` to the one `turn-end`, and
 * returns what the latter says. Calling it again after a restart goes on: finished calls keep their results, a call
 * that was running is answered as interrupted, and a half-streamed answer is asked for anew. A turn that fails leaves
 * no call open but the client's.
 */
export async function runTurn(
  agent: DeepAgent,
  settings: TurnSettings,
  deps: TurnDeps,
): Promise<TurnOutcome> {
  return new TurnRun(agent, settings, deps).run();
}

export type FrameEnd = { type: "replied"; text: string } | { type: "waits" };

/** The turn under way, as the parts of the loop see it. */
export class TurnRun {
  readonly agent: DeepAgent;
  readonly settings: TurnSettings;
  readonly deps: TurnDeps;
  private usage = noUsage;
  private steps = 0;
  private finish: Finish = { unified: "stop", raw: null };
  /** The shared state as events have told it so far. */
  private toldState: JsonObject = {};

  constructor(agent: DeepAgent, settings: TurnSettings, deps: TurnDeps) {
    this.agent = agent;
    this.settings = settings;
    this.deps = deps;
  }

  async run(): Promise<TurnOutcome> {
    const { store, emit } = this.deps;
    const stateBefore = structuredClone(store.state());
    this.toldState = stateBefore;
    let outcome: TurnOutcome;
    try {
      const frame = frameOfAgent(this.agent);
      this.start(frame);
      emit({ type: "state-snapshot", state: stateBefore });
      outcome = await this.playOut(frame);
    } catch (error) {
      outcome = this.failed(error);
      closeCalls(this.deps, outcome.type === "cancelled" ? "was cancelled" : "failed");
    }
    // A turn that changed something closes with a delta, whatever was told on the way.
    if (!this.tellState() && this.toldState !== stateBefore) {
      const patch = stateRestated(stateBefore, this.toldState);
      if (patch.length > 0) emit({ type: "state-delta", patch });
    }
    emit({ type: "usage", usage: this.usage });
    emit({ type: "turn-end", outcome });
    return outcome;
  }

  /** The first event, which names the model; without one there still is a turn to tell the failure of. */
  private start(frame: AgentFrame): void {
    const { runId, session } = this.settings;
    try {
      const { id: model, scripted } = this.deps.model(frame);
      this.deps.emit({ type: "turn-start", runId, session, model, scripted });
    } catch (error) {
      this.deps.emit({ type: "turn-start", runId, session, model: "none", scripted: false });
      throw error;
    }
  }

  /** Tells what has changed in the shared state since it was told last, for people to watch. False: nothing has. */
  private tellState(): boolean {
    const state = this.deps.store.state();
    const patch = statePatch(this.toldState, state);
    if (patch.length === 0) return false;
    this.toldState = structuredClone(state);
    this.deps.emit({ type: "state-delta", patch });
    return true;
  }

  /** Runs a conversation until its agent replies or something in it has to wait. */
  async runFrame(frame: AgentFrame): Promise<FrameEnd> {
    const { store, signal } = this.deps;
    for (;;) {
      signal.throwIfAborted();
      const open = store.openCalls(frame.id);
      if (open.length > 0) {
        const waits = await settleCalls(this, frame, open);
        this.tellState();
        if (waits) return { type: "waits" };
        continue;
      }
      const last = store.lastMessage(frame.id);
      if (last?.role === "assistant" && !(this.settings.askFirst && this.steps === 0)) {
        return {
          type: "replied",
          text: last.blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
        };
      }
      await this.step(frame);
    }
  }

  /** One answer of the model, stored whole with its calls. */
  private async step(frame: AgentFrame): Promise<void> {
    const { store, timing, signal, mintId } = this.deps;
    this.steps += 1;
    if (this.steps > this.agent.maxSteps) {
      throw new TurnFailedError(
        "step_limit",
        `The agent asked its model ${this.agent.maxSteps} times in one turn without coming to an end.`,
      );
    }
    const { messages, omitted } = store.tail(frame.id);
    const messageId = mintId("msg_");
    const answer = modelStep({
      model: this.deps.model(frame).model,
      system: frame.systemPrompt,
      messages,
      omitted,
      tools: frame.offeredTools(this.settings.clientTools),
      sampling: samplingOf(frame, this.settings.sampling),
      context: this.settings.context,
      state: store.state(),
      signal,
      timing,
      messageId,
      isCallIdTaken: (callId: string) => store.call(callId) !== undefined,
      mintCallId: () => mintId("call_"),
      ...subagentOf(frame),
    });
    let result = await answer.next();
    while (!result.done) {
      this.deps.emit(result.value);
      result = await answer.next();
    }
    // An answer that came after all is not written to a conversation that is gone.
    signal.throwIfAborted();
    const { blocks, finish, usage, invalidCalls } = result.value;
    this.usage = addUsage(this.usage, usage);
    if (frame.subagent === undefined) this.finish = finish;
    store.append(frame.id, { role: "assistant", id: messageId, blocks });
    const calls = blocks.filter((block) => block.type === "call");
    store.addCalls(
      calls.map(({ callId, name, args }) => {
        const invalid = invalidCalls.find((one) => one.callId === callId)?.message ?? null;
        // What is never run needs no arguments, which may be the very thing that is too long to keep.
        const kept = invalid === null ? args : {};
        return { callId, frame: frame.id, messageId, name, args: kept, status: "new" as const, invalid };
      }),
    );
  }

  /** Runs the agent until it replies or waits. A decision made while the pause is announced is taken up at once. */
  private async playOut(frame: AgentFrame): Promise<TurnOutcome> {
    const { store, announcePause } = this.deps;
    for (;;) {
      await this.runFrame(frame);
      const asked = store.pendingInterrupts();
      if (asked.length > 0) await announcePause?.(asked);
      const interrupts = store.pendingInterrupts();
      if (asked.length > 0 && interrupts.length === 0) continue;
      const pendingCallIds = clientCalls(store).map(({ callId }) => callId);
      if (interrupts.length > 0) return { type: "interrupt", interrupts, pendingCallIds };
      return { type: "success", finish: this.finish, pendingCallIds };
    }
  }

  private failed(error: unknown): TurnOutcome {
    if (this.deps.signal.aborted) return { type: "cancelled" };
    if (error instanceof TurnFailedError) return { type: "failed", failure: error.failure };
    // Ours: said in the log, not to the client.
    console.error(
      JSON.stringify({ event: "turn_failed", error: error instanceof Error ? error.name : typeof error }),
    );
    return {
      type: "failed",
      failure: { code: "internal_error", message: "The turn could not be finished.", retryable: true },
    };
  }
}

/** Marks an event as a subagent's; nothing for the agent itself. */
function subagentOf(frame: { subagent?: SubagentRef }): { subagent?: SubagentRef } {
  return frame.subagent === undefined ? {} : { subagent: frame.subagent };
}

/** What the caller asked of the reply is asked of the agent alone; its subagents answer the agent, not the caller. */
function samplingOf(frame: AgentFrame, sampling: Sampling): Sampling {
  if (frame.subagent === undefined) return sampling;
  const {
    toolChoice: _choice,
    responseFormat: _format,
    stop: _stop,
    parallelCalls: _calls,
    ...rest
  } = sampling;
  return rest;
}
