import { describe, expect, test } from "vitest";
import type { Message } from "../../../../src/turn/index.ts";
import { estimateTokens } from "../../../../src/wires/anthropic/estimate-tokens.ts";

const nothing = { system: "", messages: [], tools: [] };
const user = (text: string): Message => ({ role: "user", id: "m", parts: [{ type: "text", text }] });

describe("the estimate", () => {
  test("counts instructions, messages and tools", () => {
    expect(estimateTokens(nothing)).toBe(0);
    expect(estimateTokens({ ...nothing, system: "x".repeat(40) })).toBe(14);
    expect(estimateTokens({ ...nothing, messages: [user("x".repeat(40))] })).toBe(14);
    expect(estimateTokens({ ...nothing, messages: [user("予約を取消す")] })).toBe(10);
    const tool = { name: "look", description: "x".repeat(34), parameters: {} };
    expect(estimateTokens({ ...nothing, tools: [tool] })).toBe(14);
    const picture: Message = {
      role: "user",
      id: "m",
      parts: [{ type: "media", kind: "image", mediaType: "image/png", data: "AAAA" }],
    };
    expect(estimateTokens({ ...nothing, messages: [picture] })).toBe(1_604);
  });

  test("counts what the assistant thought, said and called, and the results", () => {
    const messages: Message[] = [
      {
        role: "assistant",
        id: "m",
        blocks: [
          { type: "reasoning", text: "x".repeat(8), redacted: "y".repeat(8) },
          { type: "text", text: "x".repeat(8) },
          { type: "call", callId: "c", name: "abcd", args: { a: 1234 } },
        ],
      },
      { role: "tool", id: "m", callId: "c", content: "x".repeat(16), isError: false },
      { role: "system", id: "m", text: "x".repeat(4) },
    ];
    // 4 + (2 + 2) + 2 + (4 + 14 / 4), 4 + 4 + 4, 4 + 1, rounded up at the end
    expect(estimateTokens({ ...nothing, messages })).toBe(35);
  });

  test("is within a quarter of what a tokenizer counts for English prose", () => {
    const prose =
      "The carrier called to say that the truck would be two hours late, so we moved the appointment to the afternoon and told the receiver about it.";
    // 29 tokens in o200k_base
    const estimate = estimateTokens({ ...nothing, messages: [user(prose)] }) - 4;
    expect(Math.abs(estimate - 29) / 29).toBeLessThan(0.25);
  });
});
