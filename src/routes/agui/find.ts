import type { DeepAgent } from "../../agents/authoring/deep-agent.ts";
import { findAgent } from "../../agents/registry.ts";
import { unknownAgent } from "../../agents/runtime/unknown-agent.ts";
import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";

/** The agent that the path names. Throws `HttpError` 404. */
export function agentOf(context: OwnedContext): DeepAgent {
  const name = param(context, "name");
  const agent = findAgent(name);
  if (agent === undefined) throw new HttpError("not_found", unknownAgent(name).message);
  return agent;
}
