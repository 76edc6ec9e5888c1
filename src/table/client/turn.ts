import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import type { AgentHttpResponse, ToolResult } from "../protocol/messages.ts";
import { planPrint } from "./phase-plan.ts";
import { type PhaseDeps, type PhaseEnd, runPhase } from "./run-phase.ts";
import { planRunner, type RunCall, receipt } from "./run-plan.ts";
import type { TurnRecord } from "./turn-record.ts";

/**
 * One turn: phase after phase, each answered by the backend, run, and, when the backend asked for it and the host
 * allows it, told back as receipts. What it came to stands in `record`, also when it throws.
 *
 * Of a run in which calls were malformed, and whose receipts go back, those calls are held back: the backend may put them
 * right twice, and a reader need not see what was put right. They are recorded as soon as it is certain that they stay.
 */
export async function runTurn(
  deps: PhaseDeps & { record: TurnRecord; returnResults: boolean },
): Promise<void> {
  const { record, returnResults, signal } = deps;
  const runner = planRunner(deps.session, signal);
  let toolResults: ToolResult[] = [];
  let last: { print: string; ran: RunCall[] } | undefined;
  let held: RunCall[] = [];
  let repairs = 0;

  try {
    for (let phaseId = 0; ; phaseId++) {
      const end = await runPhase(deps, phaseId, toolResults);
      if ("unresolved" in end) return record.unresolved(end.unresolved);
      const mayGoOn = returnResults && phaseId < AGENT_HTTP_LIMITS.maxContinuations;

      if (last && end.plan.length > 0 && planPrint(end.plan) === last.print) {
        if (held.length === 0) return record.unresolved(repeatedPlan(end));
        if (repairs >= AGENT_HTTP_LIMITS.maxRepairs || !mayGoOn) return;
        repairs++;
        // Asked again with the same answers, under the ids this reply gave its calls.
        toolResults = end.plan.flatMap((call, index) => {
          const ran = last?.ran[index];
          return ran ? [receipt(call, ran.result)] : [];
        });
        continue;
      }

      const ran = await runner.run(end.plan, end.revision, held.length > 0 ? (last?.ran ?? []) : []);
      const malformed = returnResults ? ran.filter(isMalformed) : [];
      // A plan of nothing puts nothing right.
      if (ran.length > 0) held = malformed;
      for (const call of ran) if (!malformed.includes(call)) record.ran(call);
      if (signal.aborted || ran.length === 0) return;

      if (held.length > 0) {
        if (repairs >= AGENT_HTTP_LIMITS.maxRepairs || !mayGoOn) return;
        repairs++;
      } else if (!returnResults || !wantsReceipts(end.reply)) return;
      else if (!mayGoOn) return record.unresolved(continuationExhausted());
      last = { print: planPrint(end.plan), ran };
      toolResults = ran.map(({ call, result }) => receipt(call, result));
    }
  } finally {
    for (const call of held) record.ran(call);
  }
}

function isMalformed({ result }: RunCall): boolean {
  return result.error?.code === "invalid-arguments";
}

function wantsReceipts(reply: AgentHttpResponse): boolean {
  return reply.continueWithResults === true;
}

function repeatedPlan({ plan }: Extract<PhaseEnd, { plan: unknown }>) {
  return {
    code: "repeated-plan" as const,
    message: "The backend was told what its plan came to and sent the same plan again; it was run once.",
    pending: plan.map(({ name }) => name),
  };
}

function continuationExhausted() {
  return {
    code: "continuation-exhausted" as const,
    message: `The backend wanted to go on more than ${AGENT_HTTP_LIMITS.maxContinuations} times.`,
    pending: [],
  };
}
