// Written by scripts/make-workflows.ts; run `npm run generate` after adding a workflow's file.
// biome-ignore-all format: generated
import * as ask_agent from "./compiled/ask-agent.ts";
import * as follow_up from "./compiled/follow-up.ts";
import * as playground from "./compiled/playground.ts";
import * as refund from "./compiled/refund.ts";
import * as weekly_digest from "./compiled/weekly-digest.ts";
import { type WorkflowDefinition, workflow } from "./runtime/definition.ts";

const workflows: ReadonlyMap<string, WorkflowDefinition> = new Map(
  [
    workflow("ask-agent", ask_agent.askAgentWorkflow, { inputSchema: ask_agent.inputSchema, outputSchema: ask_agent.outputSchema }),
    workflow("follow-up", follow_up.followUpWorkflow, { inputSchema: follow_up.inputSchema }),
    workflow("playground", playground.playgroundWorkflow, { inputSchema: playground.inputSchema }),
    workflow("refund", refund.refundWorkflow, { inputSchema: refund.inputSchema, outputSchema: refund.outputSchema }),
    workflow("weekly-digest", weekly_digest.weeklyDigestWorkflow, { inputSchema: weekly_digest.inputSchema, schedules: weekly_digest.schedules, executionMode: weekly_digest.executionMode }),
  ].map((one) => [one.name, one]),
);

/** Every workflow's name, in alphabetical order. */
export const workflowNames: readonly string[] = [...workflows.keys()];

/** The workflow of that name, `undefined` when there is none. */
export function findWorkflow(name: string): WorkflowDefinition | undefined {
  return workflows.get(name);
}
