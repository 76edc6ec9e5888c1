import { access } from "node:fs/promises";
import path from "node:path";
import { CliError } from "../cli-error.ts";
import type { AgentTarget } from "./agent-target.ts";
import { loadAgentModule } from "./load-module.ts";

/**
 * Reads `--agent`: a URL, `agent:NAME`, `builtin:NAME`, or the path of a module. Throws `CliError` when it is none of them, when the
 * URL carries a user name or password, or when the module cannot be used.
 */
export async function parseAgent(text: string, cwd: string): Promise<AgentTarget> {
  if (text.startsWith("agent:")) return { kind: "agent", name: text.slice("agent:".length) };
  if (text.startsWith("builtin:")) return { kind: "builtin", name: text.slice("builtin:".length) };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return parseUrl(text);
  const file = path.resolve(cwd, text);
  try {
    await access(file);
  } catch {
    throw new CliError(
      `--agent ${text}: there is no such file; give a URL such as http://localhost:8787/step, the path of a module, agent:NAME or builtin:NAME`,
    );
  }
  return loadAgentModule(file);
}

function parseUrl(text: string): AgentTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CliError(`--agent ${text}: not an http or https address`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CliError(
      "--agent: an address must not carry a user name or password; send them as a header from a module (see httpAgent)",
    );
  }
  return { kind: "http", url: text, headers: {} };
}
