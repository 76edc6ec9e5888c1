import { providers } from "./providers.ts";

/** The variables that models are configured with, trimmed, and nothing else of the environment. */
export type ModelEnv = Readonly<Record<string, string | undefined>>;

/**
 * Picks the model variables out of a Worker's environment: `AGENT_PROVIDER`, `AGENT_MODEL`, and each provider's key and
 * base URL. Values that are not strings are left out; surrounding space, such as a pasted newline, is dropped.
 */
export function modelEnv(env: Readonly<Record<string, unknown>>): ModelEnv {
  const names = providers.flatMap((provider) => [
    ...provider.keyVariables,
    ...(provider.baseUrlVariable === undefined ? [] : [provider.baseUrlVariable]),
  ]);
  const picked: Record<string, string> = {};
  for (const name of ["AGENT_PROVIDER", "AGENT_MODEL", ...names]) {
    const value = env[name];
    if (typeof value === "string") picked[name] = value.trim();
  }
  return picked;
}
