import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { plainTextFirst } from "../plain-text-first.ts";
import type { ModelProvider } from "../provider.ts";

/**
 * Any server that speaks OpenAI's Chat Completions: a company gateway, or a model on one's own machine.
 * `compatible/NAME` sends `NAME`; any other id whose provider has no key here is sent whole.
 */
export const compatible: ModelProvider = {
  name: "compatible",
  keyVariables: ["MODEL_PROVIDER_API_KEY"],
  keyRequired: false,
  baseUrl: null,
  baseUrlVariable: "MODEL_PROVIDER_BASE_URL",
  defaultModel: null,
  gateway: true,
  create: ({ model, key, baseUrl, fetch }) =>
    plainTextFirst(
      (reading) =>
        createOpenAICompatible({
          name: "compatible",
          baseURL: baseUrl,
          ...(key === undefined ? {} : { apiKey: key }),
          fetch: reading,
          includeUsage: true,
          supportsStructuredOutputs: true,
        }).chatModel(model),
      fetch,
    ),
};
