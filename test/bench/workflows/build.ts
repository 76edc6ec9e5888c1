import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadBundle, type WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { packageRoot } from "../../../src/cli/package-root.ts";

/** Of the package, what the Worker is built from. */
const sources = ["src", "objects", "examples", "scripts", "wrangler.toml", "package.json"];

const left = new Set(["node_modules", "__pycache__"]);

const workflowFile = `import { createHook } from "greenroom/workflow";

/** What the bare workflow does: a step, a wait, a step. */
export async function benchWorkflow({ id, url }: { id: string; url: string }) {
  "use workflow";
  await tell(url, id, "first");
  await createHook({ token: id });
  await tell(url, id, "resumed");
}

async function tell(url: string, id: string, what: string) {
  "use step";
  const response = await fetch(\`\${url}/\${id}/\${what}\`, { method: "POST" });
  await response.text();
  return { what };
}
`;

/** Greenroom as it is, with one workflow more: `bench`. Built from a copy of the sources. */
export async function loadWorkflowBuild(onBuild: () => void): Promise<WorkerBundle> {
  const root = path.join(packageRoot, ".greenroom", "bench-workflows");
  for (const source of sources) {
    const to = path.join(root, source);
    // Not the whole folder: it holds what was built before.
    await rm(to, { recursive: true, force: true });
    await cp(path.join(packageRoot, source), to, {
      recursive: true,
      filter: (file) => !left.has(path.basename(file)),
    });
  }
  // The console's files are no part of a run, but their folder has to be there.
  await mkdir(path.join(root, "web", "dist"), { recursive: true });
  await writeFile(path.join(root, "src", "workflows", "bench.workflow.ts"), workflowFile);
  return loadBundle(root, onBuild);
}

/** The engine without Greenroom. */
export async function loadBareBuild(): Promise<WorkerBundle> {
  const file = fileURLToPath(new URL("./bare-worker.js", import.meta.url));
  return {
    options: {
      compatibilityDate: "2026-11-02",
      workflows: { WORKFLOWS: { name: "bare", className: "Bare" } },
    },
    vars: {},
    modules: [{ type: "ESModule", path: "bare-worker.js", contents: await readFile(file, "utf8") }],
    migrations: [],
  };
}
