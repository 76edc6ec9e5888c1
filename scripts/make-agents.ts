import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Writes the module through which the Worker carries its agents: one import a folder of src/agents/ that has an
 * index.ts. With `--check` it writes nothing and fails when the module is not what the folders say.
 */
const folder = fileURLToPath(new URL("../src/agents", import.meta.url));
const target = join(folder, "registry.ts");

function registry(): string {
  const names = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "index.ts")))
    .sort();
  for (const name of names) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
      throw new Error(
        `src/agents/${name}: the folder's name is the agent's, in small letters, digits and "-"`,
      );
    }
  }
  const local = (name: string) => name.replaceAll("-", "_");
  return `// Written by scripts/make-agents.ts; run \`npm run generate\` after adding an agent's folder.
import type { DeepAgent } from "./authoring/deep-agent.ts";
import { named } from "./authoring/define-deep-agent.ts";
${names.map((name) => `import ${local(name)} from "./${name}/index.ts";`).join("\n")}

const agents: ReadonlyMap<string, DeepAgent> = new Map(
  [
${names.map((name) => `    named(${JSON.stringify(name)}, ${local(name)}),`).join("\n")}
  ].map((agent) => [agent.name, agent]),
);

/** Every agent's name, in alphabetical order. */
export const agentNames: readonly string[] = [...agents.keys()];

/** The agent of that name, \`undefined\` when there is none. */
export function findAgent(name: string): DeepAgent | undefined {
  return agents.get(name);
}
`;
}

const made = registry();
const current = existsSync(target) && readFileSync(target, "utf8") === made;
if (process.argv.includes("--check")) {
  if (!current) {
    console.error("src/agents/registry.ts is not what src/agents/ says. Run: npm run generate");
    process.exitCode = 1;
  }
} else if (!current) {
  // Only then: it lies in a folder that the development server watches.
  writeFileSync(target, made);
}
