import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toModelCall } from "../../../../src/agents/runtime/to-prompt.ts";
import { type Entry, readTranscript } from "../../../../src/agents/runtime/transcript.ts";
import { textTokens, trimEntries } from "../../../../src/agents/runtime/trim.ts";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import type { Message } from "../../../../src/turn/message.ts";
import { partsModel } from "../model-step/ask.ts";

/** A turn of about `tokens` tokens: a question and an answer. */
function turn(n: number, tokens: number): Message[] {
  return [
    { role: "user", id: `u${n}`, parts: [{ type: "text", text: `Question ${n}` }] },
    { role: "assistant", id: `a${n}`, blocks: [{ type: "text", text: "x".repeat(tokens * 3) }] },
  ];
}

function entriesOf(messages: Message[]): Entry[] {
  return readTranscript(messages).entries;
}

function textsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.role === "user"
      ? [entry.parts.map((part) => (part.type === "text" ? part.text : "")).join("|")]
      : [],
  );
}

test.each([
  ["", 0],
  ["abc", 1],
  ["abcd", 2],
  ["é", 1],
  ["日本", 2],
  ["👩", 2],
])("%j has about %i tokens", (text, tokens) => {
  expect(textTokens(text)).toBe(tokens);
});

test("what fits is left as it is", () => {
  const entries = entriesOf(turn(1, 100));
  expect(trimEntries(entries, 1_000, 0)).toBe(entries);
});

test("the oldest turns go first, and a mark says how many messages", () => {
  const entries = entriesOf([1, 2, 3, 4, 5].flatMap((n) => turn(n, 300)));
  const kept = trimEntries(entries, 1_000, 0);
  expect(textsOf(kept)).toEqual([
    "[6 earlier messages of this conversation left out]|Question 4",
    "Question 5",
  ]);
});

test("messages the caller left out are counted too", () => {
  expect(textsOf(trimEntries(entriesOf(turn(1, 10)), 1_000, 7))).toEqual([
    "[7 earlier messages of this conversation left out]|Question 1",
  ]);
  expect(textsOf(trimEntries(entriesOf(turn(1, 10)).slice(1), 1_000, 1))).toEqual([
    "[1 earlier message of this conversation left out]",
  ]);
});

test("the beginning stays the same for many turns", () => {
  const beginnings = new Set<string | undefined>();
  for (let turns = 40; turns < 60; turns += 1) {
    const entries = entriesOf(Array.from({ length: turns }, (_, n) => turn(n, 90)).flat());
    beginnings.add(textsOf(trimEntries(entries, 2_000, 0))[0]);
  }
  // Twenty turns of about 110 tokens in steps of 500.
  expect(beginnings.size).toBeLessThanOrEqual(6);
});

describe("a newest turn that is too long by itself", () => {
  const long = (chars: number): Message[] => [
    ...turn(1, 100),
    { role: "user", id: "u", parts: [{ type: "text", text: "Look it up" }] },
    { role: "assistant", id: "a", blocks: [{ type: "call", callId: "c", name: "look", args: {} }] },
    { role: "tool", id: "r", callId: "c", content: `START${"x".repeat(chars)}END`, isError: false },
  ];

  test("has its tool results cut in the middle, with a mark", () => {
    const kept = trimEntries(entriesOf(long(200_000)), 2_000, 0);
    const [, answer] = kept;
    if (answer?.role !== "assistant") throw new Error("no answer");
    const { content } = answer.answers[0] ?? { content: "" };
    expect(content.startsWith("STARTx")).toBe(true);
    expect(content.endsWith("xEND")).toBe(true);
    expect(content.replaceAll("x", "")).toBe("START\n[197008 characters left out]\nEND");
    expect(textsOf(kept)).toEqual(["[2 earlier messages of this conversation left out]|Look it up"]);
  });

  test("fails the turn when that is not enough", () => {
    const words: Message[] = [{ role: "user", id: "u", parts: [{ type: "text", text: "x".repeat(30_000) }] }];
    const trim = () => trimEntries(entriesOf(words), 1_000, 0);
    expect(trim).toThrow(TurnFailedError);
    expect(trim).toThrow(
      "The conversation is too long for the model: about 10008 tokens, and there is room for 1000.",
    );
  });
});

test("room for the mark is made before it is put there", () => {
  for (let room = 1_200; room < 1_700; room += 1) {
    const entries = entriesOf([1, 2, 3, 4, 5, 6].flatMap((n) => turn(n, 300)));
    expect(trimEntries(entries, room, 0).at(-1)).toEqual(entries.at(-1));
    const before = entriesOf([turn(1, 300), turn(2, 300)].flat());
    expect(trimEntries(before, 650 + (room % 100), 40).at(-1)).toEqual(before.at(-1));
  }
});

test("whatever the conversation, what is kept fits and ends with the newest turn", () => {
  const sizes = fc.array(fc.nat(400), { minLength: 1, maxLength: 30 });
  fc.assert(
    // The newest turn, at most about 450 tokens, has to fit beside the mark.
    fc.property(sizes, fc.integer({ min: 600, max: 3_000 }), (tokens, room) => {
      const entries = entriesOf(tokens.flatMap((size, n) => turn(n, size)));
      const kept = trimEntries(entries, room, 0);
      expect(kept.at(-1)).toEqual(entries.at(-1));
      expect(kept[0]?.role).toBe("user");
      const spent = kept.reduce(
        (total, entry) =>
          total +
          (entry.role === "user"
            ? 0
            : entry.blocks.reduce(
                (sum, block) => sum + (block.type === "text" ? textTokens(block.text) : 0),
                0,
              )),
        0,
      );
      expect(spent).toBeLessThanOrEqual(room);
    }),
    { numRuns: 2_000 },
  );
});

test("instructions, tools, context and the answer's length take their room first", () => {
  const messages = [1, 2, 3].flatMap((n) => turn(n, 320));
  const prompted = (system: string, maxOutputTokens: number) =>
    toModelCall({
      model: partsModel([]),
      system,
      messages,
      tools: [],
      sampling: { maxOutputTokens },
      context: [],
      state: {},
      contextTokens: 2_000,
    }).prompt.filter(({ role }) => role === "user").length;
  expect(prompted("Brief.", 100)).toBe(3);
  expect(prompted("x".repeat(3_000), 100)).toBe(2);
  expect(prompted("Brief.", 1_400)).toBe(2);
});
