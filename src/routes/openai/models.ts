import * as z from "zod";
import { agentNames } from "../../agents/registry.ts";
import { unknownAgent } from "../../agents/runtime/unknown-agent.ts";
import { param } from "../../http/context.ts";
import type { Route } from "../../http/route.ts";
import { openaiFailure } from "../../wires/openai/errors.ts";
import { openaiModel, openaiModels } from "../../wires/openai/models.ts";

const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});

export const listOpenaiModels: Route = {
  access: "credential",
  summary: "List the agents, as OpenAI models.",
  wire: "openai.models",
  responses: {
    200: {
      description: "Every agent.",
      schema: z.object({ object: z.literal("list"), data: z.array(modelSchema) }),
    },
  },
  handle: () => Response.json(openaiModels(agentNames)),
};

export const getOpenaiModel: Route = {
  access: "credential",
  summary: "Describe one agent, as an OpenAI model.",
  wire: "openai.models",
  responses: { 200: { description: "The agent.", schema: modelSchema } },
  handle(context) {
    const name = param(context, "id");
    if (agentNames.includes(name)) return Response.json(openaiModel(name));
    return openaiFailure(unknownAgent(name), false);
  },
};
