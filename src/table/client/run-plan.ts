import type { ToolCall, ToolResult } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { callPrint, type PlannedCall } from "./phase-plan.ts";
import type { ExecuteResult, TableSessionPort } from "./session-port.ts";

/** A call of a plan and what it came to. */
export interface RunCall {
  call: PlannedCall;
  result: ExecuteResult;
  /** It had run in the phase that this one repairs, and was not run again. */
  earlier: boolean;
}

/** Runs the plans of one turn in order. */
export interface PlanRunner {
  /**
   * Runs a final plan, call after call. `captured` is the revision the backend was shown when it made the plan. A call
   * that does not name a revision is held to that one, or to what this turn's own calls have made of it since: an outside
   * change is refused, a filter followed by a sort is not. Once `signal` is aborted the rest is `cancelled`, once a
   * session throws the rest is `not-run`; no call is tried twice.
   */
  run(plan: PlannedCall[], captured: number, repaired: RunCall[]): Promise<RunCall[]>;
}

/** A runner for one turn, which has proven no revision yet. */
export function planRunner(session: TableSessionPort, signal: AbortSignal): PlanRunner {
  let proven = Number.NEGATIVE_INFINITY;

  async function execute(call: PlannedCall, captured: number): Promise<ExecuteResult> {
    const result = await session.execute({
      key: call.name,
      args: call.args,
      expectedRevision: call.expectedRevision ?? Math.max(captured, proven),
      idempotencyKey: call.idempotencyKey,
      signal,
    });
    if (result.ok) proven = Math.max(proven, result.revision);
    return result;
  }

  return {
    async run(plan, captured, repaired) {
      const done = doneWrites(session, repaired);
      const ran: RunCall[] = [];
      let broken = false;
      for (const call of plan) {
        const before = done.get(callPrint(call))?.shift();
        if (before) {
          ran.push({ call, result: before, earlier: true });
          continue;
        }
        let result: ExecuteResult;
        if (signal.aborted)
          result = refused(session, call, "cancelled", "The turn was cancelled before this call.");
        else if (broken)
          result = refused(session, call, "not-run", "A call before this one broke off the plan.");
        else
          try {
            result = await execute(call, captured);
          } catch (error) {
            broken = true;
            result = refused(session, call, "apply-failed", messageOf(error));
          }
        ran.push({ call, result, earlier: false });
      }
      return ran;
    },
  };
}

/**
 * Writes of the phase under repair that succeeded, by what they do. A backend told that one call of its plan was malformed
 * often sends the whole plan again with that call put right, and must not have written the rest twice. Reads and changes of
 * view run again: they see the table as it is now.
 */
function doneWrites(session: TableSessionPort, repaired: RunCall[]): Map<string, ExecuteResult[]> {
  const done = new Map<string, ExecuteResult[]>();
  if (repaired.length === 0) return done;
  const writes = new Set(
    session
      .catalog()
      .filter(({ kind }) => kind === "write" || kind === "destructive")
      .map(({ key }) => key),
  );
  for (const { call, result } of repaired) {
    if (!result.ok || !writes.has(call.name)) continue;
    const print = callPrint(call);
    done.set(print, [...(done.get(print) ?? []), result]);
  }
  return done;
}

function refused(
  session: TableSessionPort,
  { idempotencyKey }: PlannedCall,
  code: string,
  message: string,
): ExecuteResult {
  return { ok: false, revision: session.view().revision, idempotencyKey, error: { code, message } };
}

/** What a call came to, as the backend is told of it. */
export function receipt(call: ToolCall, { ok, revision, result, error }: ExecuteResult): ToolResult {
  if (!ok) return { id: call.id, error: error ?? { code: "error", message: "The call failed." } };
  return { id: call.id, result: { ok, revision, ...given("result", result) } };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : "The table session failed.";
}
