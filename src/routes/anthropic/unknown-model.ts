import { unknownAgent } from "../../agents/runtime/unknown-agent.ts";
import { anthropicFailure } from "../../wires/anthropic/errors.ts";

/** The 404 for a model that no agent answers to. */
export function unknownModel(name: string, requestId: string): Response {
  return anthropicFailure(unknownAgent(name), requestId, false);
}
