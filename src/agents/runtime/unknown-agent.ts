import type { TurnFailure } from "../../turn/index.ts";
import { agentNames } from "../registry.ts";

/** There is no agent of that name; says which there are, since a name is easily misspelt. */
export function unknownAgent(name: string): TurnFailure {
  const message = `There is no agent ${JSON.stringify(name.slice(0, 100))}. There is ${agentNames.join(", ")}.`;
  return { code: "unknown_agent", message, retryable: false };
}
