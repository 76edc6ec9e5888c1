import type { OutboundPolicy } from "../../http/guard-url.ts";
import type { JsonObject } from "../../turn/json.ts";
import type { Domain, Task } from "../domain/types.ts";
import type { TableShape } from "../expr/context.ts";

/** The agent under test. `headers` go on every request and are never recorded. */
export type AgentTarget =
  | { kind: "http"; url: string; headers: Record<string, string> }
  /** An agent that this Worker serves, reached without HTTP. */
  | { kind: "agent"; name: string }
  | { kind: "builtin"; name: string };

/** What of a domain a trial needs, the same for every trial of a rehearsal. */
export type TrialDomain = Pick<Domain, "name" | "description" | "policy" | "clock" | "tools" | "rules"> & {
  tables: TableShape[];
};

/** All a trial object is told. The rehearsal hands the same plan again after a restart, so a trial need not keep it. */
export interface TrialPlan {
  runId: string;
  /** `<run-id>/<task-id>#<trial>`, as the step protocol names it. */
  sessionId: string;
  domain: TrialDomain;
  task: Task;
  /** From 0. */
  trial: number;
  seed: number;
  /** Tool-call rounds a turn. */
  maxSteps: number;
  /** Milliseconds one step may take; `null`: as long as the agent likes. */
  stepTimeoutMs: number | null;
  agent: AgentTarget;
  /** Which addresses the agent may be at. */
  outbound: OutboundPolicy;
  /** Who rehearses: sessions of a served agent belong to an owner. */
  owner: string;
}

/** A base row on its way into a trial's world. */
export type PlantedRow = [table: string, key: string, row: JsonObject];

/** Session id of a trial, unique for ever because run ids are. */
export function sessionId(runId: string, taskId: string, trial: number): string {
  return `${runId}/${taskId}#${trial}`;
}
