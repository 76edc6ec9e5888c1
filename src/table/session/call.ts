import type { Json, JsonObject } from "../../turn/json.ts";
import { raced } from "../client/raced.ts";
import type { ExecuteOrder } from "../client/session-port.ts";
import type { Approvals, Verdict } from "./approvals.ts";
import { asJson } from "./as-json.ts";
import { catalogueOf, isWired } from "./capabilities/catalogue.ts";
import type { CapabilityDefinition, OperationPlan, Outcome, Plan, RowsPlan, ViewPlan } from "./capability.ts";
import { checkArguments } from "./check-arguments.ts";
import type { LiveTable } from "./live-table.ts";
import type { Occurrence } from "./receipts.ts";
import { Refusal } from "./refusal.ts";
import { narrowingOf, type Revisions } from "./revision.ts";
import { mismatch } from "./rows.ts";
import type { WriteResult } from "./session-types.ts";
import type { Turns } from "./turns.ts";
import type { UndoStack } from "./undo-stack.ts";
import { viewWords } from "./view-changes.ts";

/** What a call is made in. */
export interface CallSurroundings {
  live(): LiveTable;
  revisions: Revisions;
  undo: UndoStack;
  /** What changes anything runs through these, one at a time. */
  turns: Turns;
}

/** One call on its way. */
export class Call {
  private readonly order: ExecuteOrder;
  private readonly given: JsonObject;
  private readonly around: CallSurroundings;
  private readonly approvals: Approvals;
  private admitted: number;
  private definition: CapabilityDefinition | undefined;
  private plan: Plan | undefined;

  constructor(order: ExecuteOrder, args: JsonObject, around: CallSurroundings, approvals: Approvals) {
    this.order = order;
    this.given = args;
    this.around = around;
    this.approvals = approvals;
    this.admitted = 0;
  }

  async run(): Promise<Occurrence> {
    const table = this.around.live();
    this.admitted = this.around.revisions.of(table);
    const definition = this.admit(table);
    const args = this.readArguments(definition, table);
    checkPolicy(definition, table);
    const plan = await this.untilGivenUp(async () =>
      definition.plan(args, {
        table,
        revision: this.admitted,
        signal: this.order.signal,
        undo: () => this.around.undo.takeBack(table.host),
      }),
    );
    this.plan = plan;
    this.recheck();
    if (plan.type === "rows" && plan.staged && table.host.stageCells === undefined) {
      // Nobody is asked about what cannot be done: every outcome says why.
      const all = plan.proposals.map((_proposal, at) => at);
      const outcomes = await plan.run(all, this.order.signal);
      return this.finishRows(plan, { approval: "not-required", approved: all }, outcomes, this.admitted);
    }
    const question = {
      id: this.order.idempotencyKey,
      definition,
      plan,
      args,
      recheck: () => this.recheck(),
      signal: this.order.signal,
    };
    return this.approvals.decide(table, question, (verdict) => this.goOn(plan, verdict));
  }

  private async goOn(plan: Plan, verdict: Verdict): Promise<Occurrence> {
    if (plan.type === "answer") {
      this.recheck();
      return this.occurrence(
        { ok: true, result: goesOn(verdict) ? plan.result : unanswered(verdict) },
        plan.text,
      );
    }
    if (!goesOn(verdict)) return this.notRun(plan, verdict);
    return this.around.turns.next(async () => this.apply(plan, verdict, this.recheck()));
  }

  /** What planning comes to. It changes nothing, so a host that does not answer holds up nobody who gave the call up. */
  private async untilGivenUp(planning: () => Promise<Plan>): Promise<Plan> {
    const { signal } = this.order;
    try {
      return await raced(planning(), signal);
    } catch (error) {
      if (signal.aborted) throw new Refusal("cancelled", "cancelled before it ran");
      throw error;
    }
  }

  private admit(table: LiveTable): CapabilityDefinition {
    const { key, expectedRevision } = this.order;
    const definition = catalogueOf(table).get(key);
    if (definition === undefined) throw new Refusal("unknown-capability", `there is no capability "${key}"`);
    this.definition = definition;
    if (!isWired(definition, table)) throw new Refusal("not-wired", `"${key}" is not offered by this table`);
    if (expectedRevision !== this.admitted) {
      throw new Refusal("revision-mismatch", mismatch(expectedRevision, this.admitted));
    }
    return definition;
  }

  private readArguments(definition: CapabilityDefinition, table: LiveTable): JsonObject {
    const args = definition.lenient?.(this.given) ?? this.given;
    const wrong = checkArguments(definition.input(table, false), args);
    if (wrong !== null) throw new Refusal("invalid-arguments", wrong);
    return args;
  }

  /** The table as it is now. Throws when the call was given up, or the table is no longer what it was planned for. */
  private recheck(): LiveTable {
    if (this.order.signal.aborted) throw new Refusal("cancelled", "cancelled before it ran");
    const table = this.around.live();
    const now = this.around.revisions.of(table);
    if (now !== this.admitted)
      throw new Refusal("revision-mismatch", mismatch(this.order.expectedRevision, now));
    return table;
  }

  private apply(
    plan: Exclude<Plan, { type: "answer" }>,
    verdict: Verdict,
    before: LiveTable,
  ): Promise<Occurrence> {
    switch (plan.type) {
      case "view":
        return this.applyView(plan, verdict, before);
      case "operation":
        return this.applyOperation(plan, verdict, before);
      case "rows":
        return this.applyRows(plan, verdict, before);
    }
  }

  private async applyView(plan: ViewPlan, verdict: Verdict, before: LiveTable): Promise<Occurrence> {
    const { around, order } = this;
    await plan.apply();
    const after = around.live();
    const revision = around.revisions.of(after);
    if (plan.undoes !== true) {
      around.undo.push(order.idempotencyKey, { before: before.view, after: after.view }, after.host);
    }
    const result = { ok: true, revision, ...plan.result(after), ...approvalTold(verdict) };
    return {
      ...this.occurrence({ ok: true, result }, plan.text(after), revision),
      changes: viewWords(before, after),
      undoable: around.undo.has(order.idempotencyKey),
    };
  }

  private async applyOperation(
    plan: OperationPlan,
    verdict: Verdict,
    before: LiveTable,
  ): Promise<Occurrence> {
    await plan.run(this.order.signal);
    const result = { ran: true, approval: verdict.approval, ...reasonOf(verdict), ...plan.result };
    return this.occurrence({ ok: true, result }, plan.done, this.revisionAfter(before));
  }

  private async applyRows(plan: RowsPlan, verdict: Verdict, before: LiveTable): Promise<Occurrence> {
    const outcomes = await plan.run(verdict.approved, this.order.signal);
    return this.finishRows(plan, verdict, outcomes, this.revisionAfter(before));
  }

  private finishRows(
    plan: RowsPlan,
    verdict: Verdict,
    outcomes: Outcome[] | undefined,
    revision: number,
  ): Occurrence {
    const applied = outcomes?.every((outcome) => outcome.ok) ?? false;
    const result: WriteResult = {
      proposals: plan.proposals,
      applied,
      approval: verdict.approval,
      ...reasonOf(verdict),
      ...(plan.staged && applied ? { staged: true } : {}),
      ...(outcomes === undefined ? {} : { results: outcomes }),
    };
    const done = verdict.approved.filter((_at, index) => outcomes?.[index]?.ok);
    return { ...this.occurrence({ ok: true, result: asJson(result) }, undefined, revision), done };
  }

  private notRun(plan: Exclude<Plan, { type: "answer" }>, verdict: Verdict): Occurrence {
    if (plan.type === "rows") return this.finishRows(plan, verdict, undefined, this.admitted);
    if (plan.type === "operation")
      return this.occurrence({ ok: true, result: { ran: false, ...told(verdict) } });
    return this.occurrence({ ok: true, result: { ok: false, revision: this.admitted, ...told(verdict) } });
  }

  /**
   * The revision a write of ours left. When someone sorted or filtered meanwhile it is the admitted one, so that what
   * was planned before they did is refused.
   */
  private revisionAfter(before: LiveTable): number {
    const after = this.around.live();
    const revision = this.around.revisions.of(after);
    return narrowingOf(before) === narrowingOf(after) ? revision : this.admitted;
  }

  occurrence(
    outcome: { ok: boolean; result?: Json; error?: { code: string; message: string } },
    text?: string,
    revision = this.admitted,
  ): Occurrence {
    const { key, idempotencyKey } = this.order;
    return {
      key,
      definition: this.definition,
      plan: this.plan,
      result: { ...outcome, revision, idempotencyKey },
      undoable: false,
      ...(text === undefined ? {} : { text }),
    };
  }
}

function checkPolicy(definition: CapabilityDefinition, table: LiveTable): void {
  if (definition.kind !== "write" && definition.kind !== "destructive") return;
  const { write, commit } = table.policy;
  if (write === "deny") throw new Refusal("write-denied", "this table does not let an agent write");
  const { stages = false, key } = definition;
  if (commit === "stage" && !stages) {
    throw new Refusal(
      "commit-incompatible",
      `"${key}" saves at once, and this table stages what an agent writes`,
    );
  }
  if (commit === "immediate" && key === "edit.cells" && table.host.applyCells === undefined) {
    throw new Refusal("commit-incompatible", "this table can stage edits and not save them at once");
  }
}

function goesOn({ approval }: Verdict): boolean {
  return approval === "approved" || approval === "partial" || approval === "not-required";
}

function told(verdict: Verdict): JsonObject {
  return { approval: verdict.approval, ...reasonOf(verdict) };
}

function unanswered(verdict: Verdict): JsonObject {
  return { applied: false, ...told(verdict) };
}

function approvalTold(verdict: Verdict): JsonObject {
  return verdict.approval === "not-required" ? {} : told(verdict);
}

function reasonOf({ reason }: Verdict): { approvalReason?: string } {
  return reason === undefined ? {} : { approvalReason: reason };
}
