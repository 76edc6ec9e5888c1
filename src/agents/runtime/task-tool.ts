import type { Subagent } from "../authoring/deep-agent.ts";
import type { OfferedTool } from "./agent-frame.ts";

/** The one tool through which an agent hands work to its subagents. */
export const taskToolName = "task";

export function taskTool(subagents: Subagent[]): OfferedTool {
  const list = subagents.map(({ name, description }) => `${name}: ${description}`).join("\n");
  return {
    name: taskToolName,
    description: `Hands a task to a subagent, which works on it alone and answers once. Subagents:\n${list}`,
    parameters: {
      type: "object",
      properties: {
        subagent: { type: "string", enum: subagents.map(({ name }) => name) },
        description: { type: "string", description: "Everything the subagent has to know." },
      },
      required: ["subagent", "description"],
      additionalProperties: false,
    },
    client: false,
  };
}
