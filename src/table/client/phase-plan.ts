import { asks } from "../protocol/asking-calls.ts";
import { canonicalJson } from "../protocol/fingerprint.ts";
import type { AgentHttpResponse, AskUser, ToolCall } from "../protocol/messages.ts";
import { AgentTurnError } from "./errors.ts";

/** A command that is certain to be wanted, with the identity it runs under. */
export interface PlannedCall extends ToolCall {
  idempotencyKey: string;
}

/** What a reply wants next. */
type PhaseStep =
  | { kind: "ask-user"; question: AskUser }
  | { kind: "answer"; calls: ToolCall[] }
  | { kind: "run"; plan: PlannedCall[] };

/**
 * The plan of one phase. Each reply that names commands replaces the plan, a reply that only asks leaves it, and the
 * reply that asks nothing more makes it final: a backend that says the same thing in three rounds means it once.
 */
export interface PhasePlan {
  /** Commands proposed and not final. */
  pending(): ToolCall[];
  /** Throws an `AgentTurnError`: `duplicate-call-id`, or `plan-conflict` for another plan after the final one. */
  absorb(reply: AgentHttpResponse): PhaseStep;
}

export interface PhaseIdentity {
  tableId: string;
  turnId: string;
  phaseId: number;
}

/** A phase that has no plan yet. */
export function phasePlan(identity: PhaseIdentity): PhasePlan {
  let pending: ToolCall[] = [];
  let final: PlannedCall[] | undefined;

  return {
    pending: () => pending,
    absorb({ toolCalls = [], askUser }) {
      refuseDuplicates(toolCalls);
      const commands = toolCalls.filter((call) => !asks(call));
      const questions = toolCalls.filter(asks);
      if (final) return { kind: "run", plan: redelivered(final, commands, identity.phaseId) };
      if (commands.length > 0 || (questions.length === 0 && !askUser)) pending = commands;
      if (askUser) return { kind: "ask-user", question: askUser };
      if (questions.length > 0) return { kind: "answer", calls: questions };
      final = pending.map((call, index) => ({ ...call, idempotencyKey: callIdentity(identity, index) }));
      return { kind: "run", plan: final };
    },
  };
}

/**
 * Who a command is for the session's replay: its place in a turn. Neither the backend's ids, which it may repeat, nor the
 * arguments, which are private and by which two commands meant alike would be one.
 */
function callIdentity({ tableId, turnId, phaseId }: PhaseIdentity, index: number): string {
  return `http-call:${JSON.stringify({ tableId, turnId, phaseId, index })}`;
}

/** What a plan does, to know one that comes again. */
export function planPrint(plan: ToolCall[]): string {
  return JSON.stringify(plan.map(callPrint));
}

/** What a call does: its key and arguments. */
export function callPrint({ name, args }: ToolCall): string {
  return canonicalJson({ name, args });
}

/** A final plan stays as it is: the same one again is a repetition, another one would run under identities in use. */
function redelivered(final: PlannedCall[], commands: ToolCall[], phaseId: number): PlannedCall[] {
  if (commands.length > 0 && planPrint(commands) !== planPrint(final))
    throw new AgentTurnError("plan-conflict", `Phase ${phaseId} has a final plan, and another one came.`);
  return final;
}

function refuseDuplicates(calls: ToolCall[]): void {
  const seen = new Set<string>();
  for (const { id } of calls) {
    if (seen.has(id))
      throw new AgentTurnError(
        "duplicate-call-id",
        `Two calls of one reply have the id ${id}; none was run.`,
      );
    seen.add(id);
  }
}
