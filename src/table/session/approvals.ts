import type { JsonObject } from "../../turn/json.ts";
import type { CapabilityDefinition, Plan } from "./capability.ts";
import type { LiveTable } from "./live-table.ts";
import { messageOf, Refusal } from "./refusal.ts";
import { permissionsOf } from "./revision.ts";
import type {
  Approval,
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
  ApprovalSubject,
} from "./session-types.ts";
import { Turns } from "./turns.ts";

export interface Verdict {
  approval: Approval;
  /** Positions of the proposals that are approved. */
  approved: number[];
  reason?: string;
}

export interface ApprovalQuestion {
  id: string;
  definition: CapabilityDefinition;
  plan: Plan;
  args: JsonObject;
  /** Throws when the call may not go on: asked again once it is this question's turn. */
  recheck(): LiveTable;
  signal: AbortSignal;
}

/** Asks the reader, one question at a time. */
export class Approvals {
  private readonly tell: (request: ApprovalRequest | null) => void;
  private readonly turns = new Turns();
  private handler: ApprovalHandler | null;
  private always = new Set<string>();
  private permissions = "";

  constructor(handler: ApprovalHandler | null, tell: (request: ApprovalRequest | null) => void) {
    this.handler = handler;
    this.tell = tell;
  }

  setHandler(handler: ApprovalHandler | null): void {
    this.handler = handler;
  }

  /**
   * Goes on with what the reader, or the policy in their place, says of a plan. Whoever was asked about is done before
   * the next question is asked, which is then about the table as it has become. Throws `approval-invalid`,
   * `approval-not-decomposable`, `cancelled`, and what `recheck` and `goOn` throw.
   */
  async decide<T>(
    table: LiveTable,
    question: ApprovalQuestion,
    goOn: (verdict: Verdict) => Promise<T>,
  ): Promise<T> {
    const all = positionsOf(question.plan);
    const { definition } = question;
    if (!needsApproval(definition, table)) return goOn({ approval: "not-required", approved: all });
    if (this.alwaysAllows(definition.key, table)) return goOn({ approval: "approved", approved: all });
    if (this.handler === null) return goOn({ approval: "pending", approved: [] });
    return this.turns.next(async () => goOn(await this.ask(question, all)));
  }

  private async ask(question: ApprovalQuestion, all: number[]): Promise<Verdict> {
    const table = question.recheck();
    const { handler } = this;
    if (handler === null) return { approval: "pending", approved: [] };
    if (this.alwaysAllows(question.definition.key, table)) return { approval: "approved", approved: all };
    const request = requestOf(question, table);
    this.tell(request);
    try {
      const decision = await untilAborted(handler, request, question.signal);
      const verdict = verdictOf(decision, question.plan, all);
      const forever = typeof decision === "object" && decision !== null && decision.always === true;
      if (forever && request.alwaysAllowed && verdict.approval === "approved") {
        this.always.add(question.definition.key);
      }
      return verdict;
    } finally {
      this.tell(null);
    }
  }

  /** Whether the reader said `always`, and nothing of what is permitted has changed since. */
  private alwaysAllows(key: string, table: LiveTable): boolean {
    const permissions = permissionsOf(table);
    if (permissions !== this.permissions) {
      this.permissions = permissions;
      this.always.clear();
    }
    return this.always.has(key);
  }
}

function needsApproval(definition: CapabilityDefinition, table: LiveTable): boolean {
  const own = table.options.capabilityApproval;
  if (own !== undefined && Object.hasOwn(own, definition.key)) return own[definition.key] === "required";
  switch (table.policy.approval) {
    case "never":
      return false;
    case "destructive":
      return definition.kind === "destructive";
    case "writes":
      return definition.kind === "write" || definition.kind === "destructive";
  }
}

function positionsOf(plan: Plan): number[] {
  return plan.type === "rows" ? plan.proposals.map((_proposal, at) => at) : [];
}

function requestOf({ id, definition, plan, args }: ApprovalQuestion, table: LiveTable): ApprovalRequest {
  const drawn = table.options.presentation?.[definition.key];
  const title =
    plan.type === "rows" || plan.type === "operation" ? plan.title : definition.summary.replace(/\.$/, "");
  const subject: ApprovalSubject =
    plan.type === "rows"
      ? { type: "rows", proposals: plan.proposals, perItem: true, presentation: drawn ?? "table" }
      : {
          type: "operation",
          capability: definition.key,
          title,
          arguments: plan.type === "operation" ? plan.arguments : args,
          presentation: drawn ?? "modal",
        };
  return {
    id,
    capability: definition.key,
    kind: definition.kind,
    title,
    subject: structuredClone(subject),
    alwaysAllowed:
      table.options.alwaysAllow === true && definition.kind !== "destructive" && plan.type !== "rows",
  };
}

/** The handler's answer, or `cancelled` as soon as the signal aborts: nobody waits for a reader who was let go. */
async function untilAborted(
  handler: ApprovalHandler,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const cancelled = new Refusal("cancelled", "cancelled while waiting for approval");
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([aborted, (async () => handler(request, signal))()]);
  } catch (error) {
    if (signal.aborted) throw cancelled;
    throw new Refusal("approval-invalid", `the approval could not be asked: ${messageOf(error)}`);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function verdictOf(decision: ApprovalDecision, plan: Plan, all: number[]): Verdict {
  if (decision === null) return { approval: "cancelled", approved: [] };
  const { approved, reason } =
    typeof decision === "object" ? decision : { approved: decision, reason: undefined };
  const said = typeof reason === "string" && reason !== "" ? { reason } : {};
  if (approved === true) return { approval: "approved", approved: all, ...said };
  if (approved === false) return { approval: "rejected", approved: [], ...said };
  if (!Array.isArray(approved)) {
    throw new Refusal("approval-invalid", "an approval is true, false, or { approved: [positions] }");
  }
  if (approved.length === 0) return { approval: "rejected", approved: [], ...said };
  if (plan.type !== "rows") {
    throw new Refusal("approval-not-decomposable", "this is approved whole or not at all");
  }
  const positions = [...new Set(approved)].sort((a, b) => a - b);
  if (positions.length !== approved.length || positions.some((at) => !all.includes(at))) {
    throw new Refusal(
      "approval-invalid",
      `positions are whole numbers from 0 to ${all.length - 1}, each once`,
    );
  }
  return { approval: positions.length === all.length ? "approved" : "partial", approved: positions, ...said };
}
