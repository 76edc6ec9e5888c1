import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effects, ofType, Page, runRaw } from "../support/agui-client.ts";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

const tools = [
  {
    name: "ask_user",
    description: "Asks the user something in a modal.",
    parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  },
];

/** A page whose tool has been called and not answered. */
async function called(prompt = "Use my tool"): Promise<{ chat: Page; callId: string }> {
  const chat = new Page(engine, crypto.randomUUID());
  const run = await chat.say(prompt, { tools });
  const [callId = ""] = run.outcome?.pendingToolCallIds ?? [];
  return { chat, callId };
}

describe("a tool of the client's own", () => {
  test("ends the run as a success that names the call, with arguments that fit its schema", async () => {
    const chat = new Page(engine, crypto.randomUUID());
    const run = await chat.say("Use my tool", { tools });
    const [start] = ofType(run, "TOOL_CALL_START");
    expect(start).toMatchObject({ toolCallName: "ask_user", parentMessageId: expect.any(String) });
    expect(run.outcome).toEqual({ type: "success", pendingToolCallIds: [start?.toolCallId] });
    expect(ofType(run, "TOOL_CALL_RESULT")).toEqual([]);
    const args = ofType(run, "TOOL_CALL_ARGS").map(({ delta }) => delta);
    expect(JSON.parse(args.join(""))).toEqual({ question: "sample" });
    await chat.expectInStep();
  });

  test("is answered by a tool message, and the agent goes on", async () => {
    const { chat, callId } = await called();
    const run = await chat.answer(callId, '{"answer":"yes"}', { tools });
    expect(run.text).toBe('ask_user says: {"answer":"yes"}');
    expect(run.outcome).toEqual({ type: "success" });
    await chat.expectInStep();
  });

  test("ag-ui 2667: stays known to the run, though the request that answers does not declare it", async () => {
    const { chat, callId } = await called();
    const run = await chat.answer(callId, '{"answer":"yes"}');
    expect(run.text).toBe('ask_user says: {"answer":"yes"}');
    expect(run.outcome).toEqual({ type: "success" });
  });

  test("ag-ui 2667: stays known when an approval comes in between", async () => {
    const chat = new Page(engine, crypto.randomUUID());
    await chat.say("Use my tool and delete notes.txt", { tools });
    const [interrupt] = chat.interrupts;
    const resumed = await chat.resume([
      { interruptId: interrupt?.id ?? "", status: "resolved", payload: { approved: true } },
    ]);
    expect(resumed.outcome?.pendingToolCallIds).toHaveLength(1);
    const run = await chat.answer(resumed.outcome?.pendingToolCallIds?.[0] ?? "", "done");
    expect(run.text).toContain("ask_user says: done");
  });

  test("is not called once its client speaks on without declaring it, for nobody would answer", async () => {
    const { chat, callId } = await called();
    await chat.answer(callId, "done");
    const run = await chat.say("Use my tool");
    expect(run.outcome).toEqual({ type: "success" });
    expect(ofType(run, "TOOL_CALL_START")).toEqual([]);
  });

  test("situation 14: answered by a client that sends its whole history is not called again", async () => {
    const { chat, callId } = await called();
    const run = await chat.answer(callId, "done", { tools });
    expect(ofType(run, "TOOL_CALL_START")).toEqual([]);
    const later = await chat.say("Hello", { tools });
    expect(ofType(later, "TOOL_CALL_START")).toEqual([]);
    const { messages } = await chat.stored();
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
    await chat.expectInStep();
  });

  test("answered twice counts once: the second is told apart and changes nothing", async () => {
    const { chat, callId } = await called();
    const { threadId } = chat.agent;
    const answer = (content: string, runId: string) =>
      runRaw(engine, { threadId, runId, messages: [{ role: "tool", toolCallId: callId, content }] });
    expect((await answer("first", "r1")).text).toBe("ask_user says: first");
    const before = (await chat.stored()).messages;
    const second = await answer("second", "r2");
    expect(second.text).toBe("");
    expect((await chat.stored()).messages).toEqual(before);
  });

  test("answered by a result for another call is refused by that call's id, and stays open", async () => {
    const { chat, callId } = await called();
    const { threadId } = chat.agent;
    const wrong = await runRaw(engine, {
      threadId,
      runId: "r",
      messages: [{ role: "tool", toolCallId: "call_ghost", content: "x" }],
    });
    expect(wrong.error).toMatchObject({
      code: "invalid_messages",
      message: expect.stringContaining("call_ghost"),
    });
    expect((await chat.answer(callId, "right")).text).toBe("ask_user says: right");
  });

  test("left unanswered by a user who moves on is closed with an error, and the thread goes on", async () => {
    const { chat, callId } = await called();
    expect((await chat.say("Hello", { tools })).text).toBe("You said: Hello");
    const { messages } = await chat.stored();
    expect(messages[2]).toMatchObject({ role: "tool", callId, isError: true });
    const late = await runRaw(engine, {
      threadId: chat.agent.threadId,
      runId: "r",
      messages: [{ role: "tool", toolCallId: callId, content: "too late" }],
    });
    expect(late.text).toBe("");
    expect((await chat.stored()).messages).toHaveLength(messages.length);
  });

  test("may say that it failed", async () => {
    const { chat, callId } = await called();
    chat.agent.addMessage({ id: "t", role: "tool", toolCallId: callId, content: "", error: "Closed." });
    expect((await chat.run({ tools })).text).toBe("ask_user failed: Closed.");
  });

  test("may answer with parts of text", async () => {
    const { chat, callId } = await called();
    chat.agent.addMessage({
      id: "t",
      role: "tool",
      toolCallId: callId,
      content: [
        { type: "text", text: "one " },
        { type: "text", text: "two" },
      ],
    });
    expect((await chat.run({ tools })).text).toBe("ask_user says: one two");
  });

  test("CopilotKit 2416: is not called over and over when the run after its answer fails", async () => {
    const { chat, callId } = await called();
    chat.agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: callId, content: "done" });
    const failed = await chat.say("Fail as unavailable", { tools });
    expect(failed.error?.code).toBe("model_unavailable");
    const retried = await chat.say("Hello", { tools });
    expect(retried.text).toBe("You said: Hello");
    expect(ofType(retried, "TOOL_CALL_START")).toEqual([]);
    await chat.expectInStep();
  }, 30_000);
});

describe("client, server and gated tools in one answer", () => {
  const prompt = "Use my tool, tell me the weather in Paris, and delete notes.txt";

  test("end as an interrupt with the client's call open beside it; each comes to its end", async () => {
    const chat = new Page(engine, crypto.randomUUID());
    const run = await chat.say(prompt, { tools });
    expect(run.outcome?.type).toBe("interrupt");
    const mine = ofType(run, "TOOL_CALL_START").find(({ toolCallName }) => toolCallName === "ask_user");
    expect(run.events.at(-1)).toHaveProperty("metadata", { pendingToolCallIds: [mine?.toolCallId] });
    expect(ofType(run, "TOOL_CALL_RESULT")).toHaveLength(1);
    expect(chat.interrupts).toHaveLength(1);
    await chat.expectInStep();
    const [interrupt] = chat.interrupts;
    const resume = [
      { interruptId: interrupt?.id ?? "", status: "resolved" as const, payload: { approved: true } },
    ];
    const resumed = await chat.resume(resume, { tools });
    expect(resumed.outcome).toEqual({ type: "success", pendingToolCallIds: [mine?.toolCallId] });
    expect(resumed.text).toBe("");
    const answered = await chat.answer(String(mine?.toolCallId), "ok", { tools });
    expect(answered.text).toContain("ask_user says: ok");
    expect(answered.text).toContain("Paris");
    expect(answered.text).toContain("Deleted notes.txt.");
    expect(effects(chat.state)).toHaveLength(2);
    await chat.expectInStep();
  });

  test("may be answered and approved in one request", async () => {
    const chat = new Page(engine, crypto.randomUUID());
    const run = await chat.say(prompt, { tools });
    const mine = ofType(run, "TOOL_CALL_START").find(({ toolCallName }) => toolCallName === "ask_user");
    const [interrupt] = chat.interrupts;
    const resume = [
      { interruptId: interrupt?.id ?? "", status: "resolved" as const, payload: { approved: true } },
    ];
    const both = await chat.answer(String(mine?.toolCallId), "ok", { tools, resume });
    expect(both.text).toContain("ask_user says: ok");
    expect(both.text).toContain("Deleted notes.txt.");
    expect(effects(chat.state)).toHaveLength(2);
    await chat.expectInStep();
  });

  test("the client's and the server's alone end as a success, the server's with its result", async () => {
    const chat = new Page(engine, crypto.randomUUID());
    const run = await chat.say("Use my tool and tell me the weather in Paris", { tools });
    expect(run.outcome?.type).toBe("success");
    expect(run.outcome?.pendingToolCallIds).toHaveLength(1);
    expect(ofType(run, "TOOL_CALL_RESULT")).toHaveLength(1);
    const [callId = ""] = run.outcome?.pendingToolCallIds ?? [];
    const answered = await chat.answer(callId, "ok", { tools });
    expect(answered.text).toContain("Paris");
    expect(effects(chat.state)).toHaveLength(1);
    await chat.expectInStep();
  });
});
