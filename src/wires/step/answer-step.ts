import { mintId } from "../../agents/runtime/mint-id.ts";
import { startTurn, type TurnContext } from "../../agents/runtime/start-turn.ts";
import type { TurnFailure } from "../../turn/index.ts";
import { collectTurn } from "../collect-turn.ts";
import { failureOf } from "../turn-failure.ts";
import { decodeStep } from "./decode.ts";
import type { StepAnswer, StepBody } from "./schema.ts";

const pausedByApproval: TurnFailure = {
  code: "approval_pending",
  message:
    "The agent waits for a person's approval, which the step protocol has no word for. Decide it in the inbox.",
  retryable: false,
};

/** One step of an agent of this Worker: its reply, or the calls it wants run, or why there is neither. */
export async function answerStep(
  context: TurnContext,
  agent: string,
  body: StepBody,
): Promise<{ ok: true; answer: StepAnswer } | { ok: false; failure: TurnFailure }> {
  const started = await startTurn(context, decodeStep(agent, body, mintId));
  if (!started.ok) return started;
  const { blocks, outcome } = await collectTurn(started.events);
  const failure = failureOf(outcome);
  if (failure !== null) return { ok: false, failure };
  if (outcome.type !== "success") return { ok: false, failure: pausedByApproval };
  const open = new Set(outcome.pendingCallIds);
  const calls = blocks.filter((block) => block.type === "call" && open.has(block.callId));
  if (calls.length > 0) {
    const tool_calls = calls.flatMap((block) =>
      block.type === "call" ? [{ id: block.callId, name: block.name, arguments: block.args }] : [],
    );
    return { ok: true, answer: { tool_calls } };
  }
  const reply = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  return { ok: true, answer: { reply } };
}
