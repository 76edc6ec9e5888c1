import type { LanguageModel } from "../../models/language-model.ts";
import type { JsonObject } from "../../turn/json.ts";
import type { Decision } from "../../turn/request.ts";
import type { Script } from "./script.ts";
import type { AgentTool } from "./tool.ts";

/** When and how a person is asked before a tool runs. */
interface ApprovalRule {
  /** Default: approve, edit and reject. */
  allowedDecisions?: Decision["kind"][];
  /** What the person is asked. Default: names the tool. */
  description?: string | ((call: { name: string; args: JsonObject }) => string);
  /** `false` lets a call run unasked. Evaluated once, when the model makes the call. Default: always asks. */
  when?: (call: { args: JsonObject; state: JsonObject }) => boolean;
}

/** Tools that wait for a person: `true` always, `false` never, which a subagent can say of a tool its agent gates. */
export type InterruptOn = { [tool: string]: boolean | ApprovalRule };

/** An agent that another one hands a task to. It has a prompt, tools and a conversation of its own. */
export interface Subagent {
  name: string;
  /** What it is good for: the calling model chooses by it. */
  description: string;
  systemPrompt: string;
  tools: AgentTool[];
  /** `undefined`: that of the agent it belongs to. */
  model: string | LanguageModel | undefined;
  /** Wins over the agent's for a tool that both name. */
  interruptOn: InterruptOn;
  /** Answers where no model is configured; `turn.user` is the task. */
  script: Script | undefined;
}

/** An agent as its file defines it: what was left out is filled in, what cannot work was refused. */
export interface AgentDefinition {
  /** `undefined`: the folder's. */
  name: string | undefined;
  description: string;
  /** `provider/model`, or a model; `undefined`: the one the deployment configures. */
  model: string | LanguageModel | undefined;
  systemPrompt: string;
  tools: AgentTool[];
  subagents: Subagent[];
  interruptOn: InterruptOn;
  /** Keys of the shared state that a client may write, each with the JSON Schema its value must fit. */
  editableState: { [key: string]: JsonObject };
  /** Shared state of a new conversation. */
  initialState: JsonObject;
  /** Answers where no model is configured. */
  script: Script | undefined;
  /** Model answers in one turn, its subagents' included. */
  maxSteps: number;
}

/** An agent that can be served. */
export interface DeepAgent extends AgentDefinition {
  name: string;
}
