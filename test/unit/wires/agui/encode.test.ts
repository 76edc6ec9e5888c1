import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Interrupt, SubagentRef, TurnEvent } from "../../../../src/turn/index.ts";
import { AguiEncoder, refusedRun } from "../../../../src/wires/agui/encode.ts";
import type { AguiEvent } from "../../../../src/wires/agui/events.ts";
import { frameEncoder, frames } from "../../../../src/wires/agui/frames.ts";
import { encoded, ended, hear, spent, started } from "./oracle.ts";

const helper: SubagentRef = { id: "call_task", name: "helper" };

const says = (messageId: string, text: string, subagent?: SubagentRef): TurnEvent[] => {
  const by = subagent === undefined ? {} : { subagent };
  return [
    { type: "text-start", messageId, ...by },
    { type: "text-delta", messageId, delta: text, ...by },
    { type: "text-end", messageId, ...by },
  ];
};

const calls = (
  callId: string,
  name: string,
  args: string[],
  by: { messageId: string; subagent?: SubagentRef; clientTool?: boolean },
): TurnEvent[] => {
  const { messageId, clientTool = false, subagent } = by;
  const tag = subagent === undefined ? {} : { subagent };
  return [
    { type: "call-start", callId, name, messageId, clientTool, ...tag },
    ...args.map((delta): TurnEvent => ({ type: "call-args", callId, delta, ...tag })),
    { type: "call-end", callId, ...tag },
  ];
};

const answers = (callId: string, content: string, subagent?: SubagentRef): TurnEvent => ({
  type: "call-result",
  callId,
  messageId: `${callId}-m`,
  content,
  isError: false,
  ...(subagent === undefined ? {} : { subagent }),
});

const interrupt = (id: string, callId: string, subagent?: string): Interrupt => ({
  id,
  callId,
  tool: "delete_file",
  args: { path: "notes.txt" },
  message: "Delete notes.txt for good?",
  allowedDecisions: ["approve", "edit", "reject"],
  argsSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  },
  createdAt: "2026-10-18T21:05:00.000Z",
  ...(subagent === undefined ? {} : { subagent }),
});

const paused = (interrupts: Interrupt[], pendingCallIds: string[] = []): TurnEvent => ({
  type: "turn-end",
  outcome: { type: "interrupt", interrupts, pendingCallIds },
});

const failed: TurnEvent = {
  type: "turn-end",
  outcome: {
    type: "failed",
    failure: { code: "model_rate_limited", message: "Too many requests.", retryable: true },
  },
};

const step = (type: "step-start" | "step-end", subagent = helper): TurnEvent => ({
  type,
  subagent,
  parentCallId: subagent.id,
});

const noState: TurnEvent = { type: "state-snapshot", state: {} };

const types = (events: AguiEvent[]): string[] => events.map(({ type }) => type);

describe("a text", () => {
  test("is the seed's stream, with the state before it and usage in both accountings", async () => {
    const events = encoded([
      started,
      noState,
      ...says("msg_1", "We offer Free, Pro and Team plans."),
      spent,
      ended,
    ]);
    expect(frames(events)).toBe(
      [
        '{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"}',
        '{"type":"STATE_SNAPSHOT","snapshot":{}}',
        '{"type":"TEXT_MESSAGE_START","messageId":"msg_1","role":"assistant"}',
        '{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"We offer Free, Pro and Team plans."}',
        '{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}',
        '{"type":"CUSTOM","name":"usage","value":{"inputTokens":42,"outputTokens":9,"cacheReadTokens":100,"cacheWriteTokens":7}}',
        '{"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-1","outcome":{"type":"success"},"usage":[{"provider":"openai","model":"gpt-5-mini","inputTokens":149,"outputTokens":9,"totalTokens":158,"reasoningTokens":3,"cachedInputTokens":100,"cacheWriteInputTokens":7}]}',
      ]
        .map((line) => `data: ${line}\n\n`)
        .join(""),
    );
    const heard = await hear(events);
    expect(heard.messages).toEqual([
      { id: "msg_1", role: "assistant", content: "We offer Free, Pro and Team plans." },
    ]);
  });

  test("names the protocol's version to a client that named its own", async () => {
    const events = encoded([started, ended], { declareVersion: true });
    expect(events[0]).toEqual({
      type: "RUN_STARTED",
      threadId: "thread-1",
      runId: "run-1",
      protocolVersion: "1.0",
    });
    await hear(events);
  });

  test("keeps whatever characters it is made of, one line a frame", async () => {
    const text = "Grüße 👩‍👩‍👧‍👦\r\n\u2028\u0000\n\ndata: x\n\n é";
    const events = encoded([started, ...says("m", text), ended]);
    const stream = frames(events);
    expect(stream).not.toContain("\r");
    expect(stream.split("\n\n")).toHaveLength(events.length + 1);
    expect((await hear(events)).messages).toEqual([{ id: "m", role: "assistant", content: text }]);
  });

  test("of which one message has two, around a call, is one message of the client", async () => {
    const { messages } = await hear(
      encoded([
        started,
        ...says("m", "Let me see. "),
        ...calls("c", "weather", ['{"city":', '"Paris"}'], { messageId: "m" }),
        ...says("m", "There."),
        answers("c", "sunny"),
        ...says("m2", "It is sunny."),
        ended,
      ]),
    );
    expect(messages).toEqual([
      {
        id: "m",
        role: "assistant",
        content: "Let me see. There.",
        toolCalls: [
          { id: "c", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
        ],
      },
      { id: "c-m", role: "tool", toolCallId: "c", content: "sunny" },
      { id: "m2", role: "assistant", content: "It is sunny." },
    ]);
  });
});

describe("tool calls", () => {
  test("in parallel hang on the message that made them, each with its result", async () => {
    const events = encoded([
      started,
      ...calls("a", "weather", ['{"city":"Paris"}'], { messageId: "m" }),
      ...calls("b", "weather", ['{"city":"Oslo"}'], { messageId: "m" }),
      answers("b", "rainy"),
      answers("a", "sunny"),
      ended,
    ]);
    expect(events.filter(({ type }) => type === "TOOL_CALL_START")).toEqual([
      { type: "TOOL_CALL_START", toolCallId: "a", toolCallName: "weather", parentMessageId: "m" },
      { type: "TOOL_CALL_START", toolCallId: "b", toolCallName: "weather", parentMessageId: "m" },
    ]);
    const { messages } = await hear(events);
    expect(messages.map(({ id }) => id)).toEqual(["m", "b-m", "a-m"]);
  });

  test("I25: carry no null, whatever they lack", () => {
    const events = encoded([
      started,
      ...calls("a", "weather", ["{}"], { messageId: "m" }),
      answers("a", ""),
      paused([interrupt("int_1", "a")]),
    ]);
    const isNull = (value: unknown): boolean =>
      value === null ||
      (typeof value === "object" && Object.values(value ?? {}).some((inner) => isNull(inner)));
    expect(events.filter(isNull)).toEqual([]);
  });

  test("that failed say so in the metadata, which the client keeps with the message", async () => {
    const { messages } = await hear(
      encoded([
        started,
        ...calls("a", "failing_tool", ["{}"], { messageId: "m" }),
        { type: "call-result", callId: "a", messageId: "t", content: "It failed.", isError: true },
        ended,
      ]),
    );
    expect(messages[1]).toEqual({
      id: "t",
      role: "tool",
      toolCallId: "a",
      content: "It failed.",
      metadata: { isError: true },
    });
  });

  test("of the client are named as pending by the success they end with", async () => {
    const events = encoded([
      started,
      ...calls("a", "open_modal", ["{}"], { messageId: "m", clientTool: true }),
      {
        type: "turn-end",
        outcome: { type: "success", finish: { unified: "tool_calls", raw: null }, pendingCallIds: ["a"] },
      },
    ]);
    expect(events.at(-1)).toEqual({
      type: "RUN_FINISHED",
      threadId: "thread-1",
      runId: "run-1",
      outcome: { type: "success", pendingToolCallIds: ["a"] },
    });
    await hear(events);
  });

  test("may get their result in a later run, which does not repeat them", async () => {
    const [ask, first] = [
      { id: "u", role: "user" as const, content: "Delete it" },
      {
        id: "m",
        role: "assistant" as const,
        toolCalls: [
          { id: "a", type: "function" as const, function: { name: "delete_file", arguments: "{}" } },
        ],
      },
    ];
    const { messages } = await hear(
      encoded([started, answers("a", "Deleted."), ...says("m2", "Done."), ended]),
      { messages: [ask, first] },
    );
    expect(messages.map(({ id }) => id)).toEqual(["u", "m", "a-m", "m2"]);
  });
});

describe("reasoning", () => {
  const thinks = (
    id: string,
    deltas: string[],
    end: { signature?: string; redacted?: string } = {},
  ): TurnEvent[] => [
    { type: "reasoning-start", id, messageId: "m" },
    ...deltas.map((delta): TurnEvent => ({ type: "reasoning-delta", id, delta })),
    { type: "reasoning-end", id, ...end },
  ];

  test("is a span with a message of its own and its signature", async () => {
    const events = encoded([
      started,
      ...thinks("m-r1", ["Tea ", "is good."], { signature: "anthropic.c2ln" }),
      ...says("m", "Yes."),
      ended,
    ]);
    expect(events.slice(1, 8)).toEqual([
      { type: "REASONING_START", messageId: "m-r1" },
      { type: "REASONING_MESSAGE_START", messageId: "m-r1", role: "reasoning" },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "m-r1", delta: "Tea " },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "m-r1", delta: "is good." },
      { type: "REASONING_MESSAGE_END", messageId: "m-r1" },
      {
        type: "REASONING_ENCRYPTED_VALUE",
        subtype: "message",
        entityId: "m-r1",
        encryptedValue: "anthropic.c2ln",
      },
      { type: "REASONING_END", messageId: "m-r1" },
    ]);
    expect((await hear(events)).messages).toEqual([
      { id: "m-r1", role: "reasoning", content: "Tea is good.", encryptedValue: "anthropic.c2ln" },
      { id: "m", role: "assistant", content: "Yes." },
    ]);
  });

  test("of several thoughts in one answer keeps them apart", async () => {
    const { messages } = await hear(
      encoded([started, ...thinks("m-r1", ["One."]), ...thinks("m-r2", ["Two."]), ...says("m", "!"), ended]),
    );
    expect(messages.map(({ id }) => id)).toEqual(["m-r1", "m-r2", "m"]);
  });

  test("without a text is no row on a thread, and on a stateless turn only what has to come back", async () => {
    const turn = [
      started,
      ...thinks("m-r1", []),
      ...thinks("m-r2", [], { redacted: "anthropic.xyz" }),
      ended,
    ];
    expect(types(encoded(turn))).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    const { messages } = await hear(encoded(turn, { threadId: "" }));
    expect(messages).toEqual([
      { id: "m-r2", role: "reasoning", content: "", encryptedValue: "redacted:anthropic.xyz" },
    ]);
  });
});

describe("state", () => {
  test("is a snapshot and a delta that applies on it: null, deletion, keys with / and ~, names of prototypes", async () => {
    const { state } = await hear(
      encoded([
        started,
        { type: "state-snapshot", state: { gone: 1, "a/b": 1, "m~n": 1, nothing: 1 } },
        {
          type: "state-delta",
          patch: [
            { op: "remove", path: "/gone" },
            { op: "replace", path: "/a~1b", value: 2 },
            { op: "replace", path: "/m~0n", value: 3 },
            { op: "replace", path: "/nothing", value: null },
            { op: "add", path: "/constructor", value: "c" },
            { op: "add", path: "/toString", value: [1] },
          ],
        },
        ended,
      ]),
      { state: { stale: true } },
    );
    expect(state).toEqual({ "a/b": 2, "m~n": 3, nothing: null, constructor: "c", toString: [1] });
  });
});

describe("a subagent", () => {
  const turn = [
    started,
    ...calls("call_task", "task", ['{"subagent":"helper"}'], { messageId: "m" }),
    step("step-start"),
    ...calls("w", "weather", ["{}"], { messageId: "hm", subagent: helper }),
    answers("w", "sunny", helper),
    ...says("hm2", "It is sunny.", helper),
    answers("call_task", "It is sunny."),
    step("step-end"),
    ...says("m2", "The helper says: sunny."),
    spent,
    ended,
  ];

  test("is a step, and its work is told apart from the agent's", async () => {
    const events = encoded(turn);
    expect(events.slice(4, 6)).toEqual([
      { type: "STEP_STARTED", stepName: "helper" },
      {
        type: "SUBAGENT_STARTED",
        subagentRunId: "call_task",
        name: "helper",
        parentToolCallId: "call_task",
        parentMessageId: "m",
      },
    ]);
    expect(types(events.slice(-7))).toEqual([
      "SUBAGENT_FINISHED",
      "STEP_FINISHED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "CUSTOM",
      "RUN_FINISHED",
    ]);
    const { messages } = await hear(events);
    expect(messages.map((message) => [message.id, "subagentRunId" in message])).toEqual([
      ["m", false],
      ["call_task-m", false],
      ["hm", true],
      ["w-m", true],
      ["hm2", true],
      ["m2", false],
    ]);
  });

  test("leaves the model out of the usage: another one may have answered", () => {
    expect(encoded(turn).at(-1)).toHaveProperty("usage", [
      {
        inputTokens: 149,
        outputTokens: 9,
        totalTokens: 158,
        reasoningTokens: 3,
        cachedInputTokens: 100,
        cacheWriteInputTokens: 7,
      },
    ]);
  });

  test("beside another of the same name has a step name of its own", async () => {
    const other = { id: "call_other", name: "helper" };
    const third = { id: "call_third", name: "helper" };
    const events = encoded([
      started,
      step("step-start"),
      step("step-start", other),
      answers("call_task", ""),
      step("step-end"),
      step("step-start", third),
      answers("call_other", ""),
      step("step-end", other),
      answers("call_third", ""),
      step("step-end", third),
      ended,
    ]);
    expect(
      events.flatMap((event) => ("stepName" in event ? [`${event.type} ${event.stepName}`] : [])),
    ).toEqual([
      "STEP_STARTED helper",
      "STEP_STARTED helper 2",
      "STEP_FINISHED helper",
      "STEP_STARTED helper",
      "STEP_FINISHED helper 2",
      "STEP_FINISHED helper",
    ]);
    await hear(events);
  });

  test("that waits for a person is suspended, with the interrupts that are its own", async () => {
    const events = encoded([
      started,
      ...calls("call_task", "task", ["{}"], { messageId: "m" }),
      ...calls("mine", "delete_file", ["{}"], { messageId: "m" }),
      step("step-start"),
      ...calls("del", "delete_file", ["{}"], { messageId: "hm", subagent: helper }),
      step("step-end"),
      paused([interrupt("int_1", "mine"), interrupt("int_2", "del", "helper")]),
    ]);
    expect(events.slice(-3, -1)).toEqual([
      { type: "STEP_FINISHED", stepName: "helper" },
      {
        type: "SUBAGENT_FINISHED",
        subagentRunId: "call_task",
        outcome: { type: "suspended", interruptIds: ["int_2"] },
      },
    ]);
    const { interrupts } = await hear(events);
    expect(interrupts.map(({ id, subagentRunId }) => [id, subagentRunId])).toEqual([
      ["int_1", undefined],
      ["int_2", "call_task"],
    ]);
  });

  test("goes on in the run that brings the decision, under the same id", async () => {
    const { messages } = await hear(
      encoded([
        started,
        step("step-start"),
        answers("del", "Deleted notes.txt.", helper),
        ...says("hm2", "Done.", helper),
        answers("call_task", "Done."),
        step("step-end"),
        ...says("m2", "The helper is done."),
        ended,
      ]),
    );
    expect(messages.map(({ id }) => id)).toEqual(["del-m", "hm2", "call_task-m", "m2"]);
  });

  test("that a failing run leaves behind is closed with an error before the run's own", async () => {
    const events = encoded([started, step("step-start"), step("step-end"), failed]);
    expect(types(events)).toEqual([
      "RUN_STARTED",
      "STEP_STARTED",
      "SUBAGENT_STARTED",
      "STEP_FINISHED",
      "SUBAGENT_ERROR",
      "RUN_ERROR",
    ]);
    expect((await hear(events)).errors).toEqual(["Too many requests."]);
  });

  test("is started once, though it is taken up again in the same run", async () => {
    const events = encoded([
      started,
      step("step-start"),
      step("step-end"),
      step("step-start"),
      answers("call_task", ""),
      step("step-end"),
      step("step-start"),
      step("step-end"),
      ended,
    ]);
    expect(types(events).filter((type) => type.startsWith("SUBAGENT"))).toEqual([
      "SUBAGENT_STARTED",
      "SUBAGENT_FINISHED",
    ]);
    await hear(events);
  });
});

describe("the end of a run", () => {
  test("of two approvals is two interrupts with ids of their own and the schema of an answer", async () => {
    const { interrupts } = await hear(
      encoded([
        started,
        ...calls("a", "delete_file", ['{"path":"notes.txt"}'], { messageId: "m" }),
        ...calls("b", "delete_file", ['{"path":"notes.txt"}'], { messageId: "m" }),
        paused([interrupt("int_a", "a"), interrupt("int_b", "b")]),
      ]),
    );
    expect(interrupts.map(({ id, toolCallId }) => [id, toolCallId])).toEqual([
      ["int_a", "a"],
      ["int_b", "b"],
    ]);
    expect(interrupts[0]).toEqual({
      id: "int_a",
      reason: "tool_call",
      message: "Delete notes.txt for good?",
      toolCallId: "a",
      responseSchema: {
        type: "object",
        properties: {
          approved: { type: "boolean", description: "Whether the call may run." },
          editedArgs: {
            description: "The call runs with these arguments instead of its own, whole.",
            type: "object",
            properties: { path: { type: "string" } },
            required: ["path"],
          },
          reason: { type: "string", description: "Why not, for the agent to read." },
        },
        anyOf: [{ required: ["approved"] }, { required: ["editedArgs"] }],
      },
      metadata: {
        toolName: "delete_file",
        args: { path: "notes.txt" },
        allowedDecisions: ["approve", "edit", "reject"],
      },
    });
  });

  test.each([
    [["approve"], { approved: { type: "boolean", const: true } }, [["approved"]]],
    [["reject"], { approved: { type: "boolean", const: false }, reason: {} }, [["approved"]]],
    [["approve", "reject"], { approved: { type: "boolean" }, reason: {} }, [["approved"]]],
    [["edit"], { approved: { type: "boolean", const: true }, editedArgs: {} }, [["editedArgs"]]],
  ] as const)("offers no other answer than %j", (allowedDecisions, properties, needed) => {
    const one = { ...interrupt("int", "a"), allowedDecisions: [...allowedDecisions] };
    const end = encoded([started, paused([one])]).at(-1);
    const schema =
      end?.type === "RUN_FINISHED" && end.outcome.type === "interrupt"
        ? end.outcome.interrupts[0]?.responseSchema
        : undefined;
    expect(schema).toMatchObject({ properties, anyOf: needed.map((required) => ({ required })) });
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(properties));
  });

  test("that waits for a person names the client's own open calls beside", async () => {
    const events = encoded([started, paused([interrupt("int", "a")], ["b"])]);
    expect(events.at(-1)).toHaveProperty("metadata", { pendingToolCallIds: ["b"] });
    await hear(events);
  });

  test("that was stopped is neither success nor error", async () => {
    const events = encoded([
      started,
      ...says("m", "I w"),
      { type: "turn-end", outcome: { type: "cancelled" } },
    ]);
    expect(events.at(-1)).toHaveProperty("outcome", { type: "cancelled" });
    await hear(events);
  });

  test("I24: that failed is one RUN_ERROR and nothing after it, usage included", async () => {
    const events = encoded([started, noState, ...says("m", "This answer begins well, "), spent, failed]);
    expect(types(events).filter((type) => type === "RUN_ERROR" || type === "RUN_FINISHED")).toEqual([
      "RUN_ERROR",
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      message: "Too many requests.",
      code: "model_rate_limited",
      metadata: { retryable: true },
      usage: [{ totalTokens: 158 }],
    });
    expect((await hear(events)).errors).toEqual(["Too many requests."]);
  });

  test("ag-ui 2416, litellm 32159: comes also when the turn breaks off, with everything closed", async () => {
    const encoder = new AguiEncoder({ threadId: "thread-1", declareVersion: false });
    const begun: TurnEvent[] = [
      started,
      step("step-start"),
      { type: "text-start", messageId: "m", subagent: helper },
      { type: "call-start", callId: "c", name: "weather", messageId: "m2", clientTool: false },
      { type: "reasoning-start", id: "r", messageId: "m3" },
      { type: "reasoning-delta", id: "r", delta: "Hm" },
    ];
    const events = [...begun.flatMap((event) => encoder.encode(event)), ...encoder.cut("It broke off.")];
    expect(types(events.slice(-7))).toEqual([
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TOOL_CALL_END",
      "TEXT_MESSAGE_END",
      "STEP_FINISHED",
      "SUBAGENT_ERROR",
      "RUN_ERROR",
    ]);
    expect((await hear(events)).errors).toEqual(["It broke off."]);
    expect(encoder.cut("again")).toEqual([]);
  });

  test("comes once: what a client should not get to see twice is nothing after the end", () => {
    const encoder = new AguiEncoder({ threadId: "t", declareVersion: false });
    for (const event of [started, ended]) encoder.encode(event);
    expect(encoder.encode(spent)).toEqual([]);
    expect(encoder.cut("late")).toEqual([]);
  });

  test("of a refusal is the run's only event after its start", async () => {
    const failure = { code: "approval_pending" as const, message: "Decide first.", retryable: false };
    const events = refusedRun(failure, "run-9", { threadId: "thread-1", declareVersion: false });
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "thread-1", runId: "run-9" },
      { type: "RUN_ERROR", message: "Decide first.", code: "approval_pending" },
    ]);
    expect((await hear(events)).errors).toEqual(["Decide first."]);
  });
});

describe("several runs after one another", () => {
  test("as a replayed thread has them are each closed before the next, also one that never ended", async () => {
    const again = { ...started, runId: "run-2" } as TurnEvent;
    const events = encoded([
      started,
      ...says("m", "One."),
      ended,
      again,
      { type: "text-start", messageId: "m2" },
      { ...started, runId: "run-3" } as TurnEvent,
      ...says("m3", "Three."),
      ended,
    ]);
    expect(
      events.flatMap((event) => ("runId" in event ? [`${event.type} ${event.runId}`] : [event.type])),
    ).toEqual([
      "RUN_STARTED run-1",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED run-1",
      "RUN_STARTED run-2",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_END",
      "RUN_ERROR",
      "RUN_STARTED run-3",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED run-3",
    ]);
    await hear(events);
  });
});

const anyTurn = fc.constantFrom<TurnEvent[]>(
  says("a", "x"),
  says("b", "", helper),
  calls("c", "n", ["{", "}"], { messageId: "a" }),
  [{ type: "custom", name: "progress", value: { done: 1 } }],
  [answers("z", "r")],
  [
    { type: "reasoning-start", id: "r", messageId: "a" },
    { type: "reasoning-delta", id: "r", delta: "t" },
    { type: "reasoning-end", id: "r" },
  ],
  [step("step-start"), answers("call_task", ""), step("step-end")],
  [{ type: "state-delta", patch: [{ op: "add", path: "/k", value: 1 }] }],
);

describe("any turn", () => {
  const turns = fc
    .record({ parts: fc.array(anyTurn, { maxLength: 12 }), cutAt: fc.nat(60) })
    .map(({ parts, cutAt }) => ({ events: [started, noState, ...parts.flat(), spent, ended], cutAt }));

  test("gives the same bytes however it is batched", () => {
    fc.assert(
      fc.property(turns, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), ({ events }, sizes) => {
        const whole = frameEncoder(new AguiEncoder({ threadId: "t", declareVersion: true }), "lost");
        const split = frameEncoder(new AguiEncoder({ threadId: "t", declareVersion: true }), "lost");
        let text = "";
        for (let at = 0, n = 0; at < events.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          text += events
            .slice(at, at + size)
            .map((event) => split.encode(event))
            .join("");
          at += size;
        }
        expect(text).toBe(events.map((event) => whole.encode(event)).join(""));
      }),
    );
  });

  test("passes the client's verification, whole or broken off anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(turns, async ({ events, cutAt }) => {
        const encoder = new AguiEncoder({ threadId: "t", declareVersion: true });
        const kept = events.slice(0, Math.max(1, cutAt));
        const broken = [...kept.flatMap((event) => encoder.encode(event)), ...encoder.cut("lost")];
        const { errors } = await hear(broken);
        expect(errors).toEqual(kept.length < events.length ? ["lost"] : []);
      }),
      { numRuns: 60 },
    );
  });
});
