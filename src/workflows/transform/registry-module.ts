import type { CompiledWorkflow } from "./compile-workflow.ts";

/** The module through which the Worker carries its workflows: one import a compiled file, by name. */
export function registryModule(workflows: readonly CompiledWorkflow[]): string {
  const sorted = [...workflows].sort((a, b) => (a.name < b.name ? -1 : 1));
  const local = (name: string) => name.replaceAll("-", "_");
  const entry = ({ name, functionName, options }: CompiledWorkflow) => {
    const module = local(name);
    const given = options.map((option) => `${option}: ${module}.${option}`).join(", ");
    return `    workflow(${JSON.stringify(name)}, ${module}.${functionName}, {${given === "" ? "" : ` ${given} `}}),`;
  };
  return `// Written by scripts/make-workflows.ts; run \`npm run generate\` after adding a workflow's file.
// biome-ignore-all format: generated
${sorted.map(({ name }) => `import * as ${local(name)} from "./compiled/${name}.ts";`).join("\n")}
import { type WorkflowDefinition, workflow } from "./runtime/definition.ts";

const workflows: ReadonlyMap<string, WorkflowDefinition> = new Map(
  [
${sorted.map(entry).join("\n")}
  ].map((one) => [one.name, one]),
);

/** Every workflow's name, in alphabetical order. */
export const workflowNames: readonly string[] = [...workflows.keys()];

/** The workflow of that name, \`undefined\` when there is none. */
export function findWorkflow(name: string): WorkflowDefinition | undefined {
  return workflows.get(name);
}
`;
}
