import type { StartRequest } from "../../../src/sandtable/rehearsal/start-request.ts";
import type { AgentLabel, Results } from "../../../src/sandtable/report/results.ts";
import type { LintFinding } from "../../../src/sandtable/verdict/lint.ts";
import { call, callJson, withQuery } from "./client.ts";

/** A line of the list. */
export interface RehearsalRow {
  runId: string;
  domain: string;
  agent: AgentLabel;
  status: Results["status"];
  planned: number;
  startedAt: string;
  endedAt: string | null;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** What a rehearsal is started with; what is left out takes the Worker's default. */
export type StartOrder = Partial<Omit<StartRequest, "agent" | "domain">> & {
  domain: StartRequest["domain"];
  agent:
    | { kind: "http"; url: string; headers?: Record<string, string> }
    | { kind: "agent" | "builtin"; name: string };
};

/** A domain that ships with the Worker. */
export interface BundledDomain {
  name: string;
  description: string;
  tasks: { id: string; tags: string[]; critical: boolean }[];
  rules: string[];
}

export interface DomainProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  suggestion?: string;
}

export interface DomainCheck {
  ok: boolean;
  problems: DomainProblem[];
  findings: LintFinding[];
}

export function listRehearsals(
  page: { limit: number; cursor?: string | undefined },
  signal?: AbortSignal,
): Promise<Page<RehearsalRow>> {
  return callJson(withQuery("/api/rehearsals", page), signal === undefined ? {} : { signal });
}

export function startRehearsal(order: StartOrder): Promise<{ runId: string; planned: number }> {
  return callJson("/api/rehearsals", { body: order });
}

/** results.json; of a rehearsal that runs, with what has finished so far. */
export function readRehearsal(runId: string, signal: AbortSignal): Promise<Results> {
  return callJson(`${pathOf(runId)}/results`, { signal });
}

export async function cancelRehearsal(runId: string): Promise<void> {
  await call(`${pathOf(runId)}/cancel`, { method: "POST" });
}

/** The self-contained page of a rehearsal. */
export async function readReport(runId: string): Promise<Blob> {
  return (await call(`${pathOf(runId)}/report`)).blob();
}

export function rehearsalEvents(runId: string): string {
  return `${pathOf(runId)}/events`;
}

export async function listDomains(signal: AbortSignal): Promise<BundledDomain[]> {
  return (await callJson<{ items: BundledDomain[] }>("/api/domains", { signal })).items;
}

export function checkDomain(files: Record<string, string>): Promise<DomainCheck> {
  return callJson("/api/domains/validate", { body: { files } });
}

function pathOf(runId: string): string {
  return `/api/rehearsals/${encodeURIComponent(runId)}`;
}
