import * as z from "zod";
import { agentNames, findAgent } from "../../agents/registry.ts";
import type { Route } from "../../http/route.ts";
import { modelOf } from "./model-of.ts";
import { agentRow } from "./schemas.ts";

export const listAgents: Route = {
  access: "credential",
  summary: "List the agents that are served here.",
  capability: "agents.list",
  responses: { 200: { description: "Every agent.", schema: z.object({ items: z.array(agentRow) }) } },
  handle: () =>
    Response.json({
      items: agentNames.flatMap((name) => {
        const agent = findAgent(name);
        if (agent === undefined) return [];
        return {
          name,
          description: agent.description,
          model: modelOf(agent),
          tools: agent.tools.map((tool) => tool.name),
          subagents: agent.subagents.map((subagent) => subagent.name),
        };
      }),
    }),
};
