import { describe, expect, test } from "vitest";
import { callerInstructions, callerPrompt } from "../../../src/sandtable/caller/model-prompt.ts";
import type { ModelCaller } from "../../../src/sandtable/domain/types.ts";
import type { Message } from "../../../src/sandtable/trial/conversation.ts";

const caller: ModelCaller = {
  kind: "model",
  goal: "Book load L-1002 for at most $1,600.",
  knows: [
    { fact: "MC number", value: "100101" },
    { fact: "truck", value: "53' dry van" },
  ],
  unknown: ["fuel surcharge", "delivery date"],
  manner: "hurried, a little gruff",
};

/** The lines after the instructions, as `role: text`. */
function lines(messages: Pick<Message, "role" | "text">[]): string[] {
  const conversation = { messages: messages.map((message, n) => ({ ...message, turn: n + 1 })), calls: [] };
  return callerPrompt(caller, conversation)
    .slice(1)
    .map(({ role, content }) => {
      const texts = Array.isArray(content)
        ? content.map((part) => (part.type === "text" ? part.text : "?"))
        : [content];
      return `${role}: ${texts.join("|")}`;
    });
}

describe("instructions", () => {
  const text = callerInstructions(caller);

  test("give the goal, each fact, each unknown fact and the manner, and no more facts", () => {
    expect(text).toContain("# What you want\nBook load L-1002 for at most $1,600.\n\n");
    expect(text).toContain("# What you know\n- MC number: 100101\n- truck: 53' dry van\nGive a fact");
    expect(text).toContain(
      "# What you do not know\n- fuel surcharge\n- delivery date\nAsked about one of these, say",
    );
    expect(text).toContain("# How you talk\nYour manner: hurried, a little gruff\n- One short line");
  });

  test("work for a caller that has nothing but a goal", () => {
    const bare = callerInstructions({ kind: "model", goal: "Complain.", knows: [], unknown: [] });
    expect(bare).toContain("# What you know\nNothing beyond what you want.\n\n");
    expect(bare).toContain("# What you do not know\nThe same holds for everything");
    expect(bare).not.toMatch(/manner|undefined/);
  });
});

describe("the conversation", () => {
  test("is told from the caller's side", () => {
    expect(
      lines([
        { role: "caller", text: "I want L-1002." },
        { role: "agent", text: "Your MC number?" },
        { role: "caller", text: "100101." },
        { role: "agent", text: "Best I can do is $1,375." },
      ]),
    ).toEqual([
      "user: (The call is connected.)",
      "assistant: I want L-1002.",
      "user: Your MC number?",
      "assistant: 100101.",
      "user: Best I can do is $1,375.",
    ]);
  });

  test("marks silence, and always ends with the agent", () => {
    expect(
      lines([
        { role: "caller", text: "Hello?" },
        { role: "agent", text: " \n" },
        { role: "caller", text: "" },
      ]),
    ).toEqual([
      "user: (The call is connected.)",
      "assistant: Hello?",
      "user: (The agent says nothing.)",
      "assistant: (You say nothing.)",
      "user: (The agent says nothing.)",
    ]);
  });

  test("joins lines of one side, so that sides alternate", () => {
    expect(
      lines([
        { role: "caller", text: "Hello?" },
        { role: "caller", text: "Anyone?" },
        { role: "agent", text: "Yes." },
      ]),
    ).toEqual(["user: (The call is connected.)", "assistant: Hello?\n\nAnyone?", "user: Yes."]);
  });

  test("cuts a line of the agent that is far too long", () => {
    const [, , agent] = lines([
      { role: "caller", text: "Hello?" },
      { role: "agent", text: "a".repeat(9_000) },
    ]);
    expect(agent).toBe(`user: ${"a".repeat(7_996)} […]`);
  });

  test("keeps the newest lines that fit, and says that more was said", () => {
    const messages = Array.from({ length: 20 }, (_, n) => ({
      role: n % 2 === 0 ? ("caller" as const) : ("agent" as const),
      text: `${String(n).padStart(2, "0")}${"x".repeat(7_998)}`,
    }));
    const told = lines(messages);
    expect(told[0]).toBe(
      `user: (You are on the call. What was said first is left out here.)\n\n13${"x".repeat(7_998)}`,
    );
    expect(told.slice(1).map((line) => line.slice(0, 13))).toEqual([
      "assistant: 14",
      "user: 15xxxxx",
      "assistant: 16",
      "user: 17xxxxx",
      "assistant: 18",
      "user: 19xxxxx",
    ]);
  });
});
