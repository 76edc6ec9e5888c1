import { agentInstructions } from "../protocol/agent-instructions.ts";
import type { ContextSelection, TableContract, TableView } from "../protocol/contract.ts";

/** What a system prompt is written from: the context of a request with the view of the same request. */
export interface AgentSystemPromptInput {
  context: {
    contract: TableContract;
    view: TableView;
    selection?: Pick<ContextSelection, "deferred" | "notes">;
  };
}

/**
 * The system prompt for a table's turn: the protocol's general rules, then the contract and the view as JSON. It favours
 * no provider and says nothing of the form of a reply, which belongs to whoever reads the model's answer.
 */
export function agentSystemPrompt({
  context: { contract, view, selection },
}: AgentSystemPromptInput): string {
  const deferred = selection?.deferred.filter(({ kind }) => kind !== "column").map(({ key }) => key) ?? [];
  const notes = selection?.notes ?? [];
  return [
    agentInstructions().trimEnd(),
    `# Contract\n\n${JSON.stringify(contract)}`,
    ...(deferred.length === 0
      ? []
      : [`# Left out for now\n\nAsk for the guides of these before you use them: ${deferred.join(", ")}`]),
    ...(notes.length === 0 ? [] : [`# Notes on the contract\n\n${JSON.stringify(notes)}`]),
    `# View\n\n${JSON.stringify(view)}`,
  ].join("\n\n");
}
