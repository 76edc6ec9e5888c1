import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadBundle, type WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { packageRoot } from "../../../src/cli/package-root.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** What a Worker needs to have the fixed model in it. */
const modelFiles = ["fixed-model.ts", "model-protocol.ts"];

/** Of the package, what the Worker is built from. */
const sources = ["src", "objects", "examples", "scripts", "wrangler.toml", "package.json"];

const left = new Set(["node_modules", "__pycache__"]);

const agentFile = `import { defineDeepAgent } from "../authoring/define-deep-agent.ts";
import { fixedModel } from "./fixed-model.ts";

export default defineDeepAgent({
  description: "Says what the bench expects.",
  systemPrompt: "You are the carrier desk of a freight broker. Answer in one or two short sentences.",
  model: fixedModel,
});
`;

/**
 * Greenroom as it is, with one agent more: `bench`, whose model is the fixed one. Built from a copy of the sources, as
 * somebody would who adds an agent's folder.
 */
export async function loadBenchBuild(onBuild: () => void): Promise<WorkerBundle> {
  const root = path.join(packageRoot, ".greenroom", "bench");
  for (const source of sources) {
    const to = path.join(root, source);
    // Not the whole folder: it holds what was built before.
    await rm(to, { recursive: true, force: true });
    await cp(path.join(packageRoot, source), to, {
      recursive: true,
      filter: (file) => !left.has(path.basename(file)),
    });
  }
  // The console's files are no part of a turn, but their folder has to be there.
  const assets = /^directory = "([^"]+)"/m.exec(
    await readFile(path.join(root, "wrangler.toml"), "utf8"),
  )?.[1];
  if (assets !== undefined) await mkdir(path.join(root, assets), { recursive: true });
  const agent = path.join(root, "src", "agents", "bench");
  await mkdir(agent, { recursive: true });
  await writeFile(path.join(agent, "index.ts"), agentFile);
  await copyModel(agent);
  return loadBundle(root, onBuild);
}

/** Puts the fixed model into a folder of a Worker's sources. */
export async function copyModel(folder: string): Promise<void> {
  for (const file of modelFiles) await cp(path.join(here, file), path.join(folder, file));
}
