import type { JsonObject } from "../../../../../src/turn/index.ts";

/** An agent with all it can do, as `/api/agents/:name` tells it. */
export interface AgentDetail {
  name: string;
  description: string;
  model: string | null;
  tools: { name: string; description: string; parameters: JsonObject; gated: boolean }[];
  subagents: { name: string; description: string; tools: string[] }[];
  /** JSON Schema of each key of the shared state that a client may write. */
  editableState: { [key: string]: JsonObject };
  maxSteps: number;
}

export function agentPath(name: string): string {
  return `/api/agents/${encodeURIComponent(name)}`;
}
