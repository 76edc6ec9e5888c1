import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
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
    createOpenAICompatible({
      name: "openai",
      baseURL: baseUrl,
      ...(key === undefined ? {} : { apiKey: key }),
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      transformRequestBody: (body) => openaiBody(model, body),
    }).chatModel(model),
};

/** Models that reason refuse settings of sampling. */
const reasoningModel = /^(?:o\d|gpt-5(?!-chat))/;

/** OpenAI itself has moved on from what compatible servers take: its models refuse `max_tokens`. */
function openaiBody(model: string, body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, ...rest } = body;
  const renamed = max_tokens === undefined ? rest : { ...rest, max_completion_tokens: max_tokens };
  if (!reasoningModel.test(model)) return renamed;
  const { temperature: _temperature, top_p: _topP, ...kept } = renamed as Record<string, unknown>;
  return kept;
}
