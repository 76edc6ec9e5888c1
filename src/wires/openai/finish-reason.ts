import type { TurnOutcome } from "../../turn/index.ts";

/**
 * Why a turn ended, in this wire's words. A turn in which the agent called a tool says `tool_calls`, whoever ran the
 * tool and whatever was said afterwards.
 */
export function finishReason(outcome: TurnOutcome, called: boolean): string {
  if (called || outcome.type !== "success") return "tool_calls";
  const { unified } = outcome.finish;
  return unified === "length" || unified === "content_filter" ? unified : "stop";
}
