import { callJson } from "./client.ts";
import { useToken } from "./token.ts";
import { type Resource, useResource } from "./use-resource.ts";

/** An agent that this Worker serves. */
export interface AgentRow {
  name: string;
  description: string;
  /** `provider/model`; null: the one the deployment configures. */
  model: string | null;
  tools: string[];
  subagents: string[];
}

/** The agents of this Worker; nothing is asked while the token is not known. */
export function useAgents(): Resource<AgentRow[]> {
  const { needed } = useToken();
  return useResource(needed ? null : "agents", async (signal) => {
    const { items } = await callJson<{ items: AgentRow[] }>("/api/agents", { signal });
    return items;
  });
}
