import { expect, test } from "vitest";
import type { AguiEvent, AguiMessage } from "../../../src/wires/agui/events.ts";
import { Conversation, type ConversationView } from "../../../web/src/pages/chat/model/conversation.ts";

const started = (runId: string): AguiEvent => ({ type: "RUN_STARTED", threadId: "t", runId });
const finished = (runId: string): AguiEvent => ({
  type: "RUN_FINISHED",
  threadId: "t",
  runId,
  outcome: { type: "success" },
});
const text = (messageId: string, ...deltas: string[]): AguiEvent[] => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  ...deltas.map((delta): AguiEvent => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta })),
  { type: "TEXT_MESSAGE_END", messageId },
];
const call = (toolCallId: string, args: string): AguiEvent[] => [
  { type: "TOOL_CALL_START", toolCallId, toolCallName: "delete_file", parentMessageId: "m" },
  { type: "TOOL_CALL_ARGS", toolCallId, delta: args },
  { type: "TOOL_CALL_END", toolCallId },
];
const waits = (runId: string, ...calls: string[]): AguiEvent => ({
  type: "RUN_FINISHED",
  threadId: "t",
  runId,
  outcome: {
    type: "interrupt",
    interrupts: calls.map((id) => ({
      id: `int_${id}`,
      reason: "tool_call",
      message: "Delete it?",
      toolCallId: id,
      responseSchema: { type: "object", properties: { editedArgs: { type: "object" } } },
      metadata: { toolName: "delete_file", args: { path: id }, allowedDecisions: ["approve", "reject"] },
    })),
  },
});
const said = (id: string, content: string): AguiMessage => ({ id, role: "user", content });

function play(conversation: Conversation, events: AguiEvent[]): void {
  for (const event of events) conversation.apply(event);
}

const keys = ({ items }: ConversationView): string[] => items.map(({ key }) => key);

/** Two turns: the first waits and goes on after a decision elsewhere, under the same run id and without a snapshot. */
const log: AguiEvent[] = [
  started("r1"),
  { type: "STATE_SNAPSHOT", snapshot: { files: ["a"] } },
  ...text("m1", "I ", "ask."),
  ...call("c1", '{"path":"a"}'),
  waits("r1", "c1"),
  started("r1"),
  { type: "TOOL_CALL_RESULT", messageId: "x1", toolCallId: "c1", content: "Deleted.", role: "tool" },
  { type: "STATE_DELTA", delta: [{ op: "replace", path: "/files", value: [] }] },
  ...text("m2", "It is gone."),
  finished("r1"),
  started("r2"),
  {
    type: "MESSAGES_SNAPSHOT",
    messages: [
      said("u1", "Delete a"),
      { id: "m1", role: "assistant", content: "I ask." },
      said("u2", "Thanks"),
    ],
  },
  ...text("m3", "You are welcome."),
  finished("r2"),
];
const order = ["user u1", "text m1", "call c1", "text m2", "end r1", "user u2", "text m3", "end r2"];

test("a replay on top of the session's messages fills in what they do not hold, and again changes nothing", () => {
  const conversation = new Conversation();
  const messages: AguiMessage[] = [
    said("u1", "Delete a"),
    {
      id: "m1",
      role: "assistant",
      content: "I ask.",
      toolCalls: [
        { id: "c1", type: "function", function: { name: "delete_file", arguments: '{"path":"a"}' } },
      ],
    },
    { id: "x1", role: "tool", toolCallId: "c1", content: "Deleted." },
    { id: "m2", role: "assistant", content: "It is gone." },
    said("u2", "Thanks"),
    { id: "m3", role: "assistant", content: "You are welcome." },
  ];
  conversation.seed(messages, new Map([["c1", { path: "b" }]]), { files: [] }, []);
  expect(keys(conversation.view())).toEqual(order.filter((key) => !key.startsWith("end")));
  play(conversation, log);
  const once = conversation.view();
  expect(keys(once)).toEqual(order);
  expect(once.items[2]).toMatchObject({
    args: { path: "a" },
    edited: { path: "b" },
    result: { content: "Deleted.", isError: false },
  });
  expect(once).toMatchObject({ running: false, approvals: [], state: { files: [] } });
  play(conversation, log);
  expect(conversation.view()).toEqual(once);
});

test("what is told live stands in the same order", () => {
  const conversation = new Conversation();
  conversation.addUser("u1", "Delete a");
  conversation.asked("r1");
  play(conversation, log.slice(0, 10));
  expect(conversation.view()).toMatchObject({ running: false, state: { files: ["a"] } });
  expect(conversation.view().approvals.map(({ callId, args }) => [callId, args])).toEqual([
    ["c1", { path: "c1" }],
  ]);
  play(conversation, log.slice(10, 17));
  conversation.addUser("u2", "Thanks");
  conversation.asked("r2");
  play(conversation, log.slice(17));
  expect(keys(conversation.view())).toEqual(order);
});

test("decisions that are refused leave open what was open; a refused message is marked", () => {
  const conversation = new Conversation();
  conversation.addUser("u1", "Delete both");
  play(conversation, [started("r1"), ...call("c1", "{}"), ...call("c2", "{}"), waits("r1", "c1", "c2")]);
  conversation.asked("r2");
  play(conversation, [
    started("r2"),
    { type: "RUN_ERROR", code: "invalid_resume", message: "The edited arguments cannot be used." },
  ]);
  expect(conversation.view().approvals.map(({ id }) => id)).toEqual(["int_c1", "int_c2"]);
  expect(conversation.refusal?.code).toBe("invalid_resume");
  expect(keys(conversation.view())).toEqual(["user u1", "call c1", "call c2"]);
  const other = new Conversation();
  other.addUser("u1", "Hello");
  other.asked("r1");
  play(other, [started("r1"), { type: "RUN_ERROR", code: "turn_in_progress", message: "Wait." }]);
  expect(other.view().items.at(-1)).toMatchObject({
    kind: "end",
    outcome: { type: "failed", code: "turn_in_progress", message: "Wait." },
  });
});

test("a failed request settles what was being written, and objects that did not change stay the same", () => {
  const conversation = new Conversation();
  conversation.addUser("u1", "Hello");
  conversation.asked("r1");
  play(conversation, [started("r1"), ...text("m1", "Well, ").slice(0, 2)]);
  const before = conversation.view();
  expect(conversation.view()).toBe(before);
  conversation.failed("not_sent", "No answer.");
  const after = conversation.view();
  expect(after.items[0]).toBe(before.items[0]);
  expect(after.items[1]).toMatchObject({ text: "Well, ", streaming: false });
  expect(after.running).toBe(false);
});

test("a change of the state that does not fit is an error, and nothing is changed", () => {
  const conversation = new Conversation();
  play(conversation, [started("r1"), { type: "STATE_SNAPSHOT", snapshot: { todos: [] } }]);
  expect(() =>
    conversation.apply({
      type: "STATE_DELTA",
      delta: [{ op: "replace", path: "/todos/0/done", value: true }],
    }),
  ).toThrow();
  expect(conversation.view().state).toEqual({ todos: [] });
});
