import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import type { AgentHttpResponse, AudioClip, ConversationLine, ToolResult } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { callAnswers } from "./answer-calls.ts";
import { type AskReader, askReader } from "./ask-reader.ts";
import { AgentTurnError } from "./errors.ts";
import { type PlannedCall, phasePlan } from "./phase-plan.ts";
import type { TableSessionPort } from "./session-port.ts";
import type { TableLink } from "./table-link.ts";
import type { TurnRecord } from "./turn-record.ts";
import type { Unresolved } from "./turn-report.ts";

export interface PhaseDeps {
  session: TableSessionPort;
  link: TableLink;
  record: TurnRecord;
  turnId: string;
  /** Empty on a turn that was spoken. */
  message: string;
  audio: AudioClip | undefined;
  conversation: ConversationLine[] | undefined;
  stream: boolean;
  signal: AbortSignal;
  ask: AskReader | undefined;
  onText(text: string): void;
  onTranscript(text: string): void;
  /** Throws `context-stale` when the table or its policy is no longer what the turn began with. */
  sameContext(): void;
}

/** A final plan with the reply that made it so and the revision that reply was given for, or why there is none. */
export type PhaseEnd =
  | { plan: PlannedCall[]; reply: AgentHttpResponse; revision: number }
  | { unresolved: Unresolved };

/**
 * Asks the backend until it asks nothing more, at most `AGENT_HTTP_LIMITS.maxRounds` times, and runs nothing.
 * `toolResults` are receipts of the phase before; answers of this phase come after them.
 */
export async function runPhase(
  deps: PhaseDeps,
  phaseId: number,
  toolResults: ToolResult[],
): Promise<PhaseEnd> {
  const { session, link, record, turnId, signal, sameContext } = deps;
  const plan = phasePlan({ tableId: session.tableId, turnId, phaseId });
  const answers = callAnswers(session, { turnId, phaseId }, signal, link.keepGuides);
  const results = new Map(toolResults.map((result) => [result.id, result]));
  let mayRecover = true;

  const unresolved = (code: Unresolved["code"], message: string): PhaseEnd => ({
    unresolved: { code, message, pending: plan.pending().map(({ name }) => name) },
  });

  try {
    sameContext();
    await link.refresh(signal);
    for (let round = 0; round < AGENT_HTTP_LIMITS.maxRounds; round++) {
      sameContext();
      const first = phaseId === 0 && round === 0;
      const { reply, revision, recovered } = await link.round(
        {
          ...spoken(deps, first),
          ...given("conversation", deps.conversation),
          turnId,
          phaseId,
          ...given("toolResults", results.size > 0 ? [...results.values()] : undefined),
          ...given("pendingCalls", plan.pending().length > 0 ? plan.pending() : undefined),
        },
        { signal, stream: deps.stream, onText: deps.onText },
        mayRecover,
      );
      mayRecover = !recovered;
      sameContext();
      record.said(reply.text);
      if (reply.transcript && record.heard(reply.transcript)) deps.onTranscript(reply.transcript);

      const step = plan.absorb(reply);
      if (step.kind === "run") return { plan: step.plan, reply, revision };
      if (round === AGENT_HTTP_LIMITS.maxRounds - 1) break;
      if (step.kind === "ask-user") {
        const answer = await askReader(step.question, deps.ask, signal);
        if (answer === "no-reader-channel")
          return unresolved(answer, "The backend asked the reader a question, and nothing here can put it.");
        if (answer === "question-unanswered")
          return unresolved(answer, "The backend asked the reader a question and got no answer.");
        results.set(answer.id, answer);
      } else for (const answer of await answers.answer(step.calls)) results.set(answer.id, answer);
    }
    return unresolved(
      "discovery-exhausted",
      `The backend still asked after ${AGENT_HTTP_LIMITS.maxRounds} rounds and never settled on a plan.`,
    );
  } finally {
    record.fulfilled(answers.counts());
  }
}

/** What the reader said: the clip on the first round, and from then on what was heard in it. */
function spoken({ audio, message, record }: PhaseDeps, first: boolean) {
  if (first) return { ...given("message", message || undefined), ...given("audio", audio) };
  const words = record.transcript() ?? message;
  if (words === "")
    throw new AgentTurnError(
      "transcript-missing",
      "The backend needs another round and has not said what it heard; a clip is sent once.",
    );
  return { message: words };
}
