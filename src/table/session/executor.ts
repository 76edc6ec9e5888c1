import type { JsonObject } from "../../turn/json.ts";
import type { ExecuteOrder, ExecuteResult } from "../client/session-port.ts";
import { Approvals } from "./approvals.ts";
import { asJson, stableText } from "./as-json.ts";
import { Call, type CallSurroundings } from "./call.ts";
import { type Occurrence, receiptOf } from "./receipts.ts";
import { redactResult } from "./redact.ts";
import { messageOf, Refusal } from "./refusal.ts";
import { Replays } from "./replays.ts";
import type { ApprovalHandler, Receipt, TableSessionEvent } from "./session-types.ts";

export interface ExecutorSurroundings extends CallSurroundings {
  tell(event: TableSessionEvent): void;
  replayLimit: number;
  approve: ApprovalHandler | null;
}

/** Results that leave their key free: the call did nothing and may come again. */
const unrecorded = new Set(["cancelled", "revision-mismatch"]);

/** Runs calls against a table, each in the order: replay, offered, revision, arguments, policy, plan, approval, run. */
export class Executor {
  readonly approvals: Approvals;
  private readonly around: ExecutorSurroundings;
  private readonly replays: Replays;
  private readonly kept = new Map<string, Receipt>();

  constructor(around: ExecutorSurroundings) {
    this.around = around;
    this.replays = new Replays(around.replayLimit);
    this.approvals = new Approvals(around.approve, (request) => around.tell({ type: "approval", request }));
  }

  receipts(): Receipt[] {
    return [...this.kept.values()].map((receipt) => this.current(receipt));
  }

  receipt(id: string): Receipt | undefined {
    const receipt = this.kept.get(id);
    return receipt === undefined ? undefined : this.current(receipt);
  }

  private current(receipt: Receipt): Receipt {
    return { ...receipt, undoable: this.around.undo.has(receipt.id) };
  }

  async execute(order: ExecuteOrder): Promise<ExecuteResult> {
    const { key, idempotencyKey, signal } = order;
    if (signal.aborted) return this.refuse(order, "cancelled", "cancelled before it ran");
    const args = asJson(order.args);
    const fingerprint = stableText([key, args]);
    const replayed = this.replay(order, fingerprint);
    if (replayed !== undefined) return replayed;

    this.around.tell({ type: "start", order: { key, args, idempotencyKey } });
    const running = this.run(order, args);
    this.replays.start(
      idempotencyKey,
      fingerprint,
      running.then((occurrence) => occurrence.result),
    );
    const occurrence = await running;
    const { result } = occurrence;
    const record = leavesKeyFree(result)
      ? undefined
      : { fingerprint, key, mutates: occurrence.definition?.mutates ?? false, result };
    for (const evicted of this.replays.settle(idempotencyKey, record)) this.kept.delete(evicted);
    this.note(receiptOf(occurrence));
    return structuredClone(result);
  }

  private replay({ idempotencyKey, ...order }: ExecuteOrder, fingerprint: string) {
    const told = { ...order, idempotencyKey };
    const mismatched = () =>
      this.refuse(told, "idempotency-mismatch", "this idempotency key was used for another call");
    const record = this.replays.recorded(idempotencyKey);
    if (record !== undefined) {
      if (record.fingerprint !== fingerprint) return mismatched();
      const { result } = record.result;
      return structuredClone(
        result === undefined
          ? record.result
          : { ...record.result, result: redactResult(result, this.around.live()) },
      );
    }
    const running = this.replays.inFlight(idempotencyKey);
    if (running !== undefined) {
      return running.fingerprint === fingerprint
        ? running.result.then((result) => structuredClone(result))
        : mismatched();
    }
    if (!this.replays.isForgotten(idempotencyKey)) return undefined;
    return this.refuse(told, "replay-expired", "this call ran before and what it answered is no longer kept");
  }

  private refuse(order: Pick<ExecuteOrder, "idempotencyKey">, code: string, message: string): ExecuteResult {
    const revision = this.around.revisions.of(this.around.live());
    return { ok: false, revision, idempotencyKey: order.idempotencyKey, error: { code, message } };
  }

  private note(receipt: Receipt): void {
    this.kept.delete(receipt.id);
    this.kept.set(receipt.id, receipt);
    for (const id of this.kept.keys()) {
      if (this.kept.size <= this.around.replayLimit) break;
      this.kept.delete(id);
    }
    this.around.tell({ type: "receipt", receipt });
  }

  /** Whatever goes wrong is a result. */
  private async run(order: ExecuteOrder, args: JsonObject): Promise<Occurrence> {
    const call = new Call(order, args, this.around, this.approvals);
    try {
      const occurrence = await call.run();
      return { ...occurrence, result: told(occurrence.result) };
    } catch (error) {
      const [code, message] =
        error instanceof Refusal ? [error.code, error.message] : ["apply-failed", messageOf(error)];
      return call.occurrence({ ok: false, error: { code, message } });
    }
  }
}

/**
 * A result as it can be told. A host may hand out what JSON cannot hold, and a write that was done stays done whatever it
 * is told with: big integers become texts, and an answer that cannot be written down is left out.
 */
function told(result: ExecuteResult): ExecuteResult {
  try {
    return JSON.parse(
      JSON.stringify(result, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    );
  } catch {
    // A cycle, or a value with a broken `toJSON` of its own.
    const { ok, revision, idempotencyKey } = result;
    return { ok, revision, idempotencyKey };
  }
}

function leavesKeyFree(result: ExecuteResult): boolean {
  if (result.error !== undefined) return unrecorded.has(result.error.code);
  const answer = result.result;
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false;
  return answer.approval === "pending" || answer.approval === "cancelled";
}
