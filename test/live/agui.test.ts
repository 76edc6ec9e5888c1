import { HttpAgent } from "@ag-ui/client";
import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unicodePieces } from "../../src/agents/playground/replies.ts";
import { effects, headersOf, ofType, Page, post, readFrames, runRaw } from "../support/agui-client.ts";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

const page = (agent = "playground") => new Page(engine, crypto.randomUUID(), agent);

describe("the seed's samples, sent as printed", () => {
  test("a first message is answered with a stream that begins and ends as the seed shows", async () => {
    const threadId = crypto.randomUUID();
    const run = await runRaw(
      engine,
      {
        threadId,
        runId: "run-1",
        messages: [{ id: "msg-1", role: "user", content: "What plans do you offer?" }],
        tools: [],
        context: [],
        state: null,
      },
      "support",
    );
    expect(run.events[0]).toEqual({ type: "RUN_STARTED", threadId, runId: "run-1" });
    expect(run.events[1]?.type).toBe("STATE_SNAPSHOT");
    expect(run.text).toContain("Team");
    expect(run.events.at(-2)).toEqual({
      type: "CUSTOM",
      name: "usage",
      value: {
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      },
    });
    expect(run.events.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      threadId,
      runId: "run-1",
      outcome: { type: "success" },
    });
  });

  test("an approval, and a frontend tool's result without an id, are taken", async () => {
    const threadId = crypto.randomUUID();
    const tools = [{ name: "open_modal", description: "Opens a modal.", parameters: { type: "object" } }];
    const asked = await runRaw(engine, {
      threadId,
      runId: "run-1",
      messages: [{ id: "m", role: "user", content: "Delete notes.txt" }],
      tools,
    });
    const interruptId = asked.outcome?.interrupts?.[0]?.id;
    const resumed = await runRaw(engine, {
      threadId,
      runId: "run-2",
      messages: [],
      resume: [{ interruptId, status: "resolved", payload: { approved: true } }],
    });
    expect(resumed.text).toContain("Deleted notes.txt.");
    const called = await runRaw(engine, {
      threadId,
      runId: "run-3",
      messages: [{ id: "m2", role: "user", content: "Use my tool" }],
      tools,
    });
    const toolCallId = called.outcome?.pendingToolCallIds?.[0];
    expect(toolCallId).toBeDefined();
    const answered = await runRaw(engine, {
      threadId,
      runId: "run-4",
      messages: [{ role: "tool", toolCallId, content: '{"opened":true}' }],
    });
    expect(answered.text).toBe('open_modal says: {"opened":true}');
  });
});

describe("the real client hears", () => {
  test("a text, and the version of the protocol it asked in", async () => {
    const chat = page();
    const run = await chat.say("Hello");
    expect(run.text).toBe("You said: Hello");
    expect(run.events[0]).toHaveProperty("protocolVersion", "1.0");
    expect(run.outcome).toEqual({ type: "success" });
    await chat.expectInStep();
  });

  test("I25: a server tool with its arguments and result, and no null anywhere", async () => {
    const chat = page();
    const run = await chat.say("What is the weather in Paris?");
    expect(ofType(run, "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT")).toEqual([
      expect.objectContaining({ toolCallName: "weather", parentMessageId: expect.any(String) }),
      expect.objectContaining({ delta: '{"city":"Paris"}' }),
      expect.objectContaining({ type: "TOOL_CALL_END" }),
      expect.objectContaining({ content: '{"city":"Paris","celsius":13,"sky":"sunny"}', role: "tool" }),
    ]);
    expect(JSON.stringify(run.events)).not.toContain(":null");
    expect(run.text).toBe("Paris: 13 °C, sunny.");
    await chat.expectInStep();
  });

  test("two tools in parallel, each with its own result, each run once", async () => {
    const chat = page();
    const run = await chat.say("What is the weather in Paris and Oslo?");
    const ids = ofType(run, "TOOL_CALL_START").map(({ toolCallId }) => toolCallId);
    expect(new Set(ids).size).toBe(2);
    expect(ofType(run, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId)).toEqual(ids);
    expect(effects(chat.state)).toEqual(ids.map((id) => `weather ${id}`));
    await chat.expectInStep();
  });

  test("text and a call of one answer as one message", async () => {
    const chat = page();
    await chat.say("Say something first, then tell me the weather in Paris.");
    expect(chat.agent.messages[1]).toMatchObject({
      role: "assistant",
      content: "Let me see. ",
      toolCalls: [{ function: { name: "weather", arguments: '{"city":"Paris"}' } }],
    });
    await chat.expectInStep();
  });

  test("reasoning before the answer, in a span of its own", async () => {
    const chat = page();
    const run = await chat.say("Think about tea");
    expect(ofType(run, "REASONING_START", "REASONING_END")).toHaveLength(2);
    const thoughts = chat.agent.messages.filter(({ role }) => role === "reasoning");
    expect(thoughts.map(({ content }) => content)).toEqual([
      "The user wants me to think about tea I have thought about it.",
    ]);
    expect(run.text).toBe("I thought about tea");
    await chat.expectInStep();
    await chat.say("Hello");
    await chat.expectInStep();
  });

  test("a hundred pieces in order, and characters that are easily cut", async () => {
    const chat = page();
    const counted = await chat.say("Count to 100");
    expect(ofType(counted, "TEXT_MESSAGE_CONTENT").length).toBeGreaterThanOrEqual(80);
    expect(counted.text).toBe(`${Array.from({ length: 100 }, (_, n) => n + 1).join(", ")}.`);
    const spoken = await chat.say("Unicode");
    expect(spoken.text).toBe(unicodePieces.join(""));
    await chat.expectInStep();
  });

  test.each([
    ["Use the failing tool", "failing_tool failed: The failing tool failed, as always."],
    ["Call a tool that is not there", /no_such_tool/],
    ["Call a tool with wrong arguments", /^weather failed: /],
    ["Long tool output", "The tool returned 20000 characters."],
  ])("a call that goes wrong or long, with a result, and goes on: %s", async (prompt, said) => {
    const chat = page();
    const run = await chat.say(prompt);
    expect(run.text).toMatch(said);
    expect(ofType(run, "TOOL_CALL_RESULT")).toHaveLength(1);
    await chat.expectInStep();
  });

  test("how far a tool is, before its result", async () => {
    const run = await page().say("Use the slow tool for 50 ms");
    const types = run.events.map(({ type, name }) => `${type} ${name ?? ""}`.trim());
    expect(types.filter((type) => /^(CUSTOM progress|TOOL_CALL_RESULT)/.test(type))).toEqual([
      "CUSTOM progress",
      "CUSTOM progress",
      "TOOL_CALL_RESULT",
    ]);
  });

  test("an answer without words as a run that succeeds", async () => {
    const chat = page();
    const run = await chat.say("Say nothing");
    expect(run.outcome).toEqual({ type: "success" });
    expect(run.text).toBe("");
    expect((await chat.say("Hello")).text).toBe("You said: Hello");
    await chat.expectInStep();
  });

  test("a subagent as a step, its words told apart from the agent's", async () => {
    const chat = page();
    const run = await chat.say("Ask the helper for the weather in Rome");
    const order = ofType(run, "STEP_STARTED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "STEP_FINISHED");
    expect(order.map(({ type }) => type)).toEqual([
      "STEP_STARTED",
      "SUBAGENT_STARTED",
      "SUBAGENT_FINISHED",
      "STEP_FINISHED",
    ]);
    expect(order[0]).toHaveProperty("stepName", "helper");
    const inside = run.events.filter(
      ({ subagentRunId, type }) => subagentRunId !== undefined && !type.startsWith("SUBAGENT"),
    );
    expect(new Set(inside.map(({ subagentRunId }) => subagentRunId))).toEqual(
      new Set([order[1]?.subagentRunId]),
    );
    expect(inside.length).toBeGreaterThan(5);
    expect(run.text).toMatch(/^The helper says: Rome: /);
    await chat.expectInStep();
  });

  test("steps of the planner one after another, and the list ticked off in the state", async () => {
    const chat = page("planner");
    const run = await chat.say("Write a note about tea.");
    expect(ofType(run, "STEP_STARTED").map(({ stepName }) => stepName)).toEqual(["researcher", "writer"]);
    expect(chat.state.todos).toEqual([
      { text: "Find facts about tea", done: true },
      { text: "Write the draft", done: true },
      { text: "Check the draft", done: true },
    ]);
    await chat.expectInStep();
  });

  test("usage in the seed's form and in the protocol's own accounting", async () => {
    const run = await page().say("Hello");
    const value = ofType(run, "CUSTOM").find(({ name }) => name === "usage")?.value as {
      [n: string]: number;
    };
    const [usage] = ofType(run, "RUN_FINISHED").flatMap((end) => end.usage as { [n: string]: number }[]);
    expect(usage?.inputTokens).toBe(
      (value.inputTokens ?? 0) + (value.cacheReadTokens ?? 0) + (value.cacheWriteTokens ?? 0),
    );
    expect(usage?.totalTokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0));
    expect(usage?.inputTokens).toBeGreaterThan(0);
  });

  test("images and files by their kind, and reads a part it cannot use as a 400 that names it", async () => {
    const chat = page();
    chat.agent.addMessage({
      id: "u",
      role: "user",
      content: [
        { type: "text", text: "What did I send?" },
        { type: "image", source: { type: "data", value: "iVBORw0KGgo=", mimeType: "image/png" } },
        {
          type: "document",
          source: { type: "url", value: "https://x.test/a.pdf", mimeType: "application/pdf" },
        },
      ],
    });
    expect((await chat.run()).text).toBe("You sent image (image/png), file (application/pdf).");
    await chat.say("Hello");
    await chat.expectInStep();
    const refused = await post(engine, {
      threadId: "",
      runId: "r",
      messages: [{ role: "user", content: [{ type: "image", source: { type: "file", value: "file-1" } }] }],
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      type: "RUN_ERROR",
      message: expect.stringContaining("messages[0].content[0].source.type"),
    });
  });
});

describe("a run that fails", () => {
  test.each(["rate_limited", "unavailable", "auth", "bad_request", "malformed"])(
    "I24: as %s is one RUN_ERROR under 200, and the thread goes on",
    async (kind) => {
      const chat = page();
      const run = await chat.say(`Fail as ${kind}`);
      expect(run.error).not.toBeNull();
      expect(ofType(run, "RUN_FINISHED")).toEqual([]);
      expect((await chat.say("Hello")).text).toBe("You said: Hello");
      await chat.expectInStep();
    },
    30_000,
  );

  test("ag-ui 2416, litellm 32159: in the middle of its answer closes what it began and says so", async () => {
    const chat = page();
    const run = await chat.say("Fail after some text as unavailable");
    expect(run.text).toBe("This answer begins well, ");
    expect(ofType(run, "TEXT_MESSAGE_END")).toHaveLength(1);
    expect(run.error?.code).toBe("model_unavailable");
    expect((await chat.say("Hello")).text).toBe("You said: Hello");
    await chat.expectInStep();
  }, 30_000);

  test("because it never comes to an end says which limit it met", async () => {
    const run = await page().say("Never stop");
    expect(run.error).toMatchObject({ code: "step_limit", message: expect.stringContaining("32 times") });
  });

  test("on a client's tool named like one of the agent's own says which", async () => {
    const run = await page().say("Hello", { tools: [{ name: "weather", description: "Mine." }] });
    expect(run.error).toMatchObject({
      code: "invalid_messages",
      message: expect.stringContaining("weather"),
    });
  });

  test("because a stateless turn cannot wait for a person does not run the tool", async () => {
    const run = await runRaw(engine, {
      threadId: "",
      runId: "r",
      messages: [{ role: "user", content: "Delete notes.txt" }],
    });
    expect(run.error?.code).toBe("session_required");
    expect(ofType(run, "TOOL_CALL_RESULT")).toMatchObject([
      { content: expect.stringContaining("was not run") },
    ]);
  });
});

describe("a turn without a thread", () => {
  test("has its whole conversation from the client, its thread id echoed empty, and no snapshot", async () => {
    const chat = new Page(engine, "");
    await chat.say("Remember the word kiwi");
    const run = await chat.say("What was the word?");
    expect(run.text).toBe("The word was kiwi.");
    expect(run.events[0]).toMatchObject({ threadId: "" });
    expect(ofType(run, "MESSAGES_SNAPSHOT")).toEqual([]);
  });

  test("takes its own calls, results and thoughts back as the client kept them", async () => {
    const chat = new Page(engine, "");
    await chat.say("What is the weather in Paris and Oslo?");
    await chat.say("Think about tea");
    await chat.say("Ask the helper for the weather in Rome");
    expect((await chat.say("Hello")).text).toBe("You said: Hello");
  });

  test("can call the client's tool and go on with its result", async () => {
    const chat = new Page(engine, "");
    const tools = [{ name: "ask_browser", description: "Asks.", parameters: { type: "object" } }];
    const called = await chat.say("Use my tool", { tools });
    const [callId = ""] = called.outcome?.pendingToolCallIds ?? [];
    expect((await chat.answer(callId, "Firefox", { tools })).text).toBe("ask_browser says: Firefox");
  });

  test("refuses a result that answers no call, naming it", async () => {
    const run = await runRaw(engine, {
      threadId: "",
      runId: "r",
      messages: [{ role: "tool", toolCallId: "call_ghost", content: "Boo" }],
    });
    expect(run.error).toMatchObject({
      code: "invalid_messages",
      message: expect.stringContaining("call_ghost"),
    });
  });
});

describe("before there is a stream", () => {
  const input = { threadId: "", runId: "r", messages: [{ role: "user", content: "Hello" }] };

  test.each([
    ["without a credential", 401, { headers: { authorization: "" } }, input],
    ["with a wrong credential", 401, { headers: { authorization: "Bearer nobody" } }, input],
    ["for an agent that is not there", 404, { agent: "nobody" }, input],
    ["for an agent named like a member of objects", 404, { agent: "constructor" }, input],
    ["with a body that is no JSON", 400, {}, "{"],
    ["with an empty body", 400, {}, ""],
    ["without a thread id", 400, {}, { runId: "r", messages: [] }],
    ["with a role nobody knows", 400, {}, { ...input, messages: [{ role: "robot" }] }],
    [
      "with a __proto__ in the state",
      400,
      {},
      '{"threadId":"t","runId":"r","messages":[],"state":{"__proto__":1}}',
    ],
    ["with a body too large", 413, {}, { ...input, forwardedProps: "x".repeat(8_400_000) }],
    ["with another content type", 415, { headers: { "content-type": "text/plain" } }, input],
  ])("a request %s is a RUN_ERROR under %i", async (_, status, init, body) => {
    const response = await post(engine, body, init);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("x-request-id")).toMatch(/./);
    expect(await response.json()).toEqual({
      type: "RUN_ERROR",
      message: expect.any(String),
      code: expect.any(String),
    });
  });

  test("a method or an address that is not there is a RUN_ERROR too", async () => {
    const wrongMethod = await fetch(`${engine.url}/agui/v1/agents/playground`, {
      headers: headersOf(engine),
    });
    expect(wrongMethod.status).toBe(405);
    expect(await wrongMethod.json()).toMatchObject({ type: "RUN_ERROR" });
    const nowhere = await fetch(`${engine.url}/agui/v1/nowhere`, { headers: headersOf(engine) });
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toMatchObject({ type: "RUN_ERROR" });
  });

  test("HttpAgent gets the status and the message of a refusal", async () => {
    const agent = new HttpAgent({ url: `${engine.url}/agui/v1/agents/nobody`, headers: headersOf(engine) });
    const error = console.error;
    console.error = () => undefined;
    await expect(agent.runAgent()).rejects.toMatchObject({
      status: 404,
      payload: {
        type: "RUN_ERROR",
        message: 'There is no agent "nobody". There is freight, planner, playground, support.',
      },
    });
    console.error = error;
  });

  test.each(["*/*", "application/*", "application/vnd.ag-ui.event+proto", "application/json", ""])(
    "the stream is text whatever is accepted: %s",
    async (accept) => {
      const response = await post(engine, input, { headers: { accept } });
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
      expect(response.headers.get("x-greenroom-model")).toBe("scripted");
      const text = await response.text();
      expect(text).not.toContain("\r");
      expect(readFrames(text).at(-1)?.event.type).toBe("RUN_FINISHED");
    },
  );

  test("x-api-key is a credential as well", async () => {
    const response = await post(engine, input, { headers: { authorization: "", "x-api-key": engine.token } });
    expect(response.status).toBe(200);
    await response.text();
  });
});

test("an agent says what it can do, in the protocol's own words", async () => {
  const response = await fetch(`${engine.url}/agui/v1/agents/playground/capabilities`, {
    headers: headersOf(engine),
  });
  expect(response.status).toBe(200);
  const capabilities: unknown = await response.json();
  expect(AgentCapabilitiesSchema.safeParse(capabilities).error?.issues ?? []).toEqual([]);
  expect(capabilities).toMatchObject({
    identity: { name: "playground" },
    humanInTheLoop: { interrupts: true, approveWithEdits: true },
    multiAgent: { subagents: [{ name: "helper" }] },
  });
});

test("a page of another origin that is listed can read the stream", async () => {
  const response = await post(
    engine,
    { threadId: "", runId: "r", messages: [{ role: "user", content: "Hello" }] },
    { headers: { origin: "http://localhost:5173" } },
  );
  expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  await response.text();
});
