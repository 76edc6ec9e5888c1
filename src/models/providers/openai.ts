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
    }).chatModel(model),
};
