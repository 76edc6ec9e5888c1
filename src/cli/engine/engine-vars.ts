/** What chooses and reaches a model, for callers played by one, and the Worker's own limits. */
const passedOn =
  /^(AGENT_PROVIDER|AGENT_MODEL|[A-Z0-9_]+_API_KEY|MODEL_PROVIDER_[A-Z0-9_]+|CLOUDFLARE_(ACCOUNT_ID|API_TOKEN)|AGENT_MAX_BODY|AGENT_MAX_DOMAIN)$/;

/**
 * The variables of the command's environment that the embedded Worker gets. `agentUrl` is an address the person
 * typed on their own machine, so the guard against private addresses lets its host through besides
 * `AGENT_ALLOWED_HOSTS`.
 */
export function engineVars(env: NodeJS.ProcessEnv, agentUrl: string | null): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "" && passedOn.test(name)) vars[name] = value;
  }
  const hosts = [env.AGENT_ALLOWED_HOSTS ?? "", agentUrl === null ? "" : hostOf(agentUrl)];
  const allowed = hosts.filter((host) => host !== "");
  if (allowed.length > 0) vars.AGENT_ALLOWED_HOSTS = allowed.join(",");
  return vars;
}

/** With the port even where it is the scheme's own, so that no other port of the host is meant. */
function hostOf(agentUrl: string): string {
  const url = new URL(agentUrl);
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  return `${url.hostname}:${port}`;
}
