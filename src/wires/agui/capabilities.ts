import type { DeepAgent } from "../../agents/authoring/deep-agent.ts";
import type { JsonObject } from "../../turn/index.ts";

/** What an agent can do, as AG-UI's `AgentCapabilities`. What depends on the model that answers is left out: unknown. */
export function capabilitiesOf(agent: DeepAgent): JsonObject {
  const { name, description, tools, subagents, maxSteps, editableState } = agent;
  const rules = [agent.interruptOn, ...subagents.map(({ interruptOn }) => interruptOn)].flatMap((on) =>
    Object.values(on).filter((rule) => rule !== false),
  );
  const editable = rules.some(
    (rule) => rule === true || (rule.allowedDecisions ?? ["edit"]).includes("edit"),
  );
  return {
    identity: { name, type: "greenroom", ...(description === "" ? {} : { description }) },
    transport: { streaming: true, websocket: false, httpBinary: false, resumable: true },
    tools: {
      supported: true,
      items: tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
      })),
      parallelCalls: true,
      clientProvided: true,
    },
    state: { snapshots: true, deltas: true, persistentState: true },
    multiAgent: {
      supported: subagents.length > 0,
      delegation: subagents.length > 0,
      subagents: subagents.map((one) => ({ name: one.name, description: one.description })),
    },
    execution: { maxIterations: maxSteps },
    humanInTheLoop: {
      supported: rules.length > 0,
      approvals: rules.length > 0,
      interrupts: rules.length > 0,
      approveWithEdits: editable,
    },
    custom: { editableState },
  };
}
