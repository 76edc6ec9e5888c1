import { findAgent } from "../../agents/registry.ts";
import { frameOfAgent } from "../../agents/runtime/agent-frame.ts";
import type { ClientTool, Message } from "../../turn/index.ts";
import { estimateTokens } from "../../wires/anthropic/estimate-tokens.ts";

/**
 * About how many tokens an agent's model will count as input: what the request brings, and the agent's own instructions
 * and tools. What a durable session remembers is not counted. `null` when there is no such agent.
 */
export function estimateInput(
  agentName: string,
  messages: readonly Message[],
  clientTools: ClientTool[],
): number | null {
  const agent = findAgent(agentName);
  if (agent === undefined) return null;
  const tools = frameOfAgent(agent).offeredTools(clientTools);
  return estimateTokens({ system: agent.systemPrompt, messages, tools });
}
