import type { LanguageModel } from "./language-model.ts";

/** What of a binding to models is used: `env.AI` has it. */
export interface ModelBinding {
  run(
    model: string,
    inputs: object,
    options: { returnRawResponse: true; signal?: AbortSignal },
  ): Promise<Response>;
}

/** What a provider needs to make a model. */
interface ProviderSettings {
  /** The provider's own name for the model. */
  model: string;
  /** `undefined` only where the provider needs none. */
  key: string | undefined;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
}

/** A source of models. A new one is a file in `providers/` and a line in `providers.ts`. */
export interface ModelProvider {
  /** First part of a model id, as in `openai/gpt-5-mini`. */
  name: string;
  /** Other spellings of `name` that are understood. */
  aliases?: string[];
  /** Variables that may hold the key; the first one set wins, and errors name the first. */
  keyVariables: [string, ...string[]];
  /** `false`: works without a key, as servers on one's own machine do. */
  keyRequired: boolean;
  /** Where requests go; `null` when only `baseUrlVariable` can say. */
  baseUrl: string | null;
  baseUrlVariable?: string;
  /** Variable with the account's id, which stands for `{account}` in `baseUrl`; needed beside the key. */
  accountVariable?: string;
  /** A binding of the Worker that reaches the models without any key; it goes before the key. */
  binding?: {
    /** Name of the binding, such as `AI`. */
    name: string;
    /** Asks the binding instead of the network. */
    fetch(binding: ModelBinding): typeof globalThis.fetch;
  };
  /** Model for a configuration that names the provider only. */
  defaultModel: string | null;
  /** A gateway serves other providers' models under their full ids, for those that have no key of their own. */
  gateway: boolean;
  create(settings: ProviderSettings): LanguageModel;
}
