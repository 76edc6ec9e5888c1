import type { JsonObject } from "../../turn/json.ts";
import type { AgentDefinition, InterruptOn, Subagent } from "./deep-agent.ts";
import { stateSchema } from "./state-schema.ts";
import type { AgentTool } from "./tool.ts";

/** What a subagent must say. Its tools are the agent's own unless it names some. */
type SubagentOptions = Pick<Subagent, "name" | "description" | "systemPrompt"> & Partial<Subagent>;

/** What an agent must say: only its prompt. */
export type DeepAgentOptions = Pick<AgentDefinition, "systemPrompt"> &
  Partial<Omit<AgentDefinition, "subagents">> & {
    subagents?: SubagentOptions[];
    /** Where another host keeps the prompt. Not read here: `systemPrompt` is what the model gets. */
    instructions?: { key: string; variables?: { [name: string]: string } };
  };

/** Room for a long errand, and an end to a model that goes round in circles. */
const defaultMaxSteps = 32;

/** The tool through which an agent calls its subagents. */
const taskTool = "task";

/**
 * Defines an agent. A file `src/agents/<name>/index.ts` that exports one by default is all it takes to serve it; the
 * folder's name is what clients call it.
 *
 * ```ts
 * export default defineDeepAgent({
 *   model: 'openai/gpt-4o-mini',
 *   systemPrompt: '...',
 *   editableState: {
 *     draft: { type: 'string' },
 *   },
 * });
 * ```
 *
 * Throws when two tools or two subagents share a name, a tool is called `task` beside subagents, `interruptOn` names a
 * tool that is not there or allows no decision, a schema of `editableState` cannot be checked, or `maxSteps` is no
 * whole number from 1 on.
 */
export function defineDeepAgent(options: DeepAgentOptions): AgentDefinition {
  const { description = "", tools = [], interruptOn = {}, maxSteps = defaultMaxSteps } = options;
  const subagents = (options.subagents ?? []).map((one) => subagentOf(one, tools));
  refuseTwins(tools, "tools");
  refuseTwins(subagents, "subagents");
  if (subagents.length > 0 && tools.some(({ name }) => name === taskTool)) {
    throw new Error(`no tool can be called "${taskTool}": it is how subagents are called`);
  }
  if (!Number.isInteger(maxSteps) || maxSteps < 1)
    throw new Error("maxSteps must be a whole number from 1 on");
  for (const [key, schema] of Object.entries(options.editableState ?? {})) checkState(key, schema);
  checkRules(interruptOn, [...tools, ...subagents.flatMap((one) => one.tools)], "interruptOn");
  return {
    name: options.name,
    description,
    model: options.model,
    systemPrompt: options.systemPrompt,
    tools,
    subagents,
    interruptOn,
    editableState: options.editableState ?? {},
    initialState: options.initialState ?? {},
    script: options.script,
    maxSteps,
  };
}

function subagentOf(options: SubagentOptions, agentTools: AgentTool[]): Subagent {
  const { name, description, systemPrompt, tools = agentTools, interruptOn = {}, model, script } = options;
  refuseTwins(tools, `tools of subagent "${name}"`);
  checkRules(interruptOn, tools, `interruptOn of subagent "${name}"`);
  return { name, description, systemPrompt, tools, interruptOn, model, script };
}

function refuseTwins(things: { name: string }[], what: string): void {
  const names = things.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new Error(`two ${what} are called "${twin}"`);
}

function checkState(key: string, schema: JsonObject): void {
  try {
    stateSchema(schema);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the schema of editableState "${key}" cannot be checked: ${why}`, { cause: error });
  }
}

function checkRules(rules: InterruptOn, tools: AgentTool[], where: string): void {
  for (const [name, rule] of Object.entries(rules)) {
    if (!tools.some((tool) => tool.name === name)) {
      throw new Error(`${where} names "${name}", and there is no such tool`);
    }
    if (typeof rule === "object" && rule.allowedDecisions?.length === 0) {
      throw new Error(`${where}: "${name}" allows no decision`);
    }
  }
}

/** The definition under the name of the folder it lies in. Throws when it calls itself something else. */
export function named(folder: string, definition: AgentDefinition): AgentDefinition & { name: string } {
  if (definition.name !== undefined && definition.name !== folder) {
    throw new Error(`the agent in folder "${folder}" calls itself "${definition.name}"`);
  }
  return { ...definition, name: folder };
}
