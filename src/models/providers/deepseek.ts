import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { plainTextFirst } from "../plain-text-first.ts";
import type { ModelProvider } from "../provider.ts";

/** DeepSeek, over its OpenAI-compatible API. */
export const deepseek: ModelProvider = {
  name: "deepseek",
  keyVariables: ["DEEPSEEK_API_KEY"],
  keyRequired: true,
  baseUrl: "https://api.deepseek.com",
  defaultModel: "deepseek-v4-flash",
  gateway: false,
  create: ({ model, key, baseUrl, fetch }) =>
    plainTextFirst(
      (reading) =>
        createOpenAICompatible({
          name: "deepseek",
          baseURL: baseUrl,
          ...(key === undefined ? {} : { apiKey: key }),
          fetch: reading,
          includeUsage: true,
          convertUsage: (usage) => {
            const input = usage?.prompt_tokens ?? undefined;
            const output = usage?.completion_tokens ?? undefined;
            const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
            // DeepSeek counts cache hits in a field of its own.
            const own = usage?.prompt_cache_hit_tokens;
            const cached =
              typeof own === "number" ? own : (usage?.prompt_tokens_details?.cached_tokens ?? undefined);
            return {
              inputTokens: {
                total: input,
                noCache: input === undefined ? undefined : input - (cached ?? 0),
                cacheRead: cached,
                cacheWrite: undefined,
              },
              outputTokens: {
                total: output,
                text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
                reasoning,
              },
            };
          },
        }).chatModel(model),
      fetch,
    ),
};
