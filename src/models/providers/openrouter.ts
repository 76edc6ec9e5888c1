import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { plainTextFirst } from "../plain-text-first.ts";
import type { ModelProvider } from "../provider.ts";

/** OpenRouter: `openrouter/vendor/model`, and any `vendor/model` whose vendor has no key here. */
export const openrouter: ModelProvider = {
  name: "openrouter",
  keyVariables: ["OPENROUTER_API_KEY"],
  keyRequired: true,
  baseUrl: "https://openrouter.ai/api/v1",
  baseUrlVariable: "OPENROUTER_BASE_URL",
  defaultModel: "openai/gpt-5-mini",
  gateway: true,
  create: ({ model, key, baseUrl, fetch }) =>
    plainTextFirst(
      (reading) =>
        createOpenAICompatible({
          name: "openrouter",
          baseURL: baseUrl,
          ...(key === undefined ? {} : { apiKey: key }),
          fetch: reading,
          includeUsage: true,
          supportsStructuredOutputs: true,
        }).chatModel(model),
      fetch,
    ),
};
