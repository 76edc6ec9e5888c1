/** Variables that choose and reach a model: provider, model, keys, base addresses. */
const modelVariable = /^(AGENT_PROVIDER|AGENT_MODEL|[A-Z0-9_]+_API_KEY|MODEL_PROVIDER_[A-Z0-9_]+)$/;

/** The variables of the command's environment that the embedded Worker gets, for callers played by a model. */
export function modelVars(env: NodeJS.ProcessEnv): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "" && modelVariable.test(name)) vars[name] = value;
  }
  return vars;
}
