import type { Note } from "../src/store/workflow-notes.ts";
import type { Json } from "../src/turn/index.ts";
import { payloadIssues, readDecision } from "../src/workflows/runtime/hook-decision.ts";
import { jsonBytes, sameJson } from "../src/workflows/runtime/json-value.ts";
import { maxValueBytes } from "../src/workflows/runtime/read-input.ts";
import type { ApprovalValue } from "../src/workflows/runtime/run-protocol.ts";
import type { HookDecision, ResumeOutcome, WorkflowApproval } from "../src/workflows/runtime/types.ts";
import type { RunJournal } from "./workflow-run-journal.ts";
import type { StoredHook, StoredPayload, WorkflowRunStorage } from "./workflow-run-storage.ts";

/** How a payload came. `key`: the sender's name for this very payload, so that sending it again is the same. */
export interface Sender {
  key: string | null;
  by: "inbox" | "hook";
}

/**
 * The hooks of a run: who may still say something, what was said, and what holds. The first decision holds; one that
 * comes at the deadline or later does not, also when the alarm is late.
 */
export class RunHooks {
  private readonly storage: WorkflowRunStorage;
  private readonly journal: RunJournal;
  private readonly now: () => number;

  constructor(storage: WorkflowRunStorage, journal: RunJournal, now: () => number) {
    this.storage = storage;
    this.journal = journal;
    this.now = now;
  }

  /** Takes a payload for a hook, or says what holds instead. */
  resume(hook: StoredHook, body: Json, sender: Sender): ResumeOutcome {
    this.settleDue();
    const now = this.storage.hook(hook.id) ?? hook;
    const { runId, workflow } = this.storage.spec();
    const place = { runId, workflowName: workflow, token: now.token };
    // Its wait may not be open yet; the deadline holds all the same.
    const late = now.question !== null && now.status === "pending" && (now.due ?? Infinity) <= this.now();
    if (now.status === "timed_out" || late) {
      const expiredAt = new Date(now.due ?? 0).toISOString();
      const held = now.question?.fallback === "approve" ? "approved" : "rejected";
      return {
        kind: "expired",
        ...place,
        expiredAt,
        message: `The deadline was ${expiredAt}; nobody had decided, so it counts as ${held}.`,
      };
    }
    const read = this.read(now, body);
    if (!read.ok) return read.outcome;
    const before = this.saidBefore(now, sender);
    if (before !== null && sameJson(before.body, read.value)) {
      if (!this.storage.ended) this.storage.sendAgain(now.id, before.place);
      return { kind: "resumed", repeated: true, ...place, status: now.status };
    }
    if (before !== null) {
      return {
        kind: "decided",
        ...place,
        status: now.status,
        decision: now.question === null ? before.body : { ...decisionOf(before.body) },
        decidedAt: before.at,
        message: now.question !== null ? `It was decided before: ${now.status}.` : holds(now),
      };
    }
    if (!now.listening || this.storage.ended) {
      return { kind: "closed", ...place, message: "The run does not listen on this token any more." };
    }
    const taken = this.take(now, read.value, this.storage.payloadCount(now.id), sender);
    return { kind: "resumed", repeated: false, ...place, status: taken.status };
  }

  /** Settles what is due: sleeps end, and questions nobody answered get their fallback. */
  settleDue(): void {
    if (this.storage.ended) return;
    for (const wait of this.storage.dueWaits(this.now())) {
      if (wait.kind !== "approval") {
        this.journal.settleWait(wait, { kind: "done", order: 0, value: null });
        continue;
      }
      const hook = wait.hook === null ? null : this.storage.hook(wait.hook);
      if (hook === null) throw new Error(`the wait "${wait.id}" names no hook`);
      const at = new Date(this.now()).toISOString();
      const status = hook.question?.fallback === "approve" ? "approved" : "rejected";
      const value: ApprovalValue = { status, timedOut: true };
      this.storage.putHook({ ...hook, status: "timed_out", listening: false, decidedAt: at });
      this.journal.settleWait(wait, { kind: "done", order: 0, value: { ...value } });
      this.note(hook, "timed_out", null, "timeout", at);
    }
  }

  /** Stops listening on a hook, or on all when the run has ended; questions still open are withdrawn. */
  close(hookId: string | null): void {
    const at = new Date(this.now()).toISOString();
    for (const hook of this.storage.hooks()) {
      if (!hook.listening || (hookId !== null && hook.id !== hookId)) continue;
      const open = hook.question !== null && hook.status === "pending";
      this.storage.putHook({ ...hook, listening: false, status: open ? "cancelled" : hook.status });
      if (open) this.note(hook, "cancelled", null, null, at);
    }
  }

  /** A question that came to the inbox although its run had ended. */
  withdraw(hook: StoredHook): void {
    this.note(hook, "cancelled", null, null, new Date(this.now()).toISOString());
  }

  private read(
    hook: StoredHook,
    body: Json,
  ): { ok: true; value: Json } | { ok: false; outcome: ResumeOutcome } {
    const invalid = (issues: { path: string; message: string }[], message: string) =>
      ({ ok: false, outcome: { kind: "invalid", issues, message } }) as const;
    if (jsonBytes(JSON.stringify(body)) > maxValueBytes) {
      const message = `The payload is larger than ${maxValueBytes} bytes.`;
      return invalid([{ path: "", message }], message);
    }
    if (hook.question === null) {
      const issues = payloadIssues(hook.schema, body);
      return issues.length > 0
        ? invalid(issues, "The payload is not what the hook takes.")
        : { ok: true, value: body };
    }
    const read = readDecision(body);
    if (!read.ok) return invalid(read.issues, "The body is no decision.");
    const { status, payload, comment } = read.decision;
    if (payload !== undefined) {
      const issues = payloadIssues(hook.schema, payload);
      if (issues.length > 0) return invalid(issues, "The changed payload is not what the workflow takes.");
    }
    const value: ApprovalValue = {
      status,
      ...(payload === undefined ? {} : { payload }),
      ...(comment === undefined ? {} : { comment }),
      timedOut: false,
    };
    return { ok: true, value: { ...value } };
  }

  private take(hook: StoredHook, value: Json, place: number, { key, by }: Sender): StoredHook {
    const at = new Date(this.now()).toISOString();
    this.storage.addPayload(hook.id, place, value, key, at);
    const decision = hook.question === null ? null : decisionOf(value);
    const taken: StoredHook = {
      ...hook,
      status: decision?.status ?? "received",
      listening: hook.many,
      decidedAt: at,
    };
    this.storage.putHook(taken);
    const wait = this.storage.waitForPayload(hook.id, place);
    if (wait !== null) this.journal.settleWait(wait, { kind: "done", order: 0, value });
    if (decision !== null) this.note(hook, decision.status, decision, by, at);
    return taken;
  }

  /**
   * What was said that a further payload has to be the same as: the first of a hook that takes one, that of the same key
   * of one that takes several.
   */
  private saidBefore({ id, many }: StoredHook, { key }: Sender): StoredPayload | null {
    if (!many) return this.storage.payload(id, 0);
    return key === null ? null : this.storage.payloadOfKey(id, key);
  }

  private note(
    hook: StoredHook,
    status: Exclude<WorkflowApproval["status"], "pending">,
    decision: HookDecision | null,
    by: WorkflowApproval["decidedBy"],
    at: string,
  ): void {
    if (hook.approvalId === null) return;
    const note: Note = { kind: "answered", id: hook.approvalId, status, decision, by, at };
    this.storage.addTo("notes", note);
  }
}

function holds({ many }: StoredHook): string {
  return many
    ? "The idempotency key has handed over another payload; use another key."
    : "Another payload came first, and holds.";
}

/** What a person decided, as an approval's payload holds it. */
function decisionOf(value: Json): HookDecision {
  const read = readDecision(value);
  if (!read.ok) throw new Error("the stored payload of an approval is no decision");
  return read.decision;
}
