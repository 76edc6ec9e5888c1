import { agentInstructions } from "../protocol/agent-instructions.ts";
import type { ContextSelection, TableContract, TableView } from "../protocol/contract.ts";

/** What a system prompt is written from: the context of a request with the view of the same request. */
export interface AgentSystemPromptInput {
  context: { contract: TableContract; view: TableView; selection?: ContextSelection };
}

/**
 * The system prompt for a table's turn: the protocol's general rules, then the contract and the view as JSON. It favours
 * no provider and says nothing of the form of a reply, which belongs to whoever reads the model's answer.
 */
export function agentSystemPrompt({
  context: { contract, view, selection },
}: AgentSystemPromptInput): string {
  const deferred = selection?.deferred.map(({ key }) => key) ?? [];
  return [
    agentInstructions().trimEnd(),
    `# Contract\n\n${JSON.stringify(contract)}`,
    ...(deferred.length === 0
      ? []
      : [`# Left out for now\n\nAsk for the guides of these before you use them: ${deferred.join(", ")}`]),
    `# View\n\n${JSON.stringify(view)}`,
  ].join("\n\n");
}
