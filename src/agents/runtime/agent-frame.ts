import type { LanguageModel } from "../../models/language-model.ts";
import type { ClientTool, JsonObject, SubagentRef } from "../../turn/index.ts";
import type { DeepAgent, InterruptOn, Subagent } from "../authoring/deep-agent.ts";
import type { Script } from "../authoring/script.ts";
import type { AgentTool } from "../authoring/tool.ts";
import { mainFrame } from "./session-store.ts";
import { taskTool, taskToolName } from "./task-tool.ts";

/** A tool as the model is told about it. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: JsonObject;
  client: boolean;
  /** The model is held to the schema, where its provider can. */
  strict?: boolean;
}

/** A conversation that is being held: the agent's own, or a subagent's. */
export interface AgentFrame {
  /** `main`, or the call that started the subagent. */
  id: string;
  systemPrompt: string;
  model: string | LanguageModel | undefined;
  script: Script | undefined;
  tools: AgentTool[];
  subagents: Subagent[];
  interruptOn: InterruptOn;
  subagent?: SubagentRef;
  offeredTools(clientTools: ClientTool[]): OfferedTool[];
}

/** The agent's own conversation. */
export function frameOfAgent(agent: DeepAgent): AgentFrame {
  const { systemPrompt, model, script, tools, subagents, interruptOn } = agent;
  return {
    id: mainFrame,
    systemPrompt,
    model,
    script,
    tools,
    subagents,
    interruptOn,
    offeredTools: (clientTools) => [
      ...tools.map(offered),
      ...(subagents.length > 0 ? [taskTool(subagents)] : []),
      ...clientTools.map((tool) => ({ ...tool, client: true })),
    ],
  };
}

/** The conversation a subagent holds about one task. Its own settings win; a model it does not name is its agent's. */
export function frameOfSubagent(agent: DeepAgent, subagent: Subagent, callId: string): AgentFrame {
  const tools = subagent.tools ?? [];
  return {
    id: callId,
    systemPrompt: subagent.systemPrompt,
    model: subagent.model ?? agent.model,
    script: subagent.script ?? agent.script,
    tools,
    subagents: [],
    interruptOn: { ...agent.interruptOn, ...subagent.interruptOn },
    subagent: { id: callId, name: subagent.name },
    offeredTools: () => tools.map(offered),
  };
}

/** Whether a call hands a task to a subagent. */
export function isTask(frame: Pick<AgentFrame, "subagents">, name: string): boolean {
  return name === taskToolName && frame.subagents.length > 0;
}

/** Whether this Worker runs the calls of that name an agent makes. */
export function isServerTool(agent: Pick<AgentFrame, "tools" | "subagents">, name: string): boolean {
  return isTask(agent, name) || agent.tools.some((tool) => tool.name === name);
}

function offered({ name, description, parameters }: AgentTool): OfferedTool {
  return { name, description, parameters, client: false };
}
