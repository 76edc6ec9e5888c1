import type {
  Decision,
  Interrupt,
  Json,
  JsonObject,
  Message,
  TurnFailure,
  TurnUsage,
  Wire,
} from "../../../src/turn/index.ts";
import type {
  RunHandle,
  RunSummary,
  WorkflowApproval,
  WorkflowDescription,
  RunDetail as WorkflowDetail,
  WorkflowSchema,
} from "../../../src/workflows/runtime/types.ts";
import { callJson, withQuery } from "./client.ts";
import type { Page } from "./rehearsals.ts";

/** A turn of an agent, as its record tells it. */
export interface AgentTurn {
  kind: "agent";
  runId: string;
  agent: string;
  wire: Wire;
  session: string | null;
  conversation: string | null;
  status: "running" | "done" | "interrupted" | "failed" | "cancelled";
  model: string;
  startedAt: string;
  endedAt: string | null;
  usage: TurnUsage;
  failure: TurnFailure | null;
}

type WorkflowRunRow = RunSummary & { kind: "workflow" };
export type WorkflowRun = WorkflowDetail & { kind: "workflow" };
export type RunRow = AgentTurn | WorkflowRunRow;
export type Run = AgentTurn | WorkflowRun;

export type ApprovalStatus = "pending" | "approved" | "rejected" | "timed_out" | "cancelled";

/** A call of an agent that waits for a person, or waited. */
interface ToolApproval {
  kind: "tool";
  id: string;
  runId: string;
  status: ApprovalStatus;
  topic: string;
  title: string;
  payload: Json;
  agent: string;
  session: string;
  interrupt: Interrupt;
  decision: Decision | null;
  decidedBy: "wire" | "inbox" | null;
  createdAt: string;
  decidedAt: string | null;
}

export type Approval = ToolApproval | WorkflowApproval;
export type ApprovalDetail =
  | (ToolApproval & { history: Message[] })
  | (WorkflowApproval & { run: WorkflowDetail | null });

export interface RunFilter {
  kind?: string | undefined;
  status?: string | undefined;
  agent?: string | undefined;
  workflow?: string | undefined;
}

export function listRuns(
  filter: RunFilter & { limit: number; cursor?: string | undefined },
  signal: AbortSignal,
): Promise<Page<RunRow>> {
  return callJson(withQuery("/api/runs", { ...filter }), { signal });
}

export function readRun(runId: string, signal: AbortSignal): Promise<Run> {
  return callJson(runPath(runId), { signal });
}

export function runEvents(runId: string): string {
  return `${runPath(runId)}/events`;
}

export function cancelRun(runId: string): Promise<Run> {
  return callJson(`${runPath(runId)}/cancel`, { method: "POST" });
}

/** Runs a workflow again from the input a run had; the new run's id. */
export async function retryRun(runId: string): Promise<string> {
  const { run } = await callJson<{ run: { id: string } }>(`${runPath(runId)}/retry`, { method: "POST" });
  return run.id;
}

export function listApprovals(
  filter: { status?: ApprovalStatus; limit: number; cursor?: string | undefined },
  signal: AbortSignal,
): Promise<Page<Approval>> {
  return callJson(withQuery("/api/approvals", { ...filter }), { signal });
}

export function readApproval(id: string, signal: AbortSignal): Promise<ApprovalDetail> {
  return callJson(approvalPath(id), { signal });
}

/** Says yes, perhaps with other arguments or another payload. */
export async function approve(
  id: string,
  said: { editedArgs?: JsonObject; editedPayload?: Json; reason?: string },
): Promise<void> {
  await callJson(`${approvalPath(id)}/approve`, { body: said });
}

export async function reject(id: string, reason: string): Promise<void> {
  await callJson(`${approvalPath(id)}/reject`, { body: reason === "" ? {} : { reason } });
}

export async function listWorkflows(signal: AbortSignal): Promise<WorkflowDescription[]> {
  return (await callJson<{ items: WorkflowDescription[] }>("/api/workflows", { signal })).items;
}

export async function readWorkflowSchema(name: string, signal: AbortSignal): Promise<WorkflowSchema> {
  const path = `/api/workflows/${encodeURIComponent(name)}/schema`;
  return (await callJson<{ schema: WorkflowSchema }>(path, { signal })).schema;
}

/** Starts a run. The same key starts it once, however often it is sent. */
export function startWorkflow(name: string, input: Json, key: string): Promise<RunHandle> {
  return callJson(`/api/workflows/${encodeURIComponent(name)}/start`, {
    body: input,
    headers: { "idempotency-key": key },
  });
}

/** The messages of a durable session. */
export async function readSession(agent: string, session: string, signal: AbortSignal): Promise<Message[]> {
  const path = `/api/sessions/${encodeURIComponent(agent)}/${encodeURIComponent(session)}`;
  return (await callJson<{ messages: Message[] }>(path, { signal })).messages;
}

function runPath(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`;
}

function approvalPath(id: string): string {
  return `/api/approvals/${encodeURIComponent(id)}`;
}
