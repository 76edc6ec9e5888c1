import type { OutboundPolicy } from "../../http/guard-url.ts";
import type { Task } from "../domain/types.ts";
import type { AgentLabel, RunOptions } from "../report/results.ts";
import type { AgentTarget, TrialDomain } from "../trial/plan.ts";
import type { GateSpec } from "../verdict/gates.ts";

/** A rehearsal as its object keeps it: everything but the rows of the world. */
export interface RehearsalSpec {
  runId: string;
  owner: string;
  /** Without the tasks that were not selected. */
  domain: TrialDomain;
  digest: string;
  tasks: Task[];
  /** Selected tasks that an agent doing nothing passes. */
  doNothing: string[];
  agent: AgentTarget;
  label: AgentLabel;
  options: RunOptions;
  gates: GateSpec[];
  /** Which addresses the agent may be at. */
  outbound: OutboundPolicy;
  startedAt: string;
}
