import type { Route } from "../../http/route.ts";
import { agentOf } from "../agui/find.ts";
import { modelOf } from "./model-of.ts";
import { agentDetail } from "./schemas.ts";

export const getAgent: Route = {
  access: "credential",
  summary: "Show an agent with its tools, its subagents and what a client may write.",
  capability: "agents.get",
  responses: { 200: { description: "The agent.", schema: agentDetail } },
  handle(context) {
    const agent = agentOf(context);
    return Response.json({
      name: agent.name,
      description: agent.description,
      model: modelOf(agent),
      tools: agent.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
        gated: (agent.interruptOn[name] ?? false) !== false,
      })),
      subagents: agent.subagents.map(({ name, description, tools }) => ({
        name,
        description,
        tools: tools.map((tool) => tool.name),
      })),
      editableState: agent.editableState,
      maxSteps: agent.maxSteps,
    });
  },
};
