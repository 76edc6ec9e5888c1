import { anthropicFailure } from "../../wires/anthropic/errors.ts";

/** The 404 for a model that no agent answers to. */
export function unknownModel(name: string, requestId: string): Response {
  const message = `The model ${JSON.stringify(name)} does not exist: there is no agent of that name.`;
  return anthropicFailure({ code: "unknown_agent", message, retryable: false }, requestId, false);
}
