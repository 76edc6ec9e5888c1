import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import type { TurnRequest } from "../../../../src/turn/index.ts";
import { type DecodedRun, decodeRun } from "../../../../src/wires/agui/decode.ts";
import { runInputSchema } from "../../../../src/wires/agui/schema.ts";

function decoded(input: unknown): DecodedRun {
  let minted = 0;
  return decodeRun("support", runInputSchema.parse(input), (prefix) => {
    minted += 1;
    return `${prefix}${minted}`;
  });
}

function requestOf(input: object): TurnRequest {
  const run = decoded({ threadId: "thread-1", runId: "run-1", messages: [], ...input });
  if (!run.ok) throw new Error(run.failure.message);
  return run.request;
}

const messagesOf = (messages: unknown[]) => requestOf({ messages }).messages;

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error("it was taken");
}

describe("the seed's samples, as printed", () => {
  test("a first message, with state null", () => {
    const sample = {
      threadId: "thread-1",
      runId: "run-1",
      messages: [{ id: "msg-1", role: "user", content: "What plans do you offer?" }],
      tools: [],
      context: [],
      state: null,
    };
    expect(decoded(sample)).toEqual({
      ok: true,
      request: {
        agent: "support",
        wire: "agui",
        runId: "run-1",
        session: "thread-1",
        conversation: null,
        messages: [
          { role: "user", id: "msg-1", parts: [{ type: "text", text: "What plans do you offer?" }] },
        ],
        clientTools: [],
        state: null,
        resume: [],
        sampling: {},
        snapshot: true,
        context: [],
        forwarded: null,
      },
    });
  });

  test("an approval", () => {
    const { resume } = requestOf({
      runId: "run-2",
      resume: [{ interruptId: "int_abc", status: "resolved", payload: { approved: true } }],
    });
    expect(resume).toEqual([{ interruptId: "int_abc", decision: { kind: "approve" } }]);
  });

  test("a frontend tool's result without an id, which the protocol's own schema refuses", () => {
    const messages = [{ role: "tool", toolCallId: "call_2", content: '{"opened":true}' }];
    const sample = { threadId: "thread-1", runId: "run-3", messages };
    expect(RunAgentInputSchema.safeParse(sample).success).toBe(false);
    expect(requestOf(sample).messages).toEqual([
      { role: "tool", id: "msg_1", callId: "call_2", content: '{"opened":true}', isError: false },
    ]);
  });
});

describe("a run input", () => {
  test("as HttpAgent sends it is read whole", () => {
    const request = requestOf({
      protocolVersion: "1.0",
      tools: [
        { name: "open_modal", description: "Opens it.", parameters: { type: "object" }, metadata: { x: 1 } },
        { name: "open_modal", description: "Again.", parameters: {} },
        { name: "beep", description: "Beeps." },
      ],
      context: [
        { description: "Page", value: "/orders" },
        { description: "Cart", value: { items: 2 } },
      ],
      forwardedProps: { theme: "dark" },
      state: { draft: "x", constructor: 1 },
      somethingNew: true,
    });
    expect(request.clientTools).toEqual([
      { name: "open_modal", description: "Opens it.", parameters: { type: "object" } },
      { name: "beep", description: "Beeps.", parameters: { type: "object", properties: {} } },
    ]);
    expect(request.context).toEqual([
      { description: "Page", value: "/orders" },
      { description: "Cart", value: '{"items":2}' },
    ]);
    expect(request.forwarded).toEqual({ theme: "dark" });
    expect(request.state).toEqual({ draft: "x", constructor: 1 });
  });

  test("without a thread is a stateless turn, which cannot be resumed", () => {
    expect(requestOf({ threadId: "" }).session).toBeNull();
    const resume = [{ interruptId: "i", status: "cancelled" }];
    expect(decoded({ threadId: "", runId: "r", messages: [], resume })).toMatchObject({
      ok: false,
      failure: { code: "session_required", retryable: false },
    });
  });

  test.each([null, undefined, [], "text", 7])("takes the state %j for none", (state) => {
    expect(requestOf({ state }).state).toBeNull();
  });

  test("takes null for what is left out", () => {
    const request = requestOf({
      tools: null,
      context: null,
      forwardedProps: null,
      resume: null,
      protocolVersion: null,
    });
    expect([request.clientTools, request.context, request.forwarded, request.resume]).toEqual([
      [],
      [],
      null,
      [],
    ]);
  });

  test.each([
    [{ runId: "r", messages: [] }, "threadId"],
    [{ threadId: "t", messages: [] }, "runId"],
    [{ threadId: "t", runId: "", messages: [] }, "runId"],
    [{ threadId: "t", runId: "r" }, "messages"],
    [{ threadId: "t", runId: 7, messages: [] }, "runId"],
    [{ threadId: "t".repeat(513), runId: "r", messages: [] }, "threadId"],
    [{ threadId: "t", runId: "r", messages: [{ role: "robot", content: "x" }] }, "messages.0.role"],
    [{ threadId: "t", runId: "r", messages: [{ role: "tool", content: "x" }] }, "messages.0.toolCallId"],
    [{ threadId: "t", runId: "r", messages: [], tools: [{ name: "no good" }] }, "tools.0.name"],
    [{ threadId: "t", runId: "r", messages: [], resume: [{ status: "resolved" }] }, "resume.0.interruptId"],
  ])("%j is refused at %s", (input, path) => {
    const issues = runInputSchema.safeParse(input).error?.issues.map((issue) => issue.path.join("."));
    expect(issues).toEqual([path]);
  });
});

describe("messages", () => {
  test("of every role are taken, activities apart", () => {
    expect(
      messagesOf([
        { id: "d", role: "developer", content: "Be brief." },
        { id: "s", role: "system", content: "Be kind." },
        { id: "u", role: "user", content: "Hi", name: "Ada" },
        { id: "x", role: "activity", activityType: "PLAN", content: {} },
        {
          id: "a",
          role: "assistant",
          content: null,
          toolCalls: [
            { id: "c", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
            { id: "e", type: "function", function: { name: "now", arguments: "" } },
            { id: "f", type: "function", function: { name: "now", arguments: '{"cut":' } },
          ],
        },
        {
          id: "t",
          role: "tool",
          toolCallId: "c",
          content: [
            { type: "text", text: "sun" },
            { type: "text", text: "ny" },
          ],
        },
        { id: "t2", role: "tool", toolCallId: "e", content: "", error: "It broke." },
      ]),
    ).toEqual([
      { role: "system", id: "d", text: "Be brief." },
      { role: "system", id: "s", text: "Be kind." },
      { role: "user", id: "u", parts: [{ type: "text", text: "Hi" }] },
      {
        role: "assistant",
        id: "a",
        blocks: [
          { type: "call", callId: "c", name: "weather", args: { city: "Paris" } },
          { type: "call", callId: "e", name: "now", args: {} },
          { type: "call", callId: "f", name: "now", args: {} },
        ],
      },
      { role: "tool", id: "t", callId: "c", content: "sunny", isError: false },
      { role: "tool", id: "t2", callId: "e", content: "It broke.", isError: true },
    ]);
  });

  test("without an id get one, and of two with one id the first counts", () => {
    const messages = messagesOf([
      { role: "user", content: "a" },
      { id: "", role: "user", content: "b" },
      { id: null, role: "user", content: "c" },
      { id: "d", role: "user", content: "d" },
      { id: "d", role: "user", content: "e" },
    ]);
    expect(messages.map(({ id }) => id)).toEqual(["msg_1", "msg_2", "msg_3", "d"]);
  });

  test("of a subagent, seen in an earlier run, are no part of the conversation", () => {
    expect(
      messagesOf([
        { id: "u", role: "user", content: "Hi" },
        { id: "h", role: "assistant", content: "I am the helper", subagentRunId: "call_task" },
        { id: "ht", role: "tool", toolCallId: "w", content: "sunny", subagentRunId: "call_task" },
        { id: "hr", role: "reasoning", content: "Hm", subagentRunId: "call_task" },
        { id: "a", role: "assistant", content: "It is sunny." },
      ]).map(({ id }) => id),
    ).toEqual(["u", "a"]);
  });

  test("that are thoughts go to the answer their id names, else to the next", () => {
    const [first, second] = messagesOf([
      { id: "other", role: "reasoning", content: "Before a." },
      { id: "a", role: "assistant", content: "A." },
      { id: "a-r2", role: "reasoning", content: "Still a.", encryptedValue: "anthropic.s" },
      { id: "b-r1", role: "reasoning", content: "", encryptedValue: "redacted:anthropic.r" },
      { id: "b", role: "assistant", content: "B." },
      { id: "late", role: "reasoning", content: "Of nothing." },
    ]);
    expect(first).toHaveProperty("blocks", [
      { type: "reasoning", text: "Before a." },
      { type: "reasoning", text: "Still a.", signature: "anthropic.s" },
      { type: "text", text: "A." },
    ]);
    expect(second).toHaveProperty("blocks", [
      { type: "reasoning", text: "", redacted: "anthropic.r" },
      { type: "text", text: "B." },
    ]);
  });
});

describe("parts", () => {
  const partsOf = (content: unknown) => {
    const [message] = messagesOf([{ id: "u", role: "user", content }]);
    return message?.role === "user" ? message.parts : [];
  };

  test("of every kind and source are taken", () => {
    const data = (mimeType?: string) => ({ type: "data", value: "QUJD", ...(mimeType ? { mimeType } : {}) });
    expect(
      partsOf([
        { type: "text", text: "Look" },
        { type: "image", source: data("image/png") },
        { type: "audio", source: data("audio/wav") },
        { type: "video", source: { type: "url", value: "https://x.test/v" } },
        { type: "document", source: data("application/pdf"), metadata: { filename: "a.pdf" } },
        { type: "image", source: { type: "url", value: "data:image/gif;base64,QUJD" } },
        { type: "image", source: { type: "url", value: "https://x.test/i.png", mimeType: "image/png" } },
      ]),
    ).toEqual([
      { type: "text", text: "Look" },
      { type: "media", kind: "image", mediaType: "image/png", data: "QUJD" },
      { type: "media", kind: "audio", mediaType: "audio/wav", data: "QUJD" },
      { type: "media", kind: "video", mediaType: "video/*", url: "https://x.test/v" },
      { type: "media", kind: "file", mediaType: "application/pdf", data: "QUJD", name: "a.pdf" },
      { type: "media", kind: "image", mediaType: "image/gif", data: "QUJD" },
      { type: "media", kind: "image", mediaType: "image/png", url: "https://x.test/i.png" },
    ]);
  });

  test("as clients before 1.0 send them are taken", () => {
    expect(
      partsOf([
        { type: "binary", mimeType: "image/png", data: "QUJD" },
        { type: "binary", mimeType: "application/pdf", url: "https://x.test/a.pdf", filename: "a.pdf" },
      ]),
    ).toEqual([
      { type: "media", kind: "image", mediaType: "image/png", data: "QUJD" },
      {
        type: "media",
        kind: "file",
        mediaType: "application/pdf",
        url: "https://x.test/a.pdf",
        name: "a.pdf",
      },
    ]);
  });

  const image = (source: unknown) => [
    { type: "text", text: "x" },
    { type: "image", source },
  ];
  test.each([
    [image({ type: "file", value: "file-1" }), "messages[0].content[1].source.type"],
    [image({ type: "data", value: "" }), "messages[0].content[1].source.value"],
    [
      image({ type: "data", value: "not base64!", mimeType: "image/png" }),
      "messages[0].content[1].source.value",
    ],
    [image({ type: "url", value: "ftp://x.test/a" }), "messages[0].content[1].source.value"],
    [image({ type: "url", value: "javascript:alert(1)" }), "messages[0].content[1].source.value"],
    [image({ type: "toString", value: "x" }), "messages[0].content[1].source.type"],
    [image(null), "messages[0].content[1].source"],
    [[{ type: "hologram" }], "messages[0].content[0].type"],
    [[{ type: "constructor", source: {} }], "messages[0].content[0].type"],
    [[{ type: "text" }], "messages[0].content[0].text"],
    [[{ type: "binary", mimeType: "image/png", id: "f" }], "messages[0].content[0]"],
    [["text"], "messages[0].content[0]"],
    [7, "messages[0].content"],
  ])("%j is refused, and %s is named", (content, path) => {
    const told = refusal(() => partsOf(content));
    expect(told).toContain("400 ");
    expect(told).toContain(path);
  });

  test("that are no text are refused where only a text can stand", () => {
    const content = [{ type: "image", source: { type: "data", value: "QUJD", mimeType: "image/png" } }];
    for (const message of [
      { role: "system", content },
      { role: "assistant", content },
      { role: "tool", toolCallId: "c", content },
    ]) {
      expect(refusal(() => messagesOf([message]))).toContain("messages[0].content[0]");
    }
  });
});

describe("a resume", () => {
  const decide = (entry: object) =>
    decoded({ threadId: "t", runId: "r", messages: [], resume: [{ interruptId: "i", ...entry }] });
  const resolved = (payload: unknown) => decide({ status: "resolved", payload });

  test.each([
    [{ approved: true }, { kind: "approve" }],
    [{ approved: true, note: "fine" }, { kind: "approve" }],
    [{ approved: true, editedArgs: null }, { kind: "approve" }],
    [{ approved: false }, { kind: "reject" }],
    [
      { approved: false, reason: "Too late." },
      { kind: "reject", reason: "Too late." },
    ],
    [
      { approved: false, message: "No." },
      { kind: "reject", reason: "No." },
    ],
    [{ approved: false, editedArgs: { a: 1 } }, { kind: "reject" }],
    [{ editedArgs: { a: 1 } }, { kind: "edit", args: { a: 1 } }],
    [
      { approved: true, editedArgs: {} },
      { kind: "edit", args: {} },
    ],
  ])("of %j is %j", (payload, decision) => {
    const run = resolved(payload);
    expect(run.ok && run.request.resume).toEqual([{ interruptId: "i", decision }]);
  });

  test.each([
    undefined,
    null,
    {},
    "yes",
    true,
    [],
    { approved: "yes" },
    { approved: null },
    { editedArgs: [] },
    { editedArgs: "x" },
  ])("of %j is a failure that names the interrupt", (payload) => {
    const run = resolved(payload);
    expect(run).toMatchObject({ ok: false, failure: { code: "invalid_resume", retryable: false } });
    expect(!run.ok && run.failure.message).toContain('"i"');
  });

  test("that is cancelled rejects, whatever it brings", () => {
    for (const payload of [undefined, null, { approved: true }, "x"]) {
      const run = decide({ status: "cancelled", payload });
      expect(run.ok && run.request.resume).toEqual([{ interruptId: "i", decision: { kind: "reject" } }]);
    }
    expect(decide({ status: "done", payload: { approved: true } })).toMatchObject({ ok: false });
  });
});
