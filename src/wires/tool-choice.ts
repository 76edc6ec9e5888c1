import type { ClientTool, Sampling } from "../turn/index.ts";

/**
 * The choice a client made, knowing its own tools alone: where it insists on a call and brought one tool, it means that
 * one, and not a tool of the agent's.
 */
export function toolChoiceAmong(
  tools: readonly ClientTool[],
  choice: Sampling["toolChoice"],
): Pick<Sampling, "toolChoice"> {
  const [only, ...others] = tools;
  if (choice?.type === "required" && only !== undefined && others.length === 0) {
    return { toolChoice: { type: "tool", name: only.name } };
  }
  return choice === undefined ? {} : { toolChoice: choice };
}
