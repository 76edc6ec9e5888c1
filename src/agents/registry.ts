// Written by scripts/make-agents.ts; run `npm run generate` after adding an agent's folder.
import type { DeepAgent } from "./authoring/deep-agent.ts";
import { named } from "./authoring/define-deep-agent.ts";
import freight from "./freight/index.ts";
import planner from "./planner/index.ts";
import playground from "./playground/index.ts";
import support from "./support/index.ts";

const agents: ReadonlyMap<string, DeepAgent> = new Map(
  [
    named("freight", freight),
    named("planner", planner),
    named("playground", playground),
    named("support", support),
  ].map((agent) => [agent.name, agent]),
);

/** Every agent's name, in alphabetical order. */
export const agentNames: readonly string[] = [...agents.keys()];

/** The agent of that name, `undefined` when there is none. */
export function findAgent(name: string): DeepAgent | undefined {
  return agents.get(name);
}
