import type { SubagentRef, TurnEvent, TurnFailure, TurnOutcome, TurnUsage } from "../../turn/index.ts";
import { encodeInterrupt } from "./encode-interrupt.ts";
import { encodeMessages } from "./encode-messages.ts";
import { totalUsage, usageEvent } from "./encode-usage.ts";
import { encryptedValue } from "./encrypted-value.ts";
import { type AguiEvent, type AguiOutcome, protocolVersion, type RunError } from "./events.ts";

export interface EncoderOptions {
  /** The client's, sent back as it came; "" on a stateless turn. */
  threadId: string;
  /** Say which version of the protocol this is: to a client that said its own. */
  declareVersion: boolean;
}

/**
 * Makes AG-UI events of a turn's events, one at a time, so that however they are batched the stream is the same. What it
 * gives passes a client's verification, also where a turn breaks off: what was opened is closed before the run ends, and
 * the run ends once. Takes several turns after one another, as a replayed thread has them.
 */
export class AguiEncoder {
  private readonly options: EncoderOptions;
  private run: Run | null = null;

  constructor(options: EncoderOptions) {
    this.options = options;
  }

  encode(event: TurnEvent): AguiEvent[] {
    if (event.type === "turn-start") {
      const { threadId, declareVersion } = this.options;
      const cut = this.cut("The turn broke off; it goes on in another run.");
      this.run = new Run(event.runId, event.model, threadId);
      return [...cut, runStarted(threadId, event.runId, declareVersion)];
    }
    if (this.run === null) return [];
    const events = this.run.encode(event);
    if (event.type === "turn-end") this.run = null;
    return events;
  }

  /** Ends a run whose turn says no more, with an error; nothing when no run is open. */
  cut(message: string): AguiEvent[] {
    const { run } = this;
    this.run = null;
    return run === null ? [] : run.fail({ code: "interrupted", message, retryable: true });
  }
}

/** A failed or refused turn as the event that ends its run; `metadata` says where trying again may help. */
function runError({ code, message, retryable }: TurnFailure): RunError {
  return { type: "RUN_ERROR", message, code, ...(retryable ? { metadata: { retryable } } : {}) };
}

/** The whole stream of a run that was refused before any work. */
export function refusedRun(
  failure: TurnFailure,
  runId: string,
  { threadId, declareVersion }: EncoderOptions,
): AguiEvent[] {
  return [runStarted(threadId, runId, declareVersion), runError(failure)];
}

function runStarted(threadId: string, runId: string, declareVersion: boolean): AguiEvent {
  return { type: "RUN_STARTED", threadId, runId, ...(declareVersion ? { protocolVersion } : {}) };
}

/** One run from its start to its one end. */
class Run {
  private readonly runId: string;
  private readonly model: string;
  private readonly threadId: string;
  /** Events that close what is open, newest last. */
  private readonly closers = new Map<string, AguiEvent>();
  /** Thoughts that have no text yet. */
  private readonly silent = new Map<string, SubagentRef | undefined>();
  /** The assistant message of each call, and the subagent that made it. */
  private readonly calls = new Map<string, { messageId: string; subagent: SubagentRef | undefined }>();
  private readonly answered = new Set<string>();
  private readonly steps = new Map<string, string>();
  /** Subagents that have not finished, and those that have: an id is started once in a run. */
  private readonly working = new Map<string, SubagentRef>();
  private readonly finished = new Set<string>();
  private usage: TurnUsage | null = null;

  constructor(runId: string, model: string, threadId: string) {
    this.runId = runId;
    this.model = model;
    this.threadId = threadId;
  }

  encode(event: Exclude<TurnEvent, { type: "turn-start" }>): AguiEvent[] {
    switch (event.type) {
      case "messages-snapshot":
        return [{ type: "MESSAGES_SNAPSHOT", messages: encodeMessages(event.messages) }];
      case "state-snapshot":
        return [{ type: "STATE_SNAPSHOT", snapshot: event.state }];
      case "state-delta":
        return [{ type: "STATE_DELTA", delta: event.patch }];
      case "step-start":
        return this.startStep(event.subagent, event.parentCallId);
      case "step-end":
        return this.endStep(event.subagent, event.parentCallId);
      case "text-start": {
        const { messageId } = event;
        const tag = tagOf(event.subagent);
        this.closers.set(`text ${messageId}`, { type: "TEXT_MESSAGE_END", messageId, ...tag });
        return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...tag }];
      }
      case "text-delta": {
        const { messageId, delta, subagent } = event;
        return [{ type: "TEXT_MESSAGE_CONTENT", messageId, delta, ...tagOf(subagent) }];
      }
      case "text-end":
        return this.close(`text ${event.messageId}`);
      case "reasoning-start":
        this.silent.set(event.id, event.subagent);
        return [];
      case "reasoning-delta": {
        const { id, delta, subagent } = event;
        return [
          ...this.startThought(id),
          { type: "REASONING_MESSAGE_CONTENT", messageId: id, delta, ...tagOf(subagent) },
        ];
      }
      case "reasoning-end":
        return this.endThought(event);
      case "call-start": {
        const { callId, name, messageId, subagent } = event;
        const tag = tagOf(subagent);
        this.calls.set(callId, { messageId, subagent });
        this.closers.set(`call ${callId}`, { type: "TOOL_CALL_END", toolCallId: callId, ...tag });
        return [
          {
            type: "TOOL_CALL_START",
            toolCallId: callId,
            toolCallName: name,
            parentMessageId: messageId,
            ...tag,
          },
        ];
      }
      case "call-args": {
        const { callId, delta, subagent } = event;
        return [{ type: "TOOL_CALL_ARGS", toolCallId: callId, delta, ...tagOf(subagent) }];
      }
      case "call-end":
        return this.close(`call ${event.callId}`);
      case "call-result": {
        const { callId, messageId, content, isError, subagent } = event;
        this.answered.add(callId);
        return [
          {
            type: "TOOL_CALL_RESULT",
            messageId,
            toolCallId: callId,
            content,
            role: "tool",
            ...tagOf(subagent),
            ...(isError ? { metadata: { isError } } : {}),
          },
        ];
      }
      case "custom":
        return [{ type: "CUSTOM", name: event.name, value: event.value }];
      case "usage":
        this.usage = event.usage;
        return [usageEvent(event.usage)];
      case "turn-end":
        return this.end(event.outcome);
    }
  }

  /** The one end of a run that failed. What is open is closed first, so that no page shows it as still going on. */
  fail(failure: TurnFailure): AguiEvent[] {
    return [
      ...this.closeAll(),
      ...this.leaveSubagents((id) => ({
        type: "SUBAGENT_ERROR",
        subagentRunId: id,
        message: failure.message,
        code: failure.code,
      })),
      { ...runError(failure), ...this.usages() },
    ];
  }

  private end(outcome: TurnOutcome): AguiEvent[] {
    if (outcome.type === "failed") return this.fail(outcome.failure);
    const { threadId, runId } = this;
    return [
      ...this.closeAll(),
      ...this.leaveSubagents((id) => this.leaving(id, outcome)),
      {
        type: "RUN_FINISHED",
        threadId,
        runId,
        outcome: this.encodeOutcome(outcome),
        ...this.usages(),
        // An interrupt has no place for calls that wait for the client beside it.
        ...(outcome.type === "interrupt" && outcome.pendingCallIds.length > 0
          ? { metadata: { pendingToolCallIds: outcome.pendingCallIds } }
          : {}),
      },
    ];
  }

  private encodeOutcome(outcome: Exclude<TurnOutcome, { type: "failed" }>): AguiOutcome {
    if (outcome.type === "cancelled") return { type: "cancelled" };
    if (outcome.type === "interrupt") {
      return {
        type: "interrupt",
        interrupts: outcome.interrupts.map((one) =>
          encodeInterrupt(one, this.calls.get(one.callId)?.subagent?.id),
        ),
      };
    }
    const { pendingCallIds } = outcome;
    return { type: "success", ...(pendingCallIds.length > 0 ? { pendingToolCallIds: pendingCallIds } : {}) };
  }

  private usages(): { usage?: [ReturnType<typeof totalUsage>] } {
    if (this.usage === null) return {};
    const delegated = this.working.size + this.finished.size > 0;
    return { usage: [totalUsage(this.usage, delegated ? null : this.model)] };
  }

  private startStep(subagent: SubagentRef, parentCallId: string): AguiEvent[] {
    const { id, name } = subagent;
    const stepName = this.freeStepName(name);
    this.steps.set(id, stepName);
    this.closers.set(`step ${id}`, { type: "STEP_FINISHED", stepName });
    const started: AguiEvent = { type: "STEP_STARTED", stepName };
    if (this.working.has(id) || this.finished.has(id)) return [started];
    this.working.set(id, subagent);
    const messageId = this.calls.get(parentCallId)?.messageId;
    return [
      started,
      {
        type: "SUBAGENT_STARTED",
        subagentRunId: id,
        name,
        parentToolCallId: parentCallId,
        ...(messageId === undefined ? {} : { parentMessageId: messageId }),
      },
    ];
  }

  private endStep({ id }: SubagentRef, parentCallId: string): AguiEvent[] {
    this.steps.delete(id);
    // Without a result it waits or failed; which one, and for what, the end of the turn tells.
    const done = this.answered.has(parentCallId) && this.working.delete(id);
    if (done) this.finished.add(id);
    return [
      ...(done
        ? [{ type: "SUBAGENT_FINISHED" as const, subagentRunId: id, outcome: { type: "success" as const } }]
        : []),
      ...this.close(`step ${id}`),
    ];
  }

  /** The subagent's name, numbered while a step of that name is open. */
  private freeStepName(name: string): string {
    const taken = new Set(this.steps.values());
    if (!taken.has(name)) return name;
    let number = 2;
    while (taken.has(`${name} ${number}`)) number += 1;
    return `${name} ${number}`;
  }

  private leaveSubagents(leave: (id: string) => AguiEvent): AguiEvent[] {
    const events = [...this.working.keys()].map(leave);
    for (const id of this.working.keys()) this.finished.add(id);
    this.working.clear();
    return events;
  }

  private leaving(id: string, outcome: TurnOutcome): AguiEvent {
    if (outcome.type !== "interrupt") {
      return {
        type: "SUBAGENT_ERROR",
        subagentRunId: id,
        message: "The run was stopped.",
        code: outcome.type === "cancelled" ? "cancelled" : "interrupted",
      };
    }
    const interruptIds = outcome.interrupts
      .filter(({ callId }) => this.calls.get(callId)?.subagent?.id === id)
      .map((interrupt) => interrupt.id);
    return {
      type: "SUBAGENT_FINISHED",
      subagentRunId: id,
      outcome: { type: "suspended", ...(interruptIds.length > 0 ? { interruptIds } : {}) },
    };
  }

  /** The beginning of a thought, once there is something in it to show. */
  private startThought(id: string): AguiEvent[] {
    if (!this.silent.has(id)) return [];
    const tag = tagOf(this.silent.get(id));
    this.silent.delete(id);
    this.closers.set(`span ${id}`, { type: "REASONING_END", messageId: id, ...tag });
    this.closers.set(`thought ${id}`, { type: "REASONING_MESSAGE_END", messageId: id, ...tag });
    return [
      { type: "REASONING_START", messageId: id, ...tag },
      { type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning", ...tag },
    ];
  }

  private endThought(event: Extract<TurnEvent, { type: "reasoning-end" }>): AguiEvent[] {
    const { id, subagent } = event;
    const encrypted = encryptedValue(event);
    // A thread keeps hidden thoughts itself; a client without one has to, though there is nothing to show.
    const kept = this.threadId === "" && encrypted !== undefined;
    if (this.silent.has(id) && !kept) {
      this.silent.delete(id);
      return [];
    }
    return [
      ...this.startThought(id),
      ...this.close(`thought ${id}`),
      ...(encrypted === undefined
        ? []
        : [
            {
              type: "REASONING_ENCRYPTED_VALUE" as const,
              subtype: "message" as const,
              entityId: id,
              encryptedValue: encrypted,
              ...tagOf(subagent),
            },
          ]),
      ...this.close(`span ${id}`),
    ];
  }

  private close(key: string): AguiEvent[] {
    const closer = this.closers.get(key);
    this.closers.delete(key);
    return closer === undefined ? [] : [closer];
  }

  private closeAll(): AguiEvent[] {
    const events = [...this.closers.values()].reverse();
    this.closers.clear();
    this.silent.clear();
    return events;
  }
}

function tagOf(subagent: SubagentRef | undefined): { subagentRunId?: string } {
  return subagent === undefined ? {} : { subagentRunId: subagent.id };
}
