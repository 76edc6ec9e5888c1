import type { Json } from "../../turn/json.ts";
import type { ExecuteResult } from "../client/session-port.ts";
import type { CapabilityDefinition, Plan } from "./capability.ts";
import { isObject } from "./lenient.ts";
import type { Receipt, ReceiptChange, ReceiptStatus } from "./session-types.ts";

/** What a receipt is made from. */
export interface Occurrence {
  key: string;
  definition: CapabilityDefinition | undefined;
  plan: Plan | undefined;
  result: ExecuteResult;
  /** Words of a view change that happened; absent of a write. */
  text?: string;
  changes?: ReceiptChange[];
  /** Positions of the proposals that were done; of a write told row by row. */
  done?: number[];
  undoable: boolean;
}

/** The receipt of one call. It claims no more than its result does. */
export function receiptOf(occurrence: Occurrence): Receipt {
  const { key, definition, result, undoable } = occurrence;
  const status = statusOf(result);
  return {
    id: result.idempotencyKey,
    capability: key,
    kind: definition?.kind ?? null,
    status,
    text: textOf(occurrence, status),
    changes: changesOf(occurrence, status),
    revision: result.revision,
    undoable,
    ...(result.error === undefined ? {} : { error: result.error }),
  };
}

/** The status a result proves. */
function statusOf(result: ExecuteResult): ReceiptStatus {
  if (result.error !== undefined) {
    if (result.error.code === "cancelled") return "cancelled";
    return result.error.code === "revision-mismatch" ? "stale" : "failed";
  }
  const answer = isObject(result.result) ? result.result : {};
  const decided = statusOfApproval(answer.approval);
  if (decided !== undefined) return decided;
  const outcomes = outcomesOf(result);
  const done = outcomes.filter((outcome) => outcome.ok).length;
  if (outcomes.length > 0 && done === 0) return "failed";
  if (done < outcomes.length || answer.approval === "partial") return "partial";
  if (answer.applied === false) return "failed";
  return answer.staged === true ? "staged" : "executed";
}

function statusOfApproval(approval: Json | undefined): ReceiptStatus | undefined {
  switch (approval) {
    case "pending":
      return "awaiting-approval";
    case "rejected":
      return "rejected";
    case "cancelled":
      return "cancelled";
    default:
      return undefined;
  }
}

interface ToldOutcome {
  ok: boolean;
  error: string | undefined;
}

function outcomesOf(result: ExecuteResult): ToldOutcome[] {
  const answer = isObject(result.result) ? result.result : {};
  if (!Array.isArray(answer.results)) return [];
  return answer.results.filter(isObject).map((outcome) => ({
    ok: outcome.ok === true,
    error: typeof outcome.error === "string" ? outcome.error : undefined,
  }));
}

function textOf({ definition, plan, result, text, key }: Occurrence, status: ReceiptStatus): string {
  const title = titleOf(plan) ?? definition?.summaryShort ?? key;
  const outcomes = outcomesOf(result);
  const firstError = result.error?.message ?? outcomes.find((outcome) => !outcome.ok)?.error;
  switch (status) {
    case "rejected": {
      const answer = isObject(result.result) ? result.result : {};
      const reason = typeof answer.approvalReason === "string" ? ` (${answer.approvalReason})` : "";
      return `Declined: ${title}${reason}`;
    }
    case "awaiting-approval":
      return `Waiting for approval: ${title}`;
    case "cancelled":
      return `Cancelled: ${title}`;
    case "stale":
      return `Not done, the table has changed: ${title}`;
    case "failed":
      return `Failed: ${title}${firstError === undefined ? "" : ` (${firstError})`}`;
    default: {
      if (plan?.type === "operation") return plan.done;
      if (plan?.type !== "rows") return text ?? title;
      const done = outcomes.filter((outcome) => outcome.ok).length;
      const [only] = plan.words;
      if (plan.words.length === 1 && only?.before !== undefined && only.after !== undefined) {
        return `${status === "staged" ? "Staged: " : ""}${only.label}: ${only.before} → ${only.after}`;
      }
      const partial = done < plan.proposals.length ? ` of ${plan.proposals.length}` : "";
      const failed = status === "partial" && firstError !== undefined ? ` (${firstError})` : "";
      return `${plan.done(done)}${partial}${failed}`;
    }
  }
}

function titleOf(plan: Plan | undefined): string | undefined {
  return plan?.type === "rows" || plan?.type === "operation" ? plan.title : undefined;
}

function changesOf({ plan, changes, done }: Occurrence, status: ReceiptStatus): ReceiptChange[] {
  if (plan?.type !== "rows") return changes ?? [];
  return status === "partial" ? plan.words.filter((_words, at) => done?.includes(at)) : plan.words;
}
