import type { Interrupt } from "@ag-ui/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effects, ofType, Page, post, replay, runRaw, storedSession } from "../support/agui-client.ts";
import { LiveEngine, until } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

const page = (threadId: string = crypto.randomUUID()) => new Page(engine, threadId);

const approve = (interrupt: Interrupt | undefined, payload: object = { approved: true }) => ({
  interruptId: interrupt?.id ?? "",
  status: "resolved" as const,
  payload,
});
const cancel = (interrupt: Interrupt | undefined) => ({
  interruptId: interrupt?.id ?? "",
  status: "cancelled" as const,
});

/** A page on which notes.txt waits to be deleted. */
async function waiting(prompt = "Delete notes.txt"): Promise<{ chat: Page; interrupts: Interrupt[] }> {
  const chat = page();
  const run = await chat.say(prompt);
  expect(run.outcome?.type).toBe("interrupt");
  return { chat, interrupts: chat.interrupts };
}

/** The interrupt whose call would delete this file. */
const about = (interrupts: Interrupt[], path: string) =>
  interrupts.find(({ metadata }) => metadata?.args?.path === path);

const filesOf = (chat: Page) => chat.state.files;

describe("a call that waits for approval", () => {
  test("ends its run as an interrupt that shows the call and how it may be answered", async () => {
    const { chat, interrupts } = await waiting();
    expect(interrupts).toEqual([
      {
        id: expect.stringMatching(/^int_/),
        reason: "tool_call",
        message: "Delete notes.txt for good?",
        toolCallId: expect.any(String),
        responseSchema: expect.objectContaining({ type: "object" }),
        metadata: {
          toolName: "delete_file",
          args: { path: "notes.txt" },
          allowedDecisions: ["approve", "edit", "reject"],
        },
      },
    ]);
    expect(interrupts[0]?.responseSchema?.properties).toHaveProperty("editedArgs");
    expect(effects(chat.state)).toEqual([]);
    await chat.expectInStep();
  });

  test("I26: runs on { approved: true } alone, its result under the old call id and the call not sent again", async () => {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts;
    const run = await chat.resume([approve(interrupt)]);
    expect(run.outcome).toEqual({ type: "success" });
    expect(ofType(run, "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END")).toEqual([]);
    expect(ofType(run, "TOOL_CALL_RESULT")).toEqual([
      expect.objectContaining({ toolCallId: interrupt?.toolCallId, content: "Deleted notes.txt." }),
    ]);
    expect(filesOf(chat)).toEqual(["report.txt"]);
    expect(effects(chat.state)).toEqual([`delete_file ${interrupt?.toolCallId}`]);
    expect(chat.interrupts).toEqual([]);
    await chat.expectInStep();
  });

  test.each([
    ["{ approved: false }", (one: Interrupt) => approve(one, { approved: false })],
    ["cancelled", (one: Interrupt) => cancel(one)],
    [
      "{ approved: false } with edits",
      (one: Interrupt) => approve(one, { approved: false, editedArgs: { path: "report.txt" } }),
    ],
  ])("does not run on %s, and the agent is told", async (_, answer) => {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts as [Interrupt];
    const run = await chat.resume([answer(interrupt)]);
    expect(run.outcome).toEqual({ type: "success" });
    expect(run.text).toContain("A person refused this call of delete_file; it was not run.");
    expect(filesOf(chat)).toEqual(["notes.txt", "report.txt"]);
    expect(effects(chat.state)).toEqual([]);
    await chat.expectInStep();
  });

  test("tells the agent why it was refused", async () => {
    const { chat, interrupts } = await waiting();
    const run = await chat.resume([approve(interrupts[0], { approved: false, reason: "Still needed." })]);
    expect(run.text).toContain("Reason: Still needed.");
  });

  test.each([
    ["alone", { editedArgs: { path: "report.txt" } }],
    ["beside approved", { approved: true, editedArgs: { path: "report.txt" } }],
  ])("runs with edited arguments %s, whole", async (_, payload) => {
    const { chat, interrupts } = await waiting();
    const run = await chat.resume([approve(interrupts[0], payload)]);
    expect(run.text).toContain("Deleted report.txt.");
    expect(filesOf(chat)).toEqual(["notes.txt"]);
    await chat.expectInStep();
    const { messages } = await chat.stored();
    expect(messages.find(({ role }) => role === "tool")).toMatchObject({ edited: { path: "report.txt" } });
  });

  test.each([
    ["no payload", undefined, "invalid_resume"],
    ["an empty payload", {}, "invalid_resume"],
    ["a yes that is a word", { approved: "yes" }, "invalid_resume"],
    ["arguments that do not fit the tool", { editedArgs: { path: 7 } }, "invalid_resume"],
    ["arguments that lack what is needed", { editedArgs: {} }, "invalid_resume"],
  ])("is kept when it is answered with %s", async (_, payload, code) => {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts;
    const entry = { interruptId: interrupt?.id ?? "", status: "resolved" as const };
    const refused = await chat.resume([payload === undefined ? entry : { ...entry, payload }]);
    expect(refused.error?.code).toBe(code);
    expect(refused.error?.message).toMatch(new RegExp(`${interrupt?.id}|delete_file`));
    expect((await chat.stored()).interrupts.map(({ id }) => id)).toEqual([interrupt?.id]);
    expect((await chat.resume([approve(interrupt)])).text).toContain("Deleted notes.txt.");
  });

  test("is kept when another interrupt is answered, or the same one twice", async () => {
    const { chat, interrupts } = await waiting();
    const { threadId } = chat.agent;
    const entry = approve(interrupts[0]);
    const base = { threadId, runId: "r", messages: [] };
    const wrong = await runRaw(engine, { ...base, resume: [{ ...entry, interruptId: "int_ghost" }] });
    expect(wrong.error).toMatchObject({
      code: "unknown_interrupt",
      message: expect.stringContaining("int_ghost"),
    });
    const twice = await runRaw(engine, { ...base, resume: [entry, entry] });
    expect(twice.error?.code).toBe("invalid_resume");
    const foreign = await runRaw(engine, { ...base, threadId: crypto.randomUUID(), resume: [entry] });
    expect(foreign.error?.code).toBe("unknown_interrupt");
    expect((await chat.resume([entry])).text).toContain("Deleted notes.txt.");
  });

  test("can be decided in the inbox, which shows it, and goes on by itself", async () => {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts;
    const listed = (await (await engine.api("/api/approvals?status=pending&limit=100")).json()) as {
      items: { id: string; session: string }[];
    };
    expect(listed.items).toContainEqual(
      expect.objectContaining({ id: interrupt?.id, session: chat.agent.threadId }),
    );
    const decided = await engine.api(`/api/approvals/${interrupt?.id}/approve`, { method: "POST" });
    expect(decided.status).toBe(200);
    await until(async () => (await chat.stored()).messages.at(-1)?.role === "assistant", 10_000);
    // The page knows nothing of it yet and approves as well: the same decision, and nothing runs again.
    const late = await chat.resume([approve(interrupt)]);
    expect(late.error).toBeNull();
    expect(effects(chat.state)).toHaveLength(1);
    await chat.expectInStep();
  });

  test("once decided in the inbox cannot be decided otherwise on the wire", async () => {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts;
    await engine.api(`/api/approvals/${interrupt?.id}/reject`, { body: { reason: "Not today." } });
    await until(async () => (await chat.stored()).messages.at(-1)?.role === "assistant", 10_000);
    const late = await chat.resume([approve(interrupt)]);
    expect(late.error).not.toBeNull();
    expect((await chat.stored()).state.files).toEqual(["notes.txt", "report.txt"]);
  });
});

describe("situation 1: two calls that wait in one turn", () => {
  test.each([
    ["in order", false],
    ["the other way round", true],
  ])("have ids of their own, and answers %s each reach their call", async (_, reversed) => {
    const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
    expect(new Set(interrupts.map(({ id }) => id)).size).toBe(2);
    const notes = about(interrupts, "notes.txt");
    const entries = [approve(notes), cancel(about(interrupts, "report.txt"))];
    const run = await chat.resume(reversed ? entries.reverse() : entries);
    expect(filesOf(chat)).toEqual(["report.txt"]);
    expect(effects(chat.state)).toEqual([`delete_file ${notes?.toolCallId}`]);
    const results = new Map(ofType(run, "TOOL_CALL_RESULT").map((one) => [one.toolCallId, one.content]));
    expect(results.get(notes?.toolCallId)).toBe("Deleted notes.txt.");
    expect(results.get(about(interrupts, "report.txt")?.toolCallId)).toContain("refused");
    await chat.expectInStep();
  });

  test("are not answered by half an answer, which changes nothing", async () => {
    const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
    const half = await runRaw(engine, {
      threadId: chat.agent.threadId,
      runId: "r",
      messages: [],
      resume: [approve(interrupts[0])],
    });
    expect(half.error).toMatchObject({
      code: "incomplete_resume",
      message: expect.stringContaining(interrupts[1]?.id ?? "?"),
    });
    expect((await chat.stored()).interrupts).toHaveLength(2);
    await chat.resume(interrupts.map((one) => approve(one)));
    expect(filesOf(chat)).toEqual([]);
    await chat.expectInStep();
  });

  test("may be decided one in the inbox and the other here", async () => {
    const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
    const [first, second] = interrupts;
    await engine.api(`/api/approvals/${first?.id}/reject`, { body: {} });
    expect((await chat.stored()).interrupts.map(({ id }) => id)).toEqual([second?.id]);
    const run = await runRaw(engine, {
      threadId: chat.agent.threadId,
      runId: "r",
      messages: [],
      resume: [approve(second)],
    });
    expect(run.error).toBeNull();
    expect((await chat.stored()).state.files).toEqual(["notes.txt"]);
  });
});

test("situation 2: finished siblings of a call that waits are not run again", async () => {
  const { chat, interrupts } = await waiting("Tell me the weather in Paris and delete notes.txt");
  const before = effects(chat.state);
  expect(before).toHaveLength(1);
  expect(before[0]).toMatch(/^weather /);
  await chat.resume([approve(interrupts[0])]);
  expect(effects(chat.state)).toEqual([...before, `delete_file ${interrupts[0]?.toolCallId}`]);
  await chat.expectInStep();
});

describe("situation 3: a call inside a subagent", () => {
  test("pauses the whole run, runs as stored when approved, and is not asked for again", async () => {
    const { chat, interrupts } = await waiting("Ask the helper to delete notes.txt");
    const [interrupt] = interrupts;
    expect(interrupts).toHaveLength(1);
    const started = chat.agent.messages.find(
      (message) =>
        message.role === "assistant" && message.toolCalls?.some(({ id }) => id === interrupt?.toolCallId),
    );
    expect(started).toHaveProperty("subagentRunId", interrupt?.subagentRunId);
    const run = await chat.resume([approve(interrupt)]);
    expect(run.outcome).toEqual({ type: "success" });
    expect(ofType(run, "TOOL_CALL_START")).toEqual([]);
    expect(ofType(run, "STEP_STARTED", "STEP_FINISHED")).toHaveLength(2);
    expect(run.text).toContain("Deleted notes.txt.");
    expect(effects(chat.state)).toEqual([`delete_file ${interrupt?.toolCallId}`]);
    await chat.expectInStep();
  });

  test("its card stays on the page until its result comes, right behind the call", async () => {
    const { chat, interrupts } = await waiting("Ask the helper to delete notes.txt");
    const callId = interrupts[0]?.toolCallId;
    await chat.resume([approve(interrupts[0])]);
    const rows = chat.agent.messages;
    const card = rows.findIndex(
      (message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === callId),
    );
    expect(card).toBeGreaterThan(-1);
    expect(rows[card + 1]).toMatchObject({ role: "tool", toolCallId: callId });
  });

  test("may be refused; the subagent says so and the run goes on", async () => {
    const { chat, interrupts } = await waiting("Ask the helper to delete notes.txt");
    const run = await chat.resume([cancel(interrupts[0])]);
    expect(run.outcome).toEqual({ type: "success" });
    expect(run.text).toContain("refused");
    expect(filesOf(chat)).toEqual(["notes.txt", "report.txt"]);
    await chat.expectInStep();
  });
});

test("situation 4: an approved call has its result right behind it in the thread, also when the tool fails", async () => {
  const { chat, interrupts } = await waiting("Delete nothing.txt");
  const run = await chat.resume([approve(interrupts[0])]);
  expect(run.outcome).toEqual({ type: "success" });
  const { messages } = await chat.stored();
  const [, answer, result] = messages;
  expect(answer?.role).toBe("assistant");
  expect(result).toMatchObject({
    role: "tool",
    callId: interrupts[0]?.toolCallId,
    content: "There is no file nothing.txt.",
    isError: true,
  });
  expect((await chat.say("Hello")).text).toBe("You said: Hello");
});

test("situation 5: a refusal is an ordinary result with an error mark, and the thread goes on", async () => {
  const { chat, interrupts } = await waiting();
  await chat.resume([approve(interrupts[0], { approved: false, reason: "Keep it." })]);
  const { messages } = await chat.stored();
  expect(messages[2]).toMatchObject({ role: "tool", callId: interrupts[0]?.toolCallId, isError: true });
  expect((await chat.say("What is the weather in Paris?")).text).toContain("Paris");
  await chat.expectInStep();
});

describe("situation 6: a message while an approval is open", () => {
  test("is refused as an event of a 200 stream, and changes nothing", async () => {
    const { chat, interrupts } = await waiting();
    const before = await chat.stored();
    const run = await runRaw(engine, {
      threadId: chat.agent.threadId,
      runId: "r",
      messages: [{ id: "late", role: "user", content: "Hello?" }],
    });
    expect(run.error).toEqual({
      code: "approval_pending",
      message: "A tool approval is pending for this session — decide it before sending a new message.",
    });
    expect(await chat.stored()).toEqual(before);
    await chat.resume([approve(interrupts[0])]);
    expect(filesOf(chat)).toEqual(["report.txt"]);
    await chat.expectInStep();
  });

  test("that stays on the page comes along with the decision, and is answered after it", async () => {
    const { chat, interrupts } = await waiting();
    const keep = [...chat.agent.pendingInterrupts];
    // Another page that knows nothing of the interrupt, as after a reload.
    const other = new Page(engine, chat.agent.threadId, "playground", chat.agent.messages);
    const refused = await other.say("What is the weather in Oslo?");
    expect(refused.error?.code).toBe("approval_pending");
    const run = await other.resume([approve(keep[0])]);
    expect(run.outcome).toEqual({ type: "success" });
    expect(effects(other.state)[0]).toBe(`delete_file ${interrupts[0]?.toolCallId}`);
    expect(run.text).toContain("Oslo");
    // The page has the result right behind the call, and so does the model, whatever was stored first.
    expect(other.agent.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
  });
});

test("situations 7, 16 and 17: after a restart the stream, the thread and the inbox agree, and it can be resumed", async () => {
  const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
  await engine.killAndWait();
  const ids = interrupts.map(({ id }) => id);
  expect((await chat.stored()).interrupts.map(({ id }) => id)).toEqual(ids);
  const listed = (await (await engine.api("/api/approvals?status=pending&limit=100")).json()) as {
    items: { id: string; session: string }[];
  };
  const mine = listed.items.filter(({ session }) => session === chat.agent.threadId).map(({ id }) => id);
  expect(mine.toSorted()).toEqual(ids.toSorted());
  const shown = (await replay(engine, chat.agent.threadId)).at(-1)?.event.outcome as {
    interrupts: { id: string }[];
  };
  expect(shown.interrupts.map(({ id }) => id)).toEqual(ids);
  const run = await chat.resume(interrupts.map((one) => approve(one)));
  expect(run.outcome).toEqual({ type: "success" });
  expect(filesOf(chat)).toEqual([]);
  expect(effects(chat.state)).toHaveLength(2);
  await chat.expectInStep();
});

test("situation 8: a reload in the middle of two answers cannot cross them, and a wrong id is an error", async () => {
  const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
  const { threadId } = chat.agent;
  const shown = (await replay(engine, threadId)).at(-1)?.event.outcome as { interrupts: Interrupt[] };
  expect(shown.interrupts).toEqual(interrupts);
  const reloaded = page(threadId);
  const crossed = await reloaded.resume([
    approve(about(shown.interrupts, "notes.txt")),
    { interruptId: interrupts[0]?.toolCallId ?? "", status: "resolved", payload: { approved: true } },
  ]);
  expect(crossed.error?.code).toBe("unknown_interrupt");
  await reloaded.resume([
    cancel(about(shown.interrupts, "report.txt")),
    approve(about(shown.interrupts, "notes.txt")),
  ]);
  expect(filesOf(reloaded)).toEqual(["report.txt"]);
});

test("situation 9: a page that sends its whole transcript with the decision adds nothing to the thread", async () => {
  const { chat, interrupts } = await waiting();
  const sent = chat.agent.messages.map(({ id }) => id);
  expect(sent).toHaveLength(2);
  await chat.resume([approve(interrupts[0])]);
  await chat.say("Hello");
  const ids = (await chat.stored()).messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(6);
  await chat.expectInStep();
});

test("situation 12: a decision that is sent again is taken as made: nothing runs twice, and the run succeeds", async () => {
  const { chat, interrupts } = await waiting();
  const resume = [approve(interrupts[0])];
  const base = { threadId: chat.agent.threadId, messages: [], resume };
  const first = await runRaw(engine, { ...base, runId: "r1" });
  expect(first.outcome).toEqual({ type: "success" });
  for (const runId of ["r1", "r2"]) {
    const again = await runRaw(engine, { ...base, runId });
    expect(again.outcome).toEqual({ type: "success" });
    expect(again.events[0]).toMatchObject({ runId });
  }
  const { state, messages } = await chat.stored();
  expect(effects(state)).toHaveLength(1);
  expect(messages).toHaveLength(4);
});

test("a decision that is sent again with a new message answers the message", async () => {
  const { chat, interrupts } = await waiting();
  await engine.api(`/api/approvals/${interrupts[0]?.id}/approve`, { method: "POST" });
  await until(async () => (await chat.stored()).messages.at(-1)?.role === "assistant", 10_000);
  const run = await chat.say("Hello", { resume: [approve(interrupts[0])] });
  expect(run.text).toBe("You said: Hello");
});

test("situation 13: a new page that asks something else is told what is open, and the old run can be resumed", async () => {
  const { chat, interrupts } = await waiting();
  const { threadId } = chat.agent;
  const fresh = page(threadId);
  const run = await fresh.say("What is the weather in Paris?");
  expect(run.error?.code).toBe("approval_pending");
  const shown = (await replay(engine, threadId)).at(-1)?.event.outcome as { interrupts: Interrupt[] };
  expect(shown.interrupts).toEqual(interrupts);
  const resumed = await page(threadId).resume([approve(shown.interrupts[0])]);
  expect(resumed.text).toContain("Deleted notes.txt.");
});

test("situation 15: two calls of the same tool, approved together, both come to an end", async () => {
  const { chat, interrupts } = await waiting("Delete notes.txt and report.txt");
  const run = await chat.resume(interrupts.map((one) => approve(one)));
  const results = ofType(run, "TOOL_CALL_RESULT");
  expect(results.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(
    interrupts.map(({ toolCallId }) => toolCallId).toSorted(),
  );
  const rows = chat.agent.messages.filter(({ role }) => role === "tool");
  expect(rows).toHaveLength(2);
  await chat.expectInStep();
});

test("situation 18: an approval the moment the pause is seen finds it stored", async () => {
  const big = `Delete notes.txt. ${"x".repeat(200_000)}`;
  for (let round = 0; round < 5; round += 1) {
    const { chat, interrupts } = await waiting(big);
    expect((await chat.resume([approve(interrupts[0])])).outcome).toEqual({ type: "success" });
    expect(effects(chat.state)).toHaveLength(1);
  }
});

test("a decision in the same moment by inbox and wire is taken once, whichever comes first", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { chat, interrupts } = await waiting();
    const [interrupt] = interrupts;
    const [run, inbox] = await Promise.all([
      chat.resume([approve(interrupt)]),
      engine.api(`/api/approvals/${interrupt?.id}/reject`, { body: {} }),
    ]);
    await until(async () => !(await chat.stored()).running, 10_000);
    const { state, messages } = await chat.stored();
    const wireWon = effects(state).length === 1;
    expect(inbox.status).toBe(wireWon ? 409 : 200);
    if (!wireWon) expect(run.error).not.toBeNull();
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
  }
});

test("support refunds an order once a person has said so, with the amount the person chose", async () => {
  const chat = new Page(engine, crypto.randomUUID(), "support");
  const asked = await chat.say("I want a refund for order 1042, it arrived broken.");
  expect(asked.outcome?.type).toBe("interrupt");
  const [interrupt] = chat.interrupts;
  expect(interrupt?.message).toContain("1042");
  const editedArgs = { ...(interrupt?.metadata?.args as object), amount: 5 };
  const run = await chat.resume([approve(interrupt, { editedArgs })]);
  expect(run.error).toBeNull();
  expect(chat.state.refunds).toEqual([expect.objectContaining({ orderId: "1042", amount: 5 })]);
  await chat.expectInStep();
});

test("a runtime killed in the middle of a run: the thread's events go on to the run's end, and no tool runs twice", async () => {
  const threadId = crypto.randomUUID();
  const asked = { role: "user", content: "Tell me the weather in Paris and use the slow tool for 3000 ms" };
  const response = await post(engine, { threadId, runId: "r", messages: [asked] });
  let text = "";
  const decoder = new TextDecoder();
  const broken = (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch((error: unknown) => error);
  await until(() => text.includes("TOOL_CALL_RESULT"), 10_000);
  await engine.killAndWait();
  await broken;
  const frames = await replay(engine, threadId);
  expect(frames[0]?.event).toMatchObject({ type: "RUN_STARTED", threadId, runId: "r" });
  expect(frames.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  const { state, messages } = await storedSession(engine, "playground", threadId);
  const ran = effects(state);
  expect(ran.map((effect) => effect.split(" ")[0]).toSorted()).toEqual(["slow_tool", "weather"]);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(2);
  const shown = new Page(engine, threadId);
  expect((await shown.say("Hello")).text).toBe("You said: Hello");
});
