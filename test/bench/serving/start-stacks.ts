import type { WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { loadBundle } from "../../../src/cli/engine/bundle.ts";
import { packageRoot } from "../../../src/cli/package-root.ts";
import { loadBenchBuild } from "./bench-build.ts";
import type { BenchModel } from "./model-process.ts";
import { loadPeer, type Peer } from "./peers.ts";
import { type BenchRuntime, startRuntime } from "./runtime.ts";
import { asksModel, type Stack, token } from "./stacks.ts";

export type Stacks = { [stack in Stack]?: BenchRuntime };

/** Bundle and variables of a stack. */
export async function makeStack(
  stack: Stack,
  model: BenchModel,
  say: (text: string) => void,
): Promise<{ bundle: WorkerBundle; vars: { [name: string]: string } }> {
  const modelUrl = `${model.url}${stack.endsWith("Slow") ? "/slow" : ""}/v1`;
  const onBuild = () => say(`building ${stack}`);
  if (stack === "floor") return { bundle: await loadPeer("floor", onBuild), vars: {} };
  if (stack === "ours" || stack === "oursFresh")
    return { bundle: await loadBenchBuild(onBuild), vars: { AGENT_HTTP_TOKEN: token } };
  if (stack.startsWith("ours")) {
    const vars = { AGENT_HTTP_TOKEN: token, MODEL_PROVIDER_BASE_URL: modelUrl };
    return { bundle: await loadBundle(packageRoot, onBuild), vars };
  }
  const peer: Peer = stack.startsWith("hono") ? "hono" : "agents";
  return {
    bundle: await loadPeer(peer, onBuild),
    vars: asksModel(stack) ? { MODEL_URL: modelUrl } : {},
  };
}

/** Starts stacks with their state below `root`. One that does not run here is left out, and it is said why. */
export async function startStacks(
  names: readonly Stack[],
  model: BenchModel,
  root: string,
  say: (text: string) => void,
): Promise<Stacks> {
  const stacks: Stacks = {};
  for (const name of names) {
    const { bundle, vars } = await makeStack(name, model, say);
    try {
      stacks[name] = await startRuntime(name, bundle, vars, root);
    } catch (error) {
      if (!name.startsWith("agents")) throw error;
      say(`the agents SDK does not run here: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return stacks;
}

export async function closeStacks(stacks: Stacks): Promise<void> {
  for (const runtime of Object.values(stacks)) await runtime.close();
}
