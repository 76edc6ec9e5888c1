import { describe, expect, test } from "vitest";
import { Conversation } from "./converse.ts";

const say = (line: string) => new Conversation("support").say(line);

test("the plans, as its documentation shows them", async () => {
  expect(await say("What plans do you offer?")).toMatchObject({
    text: "We offer Free, Pro and Team plans.",
    calls: [],
    outcome: { type: "success", finish: { unified: "stop" } },
  });
});

test.each(["How much is Pro?", "Compare your plans", "What does the Team plan cost?"])(
  "prices: %s",
  async (line) => {
    const { calls, text } = await say(line);
    expect(calls).toEqual(["list_plans"]);
    expect(text).toContain("Pro is $20 a month for up to 5 people");
  },
);

describe("orders", () => {
  test.each(["Where is order 1043?", "Has my package #1043 arrived?", "status of ORD-1043, my order"])(
    "%s",
    async (line) => {
      const { calls, text } = await say(line);
      expect(calls).toEqual(["find_order"]);
      expect(text).toBe("Order 1043 (Hardware key, $49) is on its way, expected on October 21.");
    },
  );

  test("the number may come after the question", async () => {
    const chat = new Conversation("support");
    expect(await chat.say("Where is my order?")).toMatchObject({ calls: [] });
    expect((await chat.say("It's 1045")).text).toBe(
      "Order 1045 (Conference badge, $19.50) is in preparation, expected on October 28.",
    );
  });

  test("one that is not there", async () => {
    expect((await say("Where is order 9999?")).text).toBe(
      "I'm sorry, that did not work: There is no order 9999.",
    );
  });
});

describe("refunds", () => {
  test("wait for a person, who sees what and for whom", async () => {
    const chat = new Conversation("support");
    const asked = await chat.say("Please refund order 1042, it was a mistake");
    expect(asked.calls).toEqual(["find_order", "refund_order"]);
    expect(asked.outcome).toMatchObject({
      type: "interrupt",
      interrupts: [
        {
          tool: "refund_order",
          args: { orderId: "1042", amount: 240, reason: "Please refund order 1042, it was a mistake" },
          message: "Refund $240 of order 1042 (Pro plan, one year, $240) to Ana Silva?",
          allowedDecisions: ["approve", "edit", "reject"],
        },
      ],
    });
    expect(asked.state).toEqual({ refunds: [] });
    const done = await chat.decide({ kind: "approve" });
    expect(done.text).toBe("Done, $240 of order 1042 is on its way back to you.");
    expect(done.state.refunds).toEqual([{ orderId: "1042", amount: 240, callId: expect.any(String) }]);
    expect((await chat.say("Refund order 1042 again")).text).toBe("Order 1042 was refunded already.");
    expect((await chat.say("Where is order 1042?")).text).toBe(
      "Order 1042 (Pro plan, one year, $240) is delivered. $240 of it was refunded.",
    );
  });

  test("can be edited to less, and not to more", async () => {
    const chat = new Conversation("support");
    await chat.say("I want my money back for order 1043");
    const less = await chat.decide({ kind: "edit", args: { orderId: "1043", amount: 10, reason: "half" } });
    expect(less.text).toBe("Done, $10 of order 1043 is on its way back to you.");
    await chat.say("Refund the rest of order 1043");
    const more = await chat.decide({ kind: "edit", args: { orderId: "1043", amount: 40, reason: "all" } });
    expect(more.text).toBe("I could not make that refund: No more than $39 of order 1043 can be refunded.");
  });

  test("can be refused", async () => {
    const chat = new Conversation("support");
    await chat.say("Refund $20 of order 1042");
    const refused = await chat.decide({ kind: "reject", reason: "Out of time." });
    expect(refused.text).toMatch(/^I could not make that refund: .*Out of time\./);
    expect(refused.state).toEqual({ refunds: [] });
  });

  test("the order's number is asked for, and remembered", async () => {
    const chat = new Conversation("support");
    expect(await chat.say("I want a refund")).toMatchObject({ calls: [], outcome: { type: "success" } });
    expect(await chat.say("1044")).toMatchObject({ calls: ["find_order", "refund_order"] });
  });

  test("no more than was paid", async () => {
    expect((await say("Refund $500 of order 1042")).text).toBe(
      "I can refund at most $240 of order 1042. Shall I do that?",
    );
  });
});

test.each([
  ["Hello", "Hello! Ask me about our plans, an order, or a refund."],
  ["Thanks!", "You're welcome. Anything else?"],
  [
    "What is the meaning of life?",
    "I can tell you about our plans and their prices, find an order by its number, and refund one.",
  ],
])("%s", async (line, text) => {
  expect((await say(line)).text).toBe(text);
});
