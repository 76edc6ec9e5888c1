import * as z from "zod";
import { agentNames } from "../../agents/registry.ts";
import { param } from "../../http/context.ts";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { anthropicModel, anthropicModels, modelsQuerySchema } from "../../wires/anthropic/models.ts";
import { unknownModel } from "./unknown-model.ts";

const modelSchema = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
});

export const listAnthropicModels: Route = {
  access: "credential",
  summary: "List the agents, as Anthropic models.",
  wire: "anthropic.models",
  query: modelsQuerySchema,
  responses: {
    200: {
      description: "A page of the agents.",
      schema: z.object({
        data: z.array(modelSchema),
        has_more: z.boolean(),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
      }),
    },
  },
  handle(context) {
    const page = anthropicModels(agentNames, readQuery(context, modelsQuerySchema));
    return Response.json(page, { headers: { "request-id": context.requestId } });
  },
};

export const getAnthropicModel: Route = {
  access: "credential",
  summary: "Describe one agent, as an Anthropic model.",
  wire: "anthropic.models",
  responses: { 200: { description: "The agent.", schema: modelSchema } },
  handle(context) {
    const name = param(context, "id");
    if (!agentNames.includes(name)) return unknownModel(name, context.requestId);
    return Response.json(anthropicModel(name), { headers: { "request-id": context.requestId } });
  },
};
