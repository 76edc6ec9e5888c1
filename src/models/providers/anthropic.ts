import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelProvider } from "../provider.ts";

/** Anthropic's Messages API. Its pings are asked for, so that a long silent thought does not look like a stall. */
export const anthropic: ModelProvider = {
  name: "anthropic",
  keyVariables: ["ANTHROPIC_API_KEY"],
  keyRequired: true,
  baseUrl: "https://api.anthropic.com/v1",
  defaultModel: "claude-haiku-4-5",
  gateway: false,
  create: ({ model: name, key, baseUrl, fetch }) => {
    // Key and base URL are always given, or the package would look for them in the process's environment.
    const model = createAnthropic({ baseURL: baseUrl, apiKey: key ?? "", fetch }).languageModel(name);
    return {
      specificationVersion: "v4",
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: (options) => model.doGenerate(options),
      doStream: (options) => model.doStream(withPings(options)),
    };
  },
};

function withPings(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const own = options.providerOptions?.anthropic;
  return {
    ...options,
    providerOptions: { ...options.providerOptions, anthropic: { includePings: true, ...own } },
  };
}
