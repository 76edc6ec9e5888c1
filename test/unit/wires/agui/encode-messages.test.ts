import { HttpAgent } from "@ag-ui/client";
import { MessageSchema } from "@ag-ui/core/schemas";
import { describe, expect, test } from "vitest";
import type { Message, TurnEvent } from "../../../../src/turn/index.ts";
import { decodeMessages } from "../../../../src/wires/agui/decode-messages.ts";
import { encodeMessages } from "../../../../src/wires/agui/encode-messages.ts";
import { frames } from "../../../../src/wires/agui/frames.ts";
import { runInputSchema } from "../../../../src/wires/agui/schema.ts";
import { encoded, ended, hear, started } from "./oracle.ts";

const conversation: Message[] = [
  { role: "system", id: "s", text: "Be brief." },
  { role: "user", id: "u", parts: [{ type: "text", text: "What is the weather?" }] },
  {
    role: "assistant",
    id: "a",
    blocks: [
      { type: "reasoning", text: "Look it up.", signature: "anthropic.c2ln" },
      { type: "text", text: "Let me see." },
      { type: "call", callId: "c1", name: "weather", args: { city: "Paris" } },
      { type: "call", callId: "c2", name: "failing_tool", args: {} },
    ],
  },
  { role: "tool", id: "t1", callId: "c1", content: "sunny", isError: false },
  { role: "tool", id: "t2", callId: "c2", content: "It failed.", isError: true },
  { role: "assistant", id: "b", blocks: [{ type: "text", text: "Sunny." }] },
  {
    role: "user",
    id: "u2",
    parts: [
      { type: "text", text: "And here?" },
      { type: "media", kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
      {
        type: "media",
        kind: "file",
        mediaType: "application/pdf",
        url: "https://x.test/a.pdf",
        name: "a.pdf",
      },
    ],
  },
];

describe("the messages of a snapshot", () => {
  test("are the protocol's, each under the id it is stored with", () => {
    const rows = encodeMessages(conversation);
    for (const row of rows) expect(MessageSchema.safeParse(row).error?.issues ?? []).toEqual([]);
    expect(rows).toEqual([
      { id: "s", role: "system", content: "Be brief." },
      { id: "u", role: "user", content: "What is the weather?" },
      { id: "a-r1", role: "reasoning", content: "Look it up.", encryptedValue: "anthropic.c2ln" },
      {
        id: "a",
        role: "assistant",
        content: "Let me see.",
        toolCalls: [
          { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
          { id: "c2", type: "function", function: { name: "failing_tool", arguments: "{}" } },
        ],
      },
      { id: "t1", role: "tool", toolCallId: "c1", content: "sunny" },
      {
        id: "t2",
        role: "tool",
        toolCallId: "c2",
        content: "It failed.",
        error: "It failed.",
        metadata: { isError: true },
      },
      { id: "b", role: "assistant", content: "Sunny." },
      {
        id: "u2",
        role: "user",
        content: [
          { type: "text", text: "And here?" },
          { type: "image", source: { type: "data", value: "iVBORw0KGgo=", mimeType: "image/png" } },
          {
            type: "document",
            source: { type: "url", value: "https://x.test/a.pdf", mimeType: "application/pdf" },
            metadata: { filename: "a.pdf" },
          },
        ],
      },
    ]);
  });

  test("sent back by a client without a thread are the conversation again", () => {
    const input = { threadId: "", runId: "r", messages: encodeMessages(conversation) };
    const read = runInputSchema.parse(JSON.parse(JSON.stringify(input)));
    expect(decodeMessages(read.messages, () => "minted")).toEqual(conversation);
  });

  test("TanStack 1107: leave what was streamed as it is, in its order and under its ids", async () => {
    const turn: TurnEvent[] = [
      started,
      { type: "reasoning-start", id: "a-r1", messageId: "a" },
      { type: "reasoning-delta", id: "a-r1", delta: "Look it up." },
      { type: "reasoning-end", id: "a-r1", signature: "anthropic.c2ln" },
      { type: "text-start", messageId: "a" },
      { type: "text-delta", messageId: "a", delta: "Let me see." },
      { type: "text-end", messageId: "a" },
      { type: "call-start", callId: "c1", name: "weather", messageId: "a", clientTool: false },
      { type: "call-args", callId: "c1", delta: '{"city":"Paris"}' },
      { type: "call-end", callId: "c1" },
      { type: "call-start", callId: "c2", name: "failing_tool", messageId: "a", clientTool: false },
      { type: "call-args", callId: "c2", delta: "{}" },
      { type: "call-end", callId: "c2" },
      { type: "call-result", callId: "c1", messageId: "t1", content: "sunny", isError: false },
      { type: "call-result", callId: "c2", messageId: "t2", content: "It failed.", isError: true },
      { type: "text-start", messageId: "b" },
      { type: "text-delta", messageId: "b", delta: "Sunny." },
      { type: "text-end", messageId: "b" },
      ended,
    ];
    const asked = { id: "u", role: "user" as const, content: "What is the weather?" };
    const streamed = await hear(encoded(turn), { messages: [asked] });
    const snapshot: TurnEvent = { type: "messages-snapshot", messages: conversation.slice(1, 6) };
    const reloaded = await hear(encoded([started, snapshot, ended]), { messages: streamed.messages });
    const fresh = await hear(encoded([started, snapshot, ended]));
    expect(reloaded.messages.map(({ id }) => id)).toEqual(["u", "a-r1", "a", "t1", "t2", "b"]);
    expect(reloaded.messages).toEqual(fresh.messages);
    expect(
      reloaded.messages.map(({ id, content }: { id: string; content?: unknown }) => [id, content]),
    ).toEqual(streamed.messages.map(({ id, content }: { id: string; content?: unknown }) => [id, content]));
  });

  test("hold the newest user message, so that a client does not lose what it has just shown", async () => {
    const mine = { id: "u2", role: "user" as const, content: "And here?" };
    const snapshot: TurnEvent = {
      type: "messages-snapshot",
      messages: [
        ...conversation.slice(1, 6),
        { role: "user", id: "u2", parts: [{ type: "text", text: "And here?" }] },
      ],
    };
    const { messages } = await hear(encoded([started, snapshot, ended]), { messages: [mine] });
    expect(messages).toContainEqual(mine);
  });

  test("of a subagent are marked as its own", async () => {
    const subagent = { id: "call_task", name: "helper" };
    const message = { role: "assistant" as const, id: "h", blocks: [{ type: "text" as const, text: "Hi" }] };
    const snapshot = { type: "messages-snapshot" as const, messages: [{ ...message, subagent }] };
    const { messages } = await hear(encoded([started, snapshot, ended]));
    expect(messages).toEqual([{ id: "h", role: "assistant", content: "Hi", subagentRunId: "call_task" }]);
  });

  test("with a thought that has no text skip it and keep the numbers of the others", () => {
    const blocks = [
      { type: "reasoning" as const, text: "", redacted: "anthropic.x" },
      { type: "reasoning" as const, text: "Two." },
      { type: "text" as const, text: "So." },
    ];
    expect(encodeMessages([{ role: "assistant", id: "a", blocks }]).map(({ id }) => id)).toEqual([
      "a-r2",
      "a",
    ]);
  });

  test("that are answers without a word are no rows, as they are none in the stream", () => {
    const reasoning = { type: "reasoning" as const, text: "", signature: "google-.x" };
    for (const blocks of [[], [reasoning]]) {
      expect(encodeMessages([{ role: "assistant", id: "a", blocks }])).toEqual([]);
    }
  });

  test("too long for any client to take are left out, and the run goes on with what the client has", async () => {
    const kept = { id: "u", role: "user" as const, content: "Hi" };
    const long: Message = { role: "user", id: "u", parts: [{ type: "text", text: "x".repeat(10_500_000) }] };
    const snapshot: TurnEvent = { type: "messages-snapshot", messages: [long] };
    const events = encoded([started, snapshot, ended]);
    expect(frames(events).length).toBeLessThan(1_000);
    const agent = new HttpAgent({
      url: "http://agent",
      initialMessages: [kept],
      fetch: async () => new Response(frames(events), { headers: { "content-type": "text/event-stream" } }),
    });
    await agent.runAgent();
    expect(agent.messages).toEqual([kept]);
  });
});
