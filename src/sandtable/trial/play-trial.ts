import type { JsonObject } from "../../turn/json.ts";
import {
  type AgentTurn,
  type CallerMove,
  nextScripted,
  openScripted,
  type ScriptedState,
} from "../caller/caller.ts";
import { CallerModelError, type PlayedCaller } from "../caller/model.ts";
import { stepTools, systemPrompt } from "../domain/input-schema.ts";
import type { ModelCaller, ScriptedCaller } from "../domain/types.ts";
import { CelPrograms } from "../expr/cel.ts";
import { CelError } from "../expr/cel-error.ts";
import type { EvalContext } from "../expr/context.ts";
import { seededRandom } from "../random.ts";
import type { EndedBy, Reason, TrialResult } from "../report/results.ts";
import { checkCall } from "../rules/check-call.ts";
import { checkReply } from "../rules/check-reply.ts";
import { gradeTrial } from "../verdict/grade.ts";
import { addUsage } from "../verdict/summarise.ts";
import { runTool } from "../world/run-tool.ts";
import type { AgentAnswer } from "./agent-answer.ts";
import type { TrialPlan } from "./plan.ts";
import type { StepRequest, StepToolCall } from "./step-protocol.ts";
import { TrialLog } from "./trial-log.ts";
import { ignoredCallsNote, type Note, stepBudgetNote } from "./trial-notes.ts";
import type { TrialState, TrialStore } from "./trial-store.ts";

/** The reply that ends a turn whose agent keeps calling tools; the words are the step protocol's. */
export const budgetReply = "[agent exceeded its step budget for this turn]";

/**
 * Most characters of JSON a transcript may come to: it leaves its object in one call, which carries 32 MiB, and a
 * character can take two bytes. A long trial comes to some hundred thousand.
 */
export const maxTranscript = 8_000_000;

export interface TrialDeps {
  store: TrialStore;
  /** Sends one step, once. `state` is a builtin agent's, `null` before its first step. */
  sendStep(request: StepRequest, state: JsonObject | null): Promise<AgentAnswer>;
  /** For tasks whose caller is played by a model; may throw at the first use when none is configured. */
  modelCaller(caller: ModelCaller): PlayedCaller;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborted when the rehearsal is cancelled. */
  signal: AbortSignal;
}

/**
 * Plays one trial to its end, from wherever its store says it stands, and grades it.
 *
 * Before a step is sent the store says so; an answer and all that follows from it are stored before the next step.
 * A trial found with a step in flight is therefore one whose runtime died, and it ends as errored: the step may have
 * reached the agent and is not sent again. Playing a finished trial again returns the same result.
 */
export async function playTrial(plan: TrialPlan, deps: TrialDeps): Promise<TrialResult> {
  return new TrialPlay(plan, deps).play();
}

class TrialPlay {
  private readonly plan: TrialPlan;
  private readonly deps: TrialDeps;
  private readonly log: TrialLog;
  private readonly base: { system: string; tools: StepRequest["tools"] };
  private readonly programs = new CelPrograms();
  private readonly state: TrialState;

  constructor(plan: TrialPlan, deps: TrialDeps) {
    this.plan = plan;
    this.deps = deps;
    this.log = new TrialLog(deps.store);
    this.base = { system: systemPrompt(plan.domain), tools: stepTools(plan.domain) };
    this.state = deps.store.loadState() ?? freshState(new Date(deps.now()).toISOString());
  }

  async play(): Promise<TrialResult> {
    const { state } = this;
    if (state.inFlight) {
      state.inFlight = false;
      const message = `the runtime stopped while step ${state.steps} was with the agent; it is not sent again`;
      this.end("killed", { kind: "errored", message });
    }
    try {
      while (state.phase !== "done") {
        if (this.deps.signal.aborted) this.end("cancelled", null);
        else if (state.phase === "caller") await this.callerMoves();
        else await this.agentMoves();
      }
    } catch (error) {
      // A fault of ours. What was said and done stays as evidence; a store that is gone throws here again.
      state.inFlight = false;
      const message = `the trial could not go on: ${error instanceof Error ? error.message : String(error)}`;
      this.end("killed", { kind: "errored", message });
    }
    return this.result();
  }

  private async callerMoves(): Promise<void> {
    const { state, plan } = this;
    if (state.lastTurn !== null) return this.end(state.lastTurn, null);
    if (state.turn >= plan.task.maxTurns) return this.end("max_turns", null);
    let move: CallerMove;
    const { caller } = plan.task;
    try {
      if (caller.kind === "scripted") {
        move = this.scriptedMove(caller);
      } else {
        const player = this.deps.modelCaller(caller);
        const played = state.turn === 0 ? await player.open() : await player.next(this.log);
        state.usage = addUsage(state.usage, played.usage);
        move = played.move;
      }
    } catch (error) {
      if (this.deps.signal.aborted) return this.end("cancelled", null);
      return this.callerFails(error);
    }
    const endedBy = move.endedBy ?? "caller_hung_up";
    if (move.say === null) return this.end(endedBy, null);
    state.turn += 1;
    state.round = 0;
    state.phase = "agent";
    state.lastTurn = move.hangUp ? endedBy : null;
    const act = caller.kind === "scripted" ? { act: move.act } : {};
    this.log.append({ kind: "caller", turn: state.turn, text: move.say, ...act });
    this.save();
  }

  /** A caller that cannot go on is ours to mend, so it is not held against the agent. */
  private callerFails(error: unknown): void {
    let message: string;
    if (error instanceof CallerModelError) {
      this.state.usage = addUsage(this.state.usage, error.usage);
      message = `the caller's model failed: ${error.message}`;
    } else if (error instanceof CelError) {
      message = `a condition of the caller cannot be evaluated: ${error.message}`;
    } else {
      throw error;
    }
    this.end("caller_error", { kind: "errored", message });
  }

  private scriptedMove(caller: ScriptedCaller): CallerMove {
    const { state, plan } = this;
    // A generator for each turn, so that a trial that goes on after a restart draws the same numbers.
    const random = seededRandom(plan.seed, plan.task.id, plan.trial, state.turn);
    const { move, state: callerState } =
      state.turn === 0
        ? openScripted(caller, random)
        : nextScripted(caller, state.caller as ScriptedState, this.agentTurn(), this.context({}), random);
    state.caller = callerState as JsonObject;
    return move;
  }

  private agentTurn(): AgentTurn {
    const { turn } = this.state;
    return {
      turn,
      reply: this.log.lastReply(turn),
      calls: this.log.calls.filter((call) => call.turn === turn),
    };
  }

  private async agentMoves(): Promise<void> {
    const { state } = this;
    const request = this.nextRequest();
    state.steps += 1;
    state.inFlight = true;
    this.save();
    const sentAt = this.deps.now();
    const answer = await this.deps.sendStep(request, state.agent);
    state.inFlight = false;
    state.agentMs += this.deps.now() - sentAt;
    if (this.deps.signal.aborted) return this.end("cancelled", null);
    if (answer.kind === "failure") {
      const { status, body } = answer;
      const reason: Reason = { kind: "runtime", message: answer.message };
      if (status !== undefined) reason.status = status;
      if (body !== undefined) reason.body = body;
      return this.end("agent_error", reason);
    }
    state.agentAnswered = true;
    if (answer.state !== undefined) state.agent = answer.state;
    if (answer.response.kind === "reply") {
      const { reply, ignoredCalls = 0 } = answer.response;
      this.agentReplies(reply, ignoredCalls === 0 ? null : ignoredCallsNote(this.state.turn, ignoredCalls));
    } else this.agentCalls(answer.response.calls);
  }

  private nextRequest(): StepRequest {
    const { turn, round } = this.state;
    const head = { session_id: this.plan.sessionId, ...this.base };
    if (round === 0) return { ...head, message: this.log.callerLine(turn) };
    return { ...head, tool_results: this.log.results(turn, round) };
  }

  /** `note` explains the reply; one about the step budget says that the reply is ours. */
  private agentReplies(text: string, note: Note | null): void {
    const { turn } = this.state;
    const rules = checkReply(this.plan.domain.rules, text, this.context({}));
    const by = note?.about === "step_budget" ? { by: "runner" as const } : {};
    this.log.append({ kind: "agent", turn, text, rules, ...by });
    if (note !== null) this.log.append(note);
    if (this.log.size > maxTranscript) this.transcriptTooLong();
    else {
      this.state.phase = "caller";
      this.save();
    }
  }

  private agentCalls(calls: StepToolCall[]): void {
    const { state } = this;
    state.round += 1;
    for (const call of calls) {
      if (this.log.size <= maxTranscript) this.runCall(call);
    }
    if (this.log.size > maxTranscript) this.transcriptTooLong();
    else if (state.round >= this.plan.maxSteps) this.turnUsedUp();
    else this.save();
  }

  private turnUsedUp(): void {
    const { turn, round } = this.state;
    const calls = this.log.calls.filter((call) => call.turn === turn);
    const tools = this.plan.domain.tools.map(({ name }) => name);
    this.agentReplies(budgetReply, stepBudgetNote(turn, round, calls, tools));
  }

  private transcriptTooLong(): void {
    const message = `the agent's replies and calls, with their results, came to more than ${maxTranscript} characters`;
    this.end("agent_error", { kind: "runtime", message });
  }

  private runCall(call: StepToolCall): void {
    const { domain } = this.plan;
    const { name: tool, arguments: args } = call;
    const rules = checkCall(domain.rules, { tool, args }, this.context(args));
    const { world } = this.deps.store;
    const outcome = runTool(domain.tools, tool, args, { ...this.context(args), world }, domain.tables);
    const { turn, round } = this.state;
    const head = { kind: "call" as const, turn, round, id: call.id, tool, args };
    if (!outcome.ok) {
      this.log.append({ ...head, ok: false, error: outcome.error, rules, changes: outcome.changes });
      return;
    }
    this.log.append({ ...head, ok: true, result: outcome.result, rules, changes: outcome.changes });
  }

  private context(args: JsonObject): EvalContext {
    const { messages, calls } = this.log;
    return {
      world: this.deps.store.world,
      args,
      conversation: { messages, calls },
      clock: this.plan.domain.clock,
      tables: this.plan.domain.tables,
      programs: this.programs,
    };
  }

  private end(endedBy: EndedBy, failure: Reason | null): void {
    const { state } = this;
    if (failure !== null) {
      this.log.append({ kind: "note", turn: state.turn, text: failure.message });
      failure.entry = this.log.entries.length - 1;
    }
    state.phase = "done";
    state.endedBy = endedBy;
    state.failure = failure;
    state.endedAt = new Date(this.deps.now()).toISOString();
    this.save();
  }

  private save(): void {
    this.deps.store.saveState(this.state);
  }

  private result(): TrialResult {
    const { state, plan, log } = this;
    const { world } = this.deps.store;
    const endedBy = state.endedBy ?? "cancelled";
    const failure = state.failure;
    const graded = gradeTrial(plan.task, {
      rules: plan.domain.rules,
      entries: log.entries,
      world,
      clock: plan.domain.clock,
      failure,
    });
    const errored = failure?.kind === "errored";
    const verdict = endedBy === "cancelled" ? "cancelled" : errored ? "errored" : graded.verdict;
    return {
      taskId: plan.task.id,
      trial: plan.trial,
      sessionId: plan.sessionId,
      verdict,
      why: verdict === "cancelled" ? [] : errored ? [failure] : graded.why,
      endedBy,
      turns: state.turn,
      steps: state.steps,
      transcript: log.entries,
      stateChanges: world.changesSinceStart(),
      callerUsage: state.usage,
      startedAt: state.startedAt,
      endedAt: state.endedAt ?? state.startedAt,
      agentMs: state.agentMs,
    };
  }
}

function freshState(startedAt: string): TrialState {
  return {
    phase: "caller",
    turn: 0,
    round: 0,
    steps: 0,
    inFlight: false,
    lastTurn: null,
    caller: null,
    agent: null,
    agentAnswered: false,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    agentMs: 0,
    startedAt,
    endedAt: null,
    endedBy: null,
    failure: null,
  };
}
