import { expect, test } from "vitest";
import type { AgentAnswer } from "../../../../src/sandtable/trial/agent-answer.ts";
import type { StepRequest } from "../../../../src/sandtable/trial/step-protocol.ts";
import type { Json } from "../../../../src/turn/json.ts";
import { answering, builtin, loadFreight, play, type SendStep, show } from "../../freight/play.ts";
import { Conversation, type Turn } from "./converse.ts";

/** The served agent as something that answers steps: tools of the request are the client's. */
function served(): SendStep {
  let chat: Conversation | undefined;
  let pending: string[] = [];
  return async (request: StepRequest): Promise<AgentAnswer> => {
    chat ??= new Conversation("freight", {
      clientTools: request.tools.map(({ name, description, input_schema }) => ({
        name,
        description,
        parameters: input_schema,
      })),
    });
    let turn: Turn | undefined;
    if (request.message !== undefined) turn = await chat.say(request.message);
    else {
      for (const [index, result] of request.tool_results.entries()) {
        const content: Json = result.ok ? result.result : result.error;
        chat.store.append("main", {
          role: "tool",
          id: `r-${pending[index]}`,
          callId: pending[index] ?? "",
          content: typeof content === "string" && !result.ok ? content : JSON.stringify(content),
          isError: !result.ok,
        });
        chat.store.setCall(pending[index] ?? "", { status: "done" });
      }
      turn = await chat.decide({ kind: "approve" });
    }
    if (turn.outcome.type !== "success") throw new Error(JSON.stringify(turn.outcome));
    pending = turn.outcome.pendingCallIds;
    if (pending.length === 0) return { kind: "response", response: { kind: "reply", reply: turn.text } };
    const calls = pending.map((id) => {
      const call = chat?.store.call(id);
      return { id, name: call?.name ?? "", arguments: call?.args ?? {} };
    });
    return { kind: "response", response: { kind: "calls", calls } };
  };
}

test("the served desk plays every freight task as the builtin one does", async () => {
  const domain = await loadFreight();
  for (const task of domain.tasks) {
    const own = await play(domain, task, answering(builtin("careful")));
    const result = await play(domain, task, served());
    expect(show(result)).toBe(show(own));
    expect(result.verdict).toBe(own.verdict);
  }
}, 60_000);

test("without tools it says what it needs", async () => {
  const { text, calls } = await new Conversation("freight").say("MC 100202 here, I want L-1001.");
  expect(calls).toEqual([]);
  expect(text).toContain("greenroom run examples/freight --agent");
});
