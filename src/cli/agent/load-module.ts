import path from "node:path";
import { pathToFileURL } from "node:url";
import { type HttpAgent, httpAgent, type StepAgent } from "../../sandtable/http-agent.ts";
import { CliError, messageOf } from "../cli-error.ts";
import type { AgentTarget } from "./agent-target.ts";
import { resolveGreenroom } from "./resolve-greenroom.ts";

const expected = "its default export must be what httpAgent(url, options) returns, or a function of one step";

/**
 * Loads an agent from a module (.mjs, .js, .ts). Its default export is what `httpAgent` returns, or a function that
 * takes a step request and returns `{ reply }` or `{ tool_calls }`. Throws `CliError` with the module's own message
 * when it cannot be loaded.
 */
export async function loadAgentModule(file: string): Promise<AgentTarget> {
  const name = path.basename(file);
  let exports: { default?: unknown };
  resolveGreenroom();
  try {
    exports = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    throw new CliError(`--agent ${name} could not be loaded: ${messageOf(error)}`, stackIn(error, file));
  }
  const agent = exports.default;
  if (agent === undefined) throw new CliError(`--agent ${name} has no default export; ${expected}`);
  if (typeof agent === "function") return { kind: "function", run: agent as StepAgent, module: name };
  if (typeof agent !== "object" || agent === null || (agent as HttpAgent).kind !== "http") {
    throw new CliError(`--agent ${name} exports no agent; ${expected}`);
  }
  const { url, headers, maxSteps } = agent as HttpAgent;
  try {
    const checked = httpAgent(url, { headers, ...(maxSteps === undefined ? {} : { maxSteps }) });
    return { ...checked, module: name };
  } catch (error) {
    throw new CliError(`--agent ${name}: ${messageOf(error)}`);
  }
}

/** Where in the module it failed: the lines of the stack that name it. */
function stackIn(error: unknown, file: string): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line) && line.includes(file));
  return lines.slice(0, 3).map((line) => line.trim());
}
