import type { LanguageModel } from "./language-model.ts";
import { bindingIn, type ModelEnv, textIn } from "./model-env.ts";
import { ModelConfigError } from "./model-error.ts";
import type { ModelProvider } from "./provider.ts";
import { providerFetch } from "./provider-fetch.ts";
import { providers } from "./providers.ts";

/** Stands where a request that goes through a binding would have its address; nothing is ever sent there. */
const bindingUrl = "https://binding.invalid";

export interface ResolvedModel {
  model: LanguageModel;
  /** `provider/model`, with the provider's first name. */
  id: string;
}

/**
 * Turns a model id into a model that can be called.
 *
 * `id` is `provider/model`; `undefined` takes `AGENT_PROVIDER` (default: `openai`, or whichever has a key where that has
 * none) and `AGENT_MODEL` (default: the provider's). The provider's own key decides where the call goes. Without one, an id goes whole to the gateway that is
 * configured: `MODEL_PROVIDER_BASE_URL` (with `MODEL_PROVIDER_API_KEY`, if it wants one), else OpenRouter. A key is only
 * ever sent to the base URL it belongs to.
 *
 * Throws `ModelConfigError`, which names the variable to set and never a value.
 */
export function resolveModel(
  id: string | undefined,
  env: ModelEnv,
  fetch: typeof globalThis.fetch,
): ResolvedModel {
  const asked = id ?? defaultId(env);
  const slash = asked.indexOf("/");
  const name = asked.slice(0, slash);
  const model = asked.slice(slash + 1);
  if (slash < 1 || !isModelName(model)) {
    throw new ModelConfigError(
      "invalid",
      id === undefined ? "AGENT_MODEL" : null,
      `${quoted(asked)} is not a model id: expected provider/model, such as openai/gpt-5-mini`,
    );
  }
  const provider = findProvider(name);
  if (provider && isConfigured(provider, env)) {
    return { model: create(provider, model, env, fetch), id: `${provider.name}/${model}` };
  }
  const full = `${provider?.name ?? name}/${model}`;
  const gateway = provider?.gateway
    ? undefined
    : providers.find((one) => one.gateway && isConfigured(one, env));
  if (gateway) return { model: create(gateway, full, env, fetch), id: full };
  if (!provider) {
    throw new ModelConfigError(
      "invalid",
      "MODEL_PROVIDER_BASE_URL",
      `no provider is called ${quoted(name)}: use one of ${providerNames()}, or set MODEL_PROVIDER_BASE_URL to a server that has ${quoted(asked)}`,
    );
  }
  const variable = missingVariable(provider, env);
  const instead = provider.gateway
    ? ""
    : " (or MODEL_PROVIDER_BASE_URL or OPENROUTER_API_KEY, for a gateway that has it)";
  throw new ModelConfigError("missing", variable, `${quoted(full)} needs ${variable}${instead}`);
}

function defaultId(env: ModelEnv): string {
  const providerName = textIn(env, "AGENT_PROVIDER");
  const model = textIn(env, "AGENT_MODEL");
  if (providerName === "") throw new ModelConfigError("invalid", "AGENT_PROVIDER", "AGENT_PROVIDER is empty");
  if (model === "") throw new ModelConfigError("invalid", "AGENT_MODEL", "AGENT_MODEL is empty");
  // A full id in AGENT_MODEL needs no AGENT_PROVIDER, and may repeat it.
  const prefix = model?.split("/")[0] ?? "";
  if (model !== undefined && providerName === undefined && findProvider(prefix)) return model;
  const provider = providerName === undefined ? unnamedProvider(env, model) : findProvider(providerName);
  if (!provider) {
    throw new ModelConfigError(
      "invalid",
      "AGENT_PROVIDER",
      `AGENT_PROVIDER ${quoted(providerName ?? "")} is not known: use one of ${providerNames()}`,
    );
  }
  if (model !== undefined) return findProvider(prefix) === provider ? model : `${provider.name}/${model}`;
  if (provider.defaultModel === null) {
    throw new ModelConfigError("missing", "AGENT_MODEL", `AGENT_PROVIDER ${provider.name} needs AGENT_MODEL`);
  }
  return `${provider.name}/${provider.defaultModel}`;
}

/**
 * Who answers when `AGENT_PROVIDER` is not set: the first provider, by its key or a gateway, else the one there is a
 * key for. A bare `AGENT_MODEL` beside a gateway is the gateway's own name.
 */
function unnamedProvider(env: ModelEnv, model: string | undefined): ModelProvider {
  const [first] = providers;
  if (isConfigured(first, env)) return first;
  const gateway = providers.find((provider) => provider.gateway && isConfigured(provider, env));
  if (gateway !== undefined) return model === undefined ? first : gateway;
  return providers.find((provider) => isConfigured(provider, env)) ?? first;
}

function create(
  provider: ModelProvider,
  model: string,
  env: ModelEnv,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  const { binding } = provider;
  const bound = bindingIn(env, binding?.name);
  if (binding !== undefined && bound !== undefined) {
    const through = providerFetch(binding.fetch(bound));
    return provider.create({ model, key: undefined, baseUrl: bindingUrl, fetch: through });
  }
  const key = provider.keyVariables.map((name) => textIn(env, name)).find(Boolean);
  // What HTTP forbids in a header would otherwise fail inside fetch, with the key in the message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    const variable = provider.keyVariables.find((name) => textIn(env, name)) ?? provider.keyVariables[0];
    throw new ModelConfigError("invalid", variable, `${variable} has characters that no key has`);
  }
  return provider.create({ model, key, baseUrl: baseUrl(provider, env), fetch: providerFetch(fetch) });
}

function baseUrl(provider: ModelProvider, env: ModelEnv): string {
  const variable = provider.baseUrlVariable;
  const template = textIn(env, variable) || provider.baseUrl;
  const text = template?.replace("{account}", accountId(provider, env));
  const url = text ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new ModelConfigError(
      "invalid",
      variable ?? null,
      `${variable ?? provider.name} must be an http or https URL without credentials, query or fragment`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** The account's id, which becomes a part of an address. */
function accountId({ accountVariable }: ModelProvider, env: ModelEnv): string {
  if (accountVariable === undefined) return "";
  const id = textIn(env, accountVariable) ?? "";
  if (/^[A-Za-z0-9_-]{1,64}$/.test(id)) return id;
  throw new ModelConfigError("invalid", accountVariable, `${accountVariable} is not the id of an account`);
}

function isConfigured(provider: ModelProvider, env: ModelEnv): boolean {
  const { keyRequired, baseUrlVariable, binding } = provider;
  if (bindingIn(env, binding?.name) !== undefined) return true;
  return keyRequired ? missingVariable(provider, env) === null : Boolean(textIn(env, baseUrlVariable));
}

/** The variable a provider still needs; `null`: none. */
function missingVariable(provider: ModelProvider, env: ModelEnv): string | null {
  const { keyVariables, keyRequired, baseUrlVariable, accountVariable } = provider;
  if (!keyRequired) return baseUrlVariable ?? keyVariables[0];
  if (accountVariable !== undefined && !textIn(env, accountVariable)) return accountVariable;
  return keyVariables.some((name) => textIn(env, name)) ? null : keyVariables[0];
}

function findProvider(name: string): ModelProvider | undefined {
  return providers.find((provider) => provider.name === name || provider.aliases?.includes(name));
}

function providerNames(): string {
  return providers.map((provider) => provider.name).join(", ");
}

/** Model names become part of URLs at some providers, so nothing that could change a path is let through. */
function isModelName(name: string): boolean {
  return /^[A-Za-z0-9~@][\w.:@/+~-]{0,199}$/.test(name) && !name.includes("..") && !name.includes("//");
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
