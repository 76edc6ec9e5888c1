import type { Json, JsonObject, TurnEvent } from "../../turn/index.ts";

/** What started a run. */
export type Trigger = "manual" | "schedule" | "webhook" | "workflow" | "agent";

/** `waiting`: in the line of a workflow that goes one run at a time. `interrupted`: cancelled. */
export type RunStatus = "waiting" | "running" | "done" | "failed" | "interrupted";

/** Why a run, or a step, failed. `message` is fit for the owner. */
export interface RunFailure {
  code: string;
  message: string;
  /** The step whose failure ended the run. */
  step?: string;
}

/** How a run is called outside. `worldRunId` is the engine's name of it, the same as `runId`. */
export interface RunHandle {
  workflowName: string;
  runId: string;
  worldRunId: string;
  trigger: Trigger;
}

/** A run as lists show it. Times are ISO 8601. */
export interface RunSummary {
  runId: string;
  workflowName: string;
  trigger: Trigger;
  status: RunStatus;
  conversation: string | null;
  /** The run that started this one. */
  parentRunId: string | null;
  /** The run this one is the retry of. */
  retryOf: string | null;
  startedAt: string;
  endedAt: string | null;
  failure: RunFailure | null;
}

/** One call of a step, however many attempts it took. */
export interface StepRecord {
  /** Stable over attempts and restarts: `charge`, `charge-2` for the second call, and so on. */
  id: string;
  name: string;
  /** `interrupted`: it was under way, or to be tried again, when its run ended. */
  status: "running" | "retrying" | "done" | "failed" | "interrupted";
  /** Attempts begun so far. */
  attempts: number;
  startedAt: string;
  endedAt: string | null;
  /** Milliseconds from the first attempt's begin to the end, waits between attempts included. */
  durationMs: number | null;
  /** When the next attempt begins. */
  retryAt: string | null;
  /** `null` too for an output of more than 64 KiB of JSON, and for those after the first 4 MiB of a run's. */
  output: Json | null;
  failure: RunFailure | null;
}

/** Something a run waits for, or waited. */
export interface WaitRecord {
  id: string;
  kind: "sleep" | "hook" | "approval" | "workflow";
  /** `settled` too when its run ended. */
  status: "open" | "settled";
  openedAt: string;
  /** `null`: no deadline. */
  until: string | null;
  settledAt: string | null;
  token: string | null;
}

/** A run with everything that happened in it. */
export interface RunDetail extends RunSummary {
  input: Json;
  /** `null` until it is done. */
  output: Json | null;
  steps: StepRecord[];
  waits: WaitRecord[];
  /** Place in the line of a serial workflow: 1 is next. `null`: not in it. */
  position: number | null;
}

/** What happens in a run, in order: `run` first, `end` last and exactly once. `at`: when, ISO 8601, as the run's object had it. */
export type RunEvent = RunHappening & { at: string };

/** What a run's event tells of. */
export type RunHappening =
  | ({ type: "run" } & RunHandle)
  | { type: "step-start"; step: string; name: string; attempt: number }
  | { type: "step-end"; step: string; name: string; attempt: number }
  /** `retryAt`: when it is tried again; `null`: it is not. */
  | {
      type: "step-failed";
      step: string;
      name: string;
      attempt: number;
      failure: RunFailure;
      retryAt: string | null;
    }
  /** What a step said of its progress. */
  | { type: "progress"; step: string; data: Json }
  /** A turn of an agent that a step delegates to, as it happens. */
  | { type: "agent"; step: string; agent: string; event: TurnEvent }
  | {
      type: "wait-start";
      wait: string;
      kind: WaitRecord["kind"];
      until: string | null;
      token: string | null;
      title: string | null;
    }
  | { type: "wait-end"; wait: string; kind: WaitRecord["kind"]; timedOut: boolean }
  | { type: "end"; status: "done"; output: Json }
  | { type: "end"; status: "failed"; failure: RunFailure }
  | { type: "end"; status: "interrupted" };

/** A place in an input that is not what the schema asks for; `path` is dotted, "" for the whole. */
export interface InputIssue {
  path: string;
  message: string;
}

export interface StartRequest {
  workflow: string;
  input: Json;
  trigger: Trigger;
  /** The same key starts one run, whoever asks again and when. */
  idempotencyKey?: string;
  /** Groups runs for viewing only. */
  conversation?: string;
}

export type StartOutcome =
  /** `status` "waiting": in line at `position`. `repeated`: the key had started it before. */
  | {
      kind: "started";
      run: RunHandle;
      status: RunStatus;
      position: number | null;
      repeated: boolean;
    }
  | { kind: "unknown_workflow"; message: string }
  | { kind: "invalid"; issues: InputIssue[] }
  /** The key had started a run with another input. */
  | { kind: "key_reused"; runId: string; message: string };

export type CancelOutcome =
  | { kind: "cancelled"; runId: string }
  /** It had ended before, so. */
  | { kind: "ended"; runId: string; status: RunStatus }
  | { kind: "unknown" };

export type RetryOutcome =
  | StartOutcome
  /** It has not ended. */
  | { kind: "running"; message: string }
  | { kind: "unknown" };

/** What a person decided about what a workflow asked. */
export interface HookDecision {
  status: "approved" | "rejected";
  /** What the person changed the payload to. */
  payload?: Json;
  comment?: string;
}

export type ResumeOutcome =
  /** `repeated`: the same had been said before; nothing changed, and the run has been woken again. */
  | {
      kind: "resumed";
      repeated: boolean;
      runId: string;
      workflowName: string;
      token: string;
      status: HookStatus;
    }
  /** Something else was said before, and holds. */
  | {
      kind: "decided";
      runId: string;
      workflowName: string;
      token: string;
      status: HookStatus;
      decision: Json;
      decidedAt: string;
      message: string;
    }
  /** Its deadline had passed; the fallback holds. */
  | {
      kind: "expired";
      runId: string;
      workflowName: string;
      token: string;
      expiredAt: string;
      message: string;
    }
  /** Its run ended without it, or does not listen any more. */
  | { kind: "closed"; runId: string; workflowName: string; token: string; message: string }
  /** The payload is not what the hook takes. */
  | { kind: "invalid"; issues: InputIssue[]; message: string }
  | { kind: "unknown" };

export type HookStatus = "pending" | "approved" | "rejected" | "timed_out" | "cancelled" | "received";

export interface WorkflowDescription {
  name: string;
  /** How runs of it can start by themselves. */
  trigger: "manual" | "schedule";
  hasSchema: boolean;
  /** One run at a time, in the order they were asked for. */
  serial: boolean;
  schedules: { cron: string; input: Json }[];
}

/** JSON Schema of each half, `null` where the workflow declares none. */
export interface WorkflowSchema {
  input: JsonObject | null;
  output: JsonObject | null;
}

export interface ScheduleRecord {
  name: string;
  workflowName: string;
  cron: string;
  input: Json;
  /** Declared by the workflow's file, and so not to be changed here. */
  declared: boolean;
  nextAt: string | null;
}

export type ScheduleOutcome =
  | { kind: "scheduled"; schedule: ScheduleRecord }
  | { kind: "unknown_workflow"; message: string }
  | { kind: "invalid"; issues: InputIssue[] };

/** A page of a list: after the place named, newest first. */
export interface Page {
  limit: number;
  before: { at: string; id: string } | null;
}

export interface RunFilter {
  /** Runs of workflows, turns of agents, or both. */
  kind: "workflow" | "agent" | null;
  workflow: string | null;
  agent: string | null;
  status: string | null;
  conversation: string | null;
}

/** What a workflow shows a person. */
export interface WorkflowQuestion {
  topic: string;
  title: string;
  payload: Json;
  /** What holds when nobody decides in time. */
  fallback: "approve" | "reject";
}

/** A question in the inbox that a workflow asks. */
export interface WorkflowApproval {
  kind: "workflow";
  id: string;
  runId: string;
  workflowName: string;
  token: string;
  topic: string;
  title: string;
  payload: Json;
  status: "pending" | "approved" | "rejected" | "timed_out" | "cancelled";
  /** What holds when nobody decides in time. */
  fallback: "approve" | "reject";
  decision: HookDecision | null;
  /** `timeout`: nobody did. */
  decidedBy: "inbox" | "hook" | "timeout" | null;
  createdAt: string;
  expiresAt: string | null;
  decidedAt: string | null;
}
