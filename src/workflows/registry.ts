// Written by scripts/make-workflows.ts; run `npm run generate` after adding a workflow's file.
import type { WorkflowDefinition } from "./runtime/definition.ts";

const workflows: ReadonlyMap<string, WorkflowDefinition> = new Map();

/** Every workflow's name, in alphabetical order. */
export const workflowNames: readonly string[] = [...workflows.keys()];

/** The workflow of that name, `undefined` when there is none. */
export function findWorkflow(name: string): WorkflowDefinition | undefined {
  return workflows.get(name);
}
