import type { BrainReply } from "../brains/brain.ts";
import type { AgentHttpRequest, AskUser, ToolCall } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";

/**
 * Gives a brain's calls and its question their ids, `<turnId>:<phaseId>:<index>`. The same request answered alike has
 * the same ids. Indexes go on after those that earlier rounds of the phase had results for: a client gathers results by
 * id, and one would replace the other.
 */
export function numberCalls(
  {
    turnId = "turn",
    phaseId = 0,
    toolResults = [],
  }: Pick<AgentHttpRequest, "turnId" | "phaseId" | "toolResults">,
  { calls, ask }: Pick<BrainReply, "calls" | "ask">,
): { toolCalls: ToolCall[]; askUser?: AskUser } {
  const prefix = `${turnId}:${phaseId}:`;
  const first = toolResults.reduce((next, { id }) => {
    const index = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : Number.NaN;
    return Number.isSafeInteger(index) && index >= next ? index + 1 : next;
  }, 0);
  const toolCalls = calls.map(({ name, args, expectedRevision }, index) => ({
    id: `${prefix}${first + index}`,
    name,
    args,
    ...given("expectedRevision", expectedRevision),
  }));
  if (ask === undefined) return { toolCalls };
  return { toolCalls, askUser: { id: `${prefix}${first + calls.length}`, ...ask } };
}
