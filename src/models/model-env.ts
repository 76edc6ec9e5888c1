import type { ModelBinding } from "./provider.ts";
import { providers } from "./providers.ts";

/** The variables that models are configured with, trimmed, bindings to models, and nothing else of the environment. */
export type ModelEnv = Readonly<Record<string, string | ModelBinding | undefined>>;

/**
 * Picks what models are configured with out of a Worker's environment: `AGENT_PROVIDER`, `AGENT_MODEL`, and each
 * provider's key, base URL, account and binding. Surrounding space, such as a pasted newline, is dropped; values of
 * other kinds are left out.
 */
export function modelEnv(env: Readonly<Record<string, unknown>>): ModelEnv {
  const names = providers.flatMap((provider) => [
    ...provider.keyVariables,
    ...[provider.baseUrlVariable, provider.accountVariable].filter((name) => name !== undefined),
  ]);
  const picked: Record<string, string | ModelBinding> = {};
  for (const name of ["AGENT_PROVIDER", "AGENT_MODEL", ...names]) {
    const value = env[name];
    if (typeof value === "string") picked[name] = value.trim();
  }
  for (const { binding } of providers) {
    const value = binding === undefined ? undefined : env[binding.name];
    if (binding !== undefined && isBinding(value)) picked[binding.name] = value;
  }
  return picked;
}

/** The text under a name; "" counts as text. */
export function textIn(env: ModelEnv, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : env[name];
  return typeof value === "string" ? value : undefined;
}

/** The binding a provider can be asked through, when the Worker has it. */
export function bindingIn(env: ModelEnv, name: string | undefined): ModelBinding | undefined {
  const value = name === undefined ? undefined : env[name];
  return typeof value === "object" ? value : undefined;
}

function isBinding(value: unknown): value is ModelBinding {
  return typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
}
