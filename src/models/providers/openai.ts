import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { plainTextFirst } from "../plain-text-first.ts";
import type { ModelProvider } from "../provider.ts";

/** OpenAI, over Chat Completions. */
export const openai: ModelProvider = {
  name: "openai",
  keyVariables: ["OPENAI_API_KEY"],
  keyRequired: true,
  baseUrl: "https://api.openai.com/v1",
  defaultModel: "gpt-5-mini",
  gateway: false,
  create: ({ model, key, baseUrl, fetch }) =>
    plainTextFirst(
      (reading) =>
        createOpenAICompatible({
          name: "openai",
          baseURL: baseUrl,
          ...(key === undefined ? {} : { apiKey: key }),
          fetch: reading,
          includeUsage: true,
          supportsStructuredOutputs: true,
          transformRequestBody: (body) => openaiBody(model, body),
        }).chatModel(model),
      fetch,
    ),
};

/** Models that reason refuse settings of sampling; others refuse to hear about reasoning. */
const reasoningModel = /^(?:o\d|gpt-5(?!-chat))/;
const unknownToReasoning = ["temperature", "top_p", "frequency_penalty", "presence_penalty", "stop"];

/** OpenAI itself has moved on from what compatible servers take: its models refuse `max_tokens`. */
function openaiBody(model: string, body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, ...rest } = body;
  const sent: Record<string, unknown> =
    max_tokens === undefined ? rest : { ...rest, max_completion_tokens: max_tokens };
  const refused = reasoningModel.test(model) ? unknownToReasoning : ["reasoning_effort"];
  for (const name of /^o\d/.test(model) ? [...refused, "parallel_tool_calls"] : refused) delete sent[name];
  return sent;
}
