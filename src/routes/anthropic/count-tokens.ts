import * as z from "zod";
import { mintId } from "../../agents/runtime/mint-id.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { decodeInput } from "../../wires/anthropic/decode.ts";
import { countRequestSchema } from "../../wires/anthropic/schema.ts";
import { estimateInput } from "./estimate-input.ts";
import { unknownModel } from "./unknown-model.ts";

export const countTokens: Route = {
  access: "credential",
  summary: "Estimate the input tokens of an Anthropic message.",
  description:
    "An estimate over instructions, tools and messages, the agent's own included: four ASCII characters a token, every other character one, four for each message and tool, 1,600 for a picture or a file. What a session remembers is not counted.",
  wire: "anthropic.count-tokens",
  request: countRequestSchema,
  responses: { 200: { description: "The estimate.", schema: z.object({ input_tokens: z.int() }) } },
  async handle(context) {
    const body = await readJson(context, countRequestSchema);
    const { messages, tools } = decodeInput(body, mintId);
    const tokens = estimateInput(body.model, messages, tools);
    if (tokens === null) return unknownModel(body.model, context.requestId);
    return Response.json({ input_tokens: tokens }, { headers: { "request-id": context.requestId } });
  },
};
