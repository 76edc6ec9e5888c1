import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { CallerModelError, createModelCaller } from "../../../src/sandtable/caller/model.ts";
import type { ModelCaller } from "../../../src/sandtable/domain/types.ts";
import type { Conversation } from "../../../src/sandtable/trial/conversation.ts";
import { stillTiming } from "../models/provider-server.ts";
import { hangUp, say, scriptedModel, type Turn } from "./scripted-model.ts";

const caller: ModelCaller = {
  kind: "model",
  goal: "Book load L-1002 for at most $1,600.",
  knows: [{ fact: "MC number", value: "100101" }],
  unknown: ["fuel surcharge"],
  manner: "hurried",
  price: { input: 0.25, output: 2 },
};

const midCall: Conversation = {
  messages: [
    { role: "caller", turn: 1, text: "Hi, I want L-1002." },
    { role: "agent", turn: 1, text: "What is your MC number?" },
  ],
  calls: [],
};

/** The next move of a caller whose model takes these turns. */
async function move(...turns: Turn[]) {
  const model = scriptedModel(turns);
  const played = await createModelCaller(caller, { model, timing: stillTiming() }).next(midCall);
  return { ...played, asked: model.asked };
}

describe("what counts as a move", () => {
  test("say is a line", async () => {
    const played = await move({ calls: [say("It's 100101.")], finish: "tool-calls" });
    expect(played.move).toEqual({ say: "It's 100101.", act: "continue", hangUp: false });
  });

  test("several say calls are one line", async () => {
    const played = await move({ calls: [say("It's 100101."), say(" So, L-1002? ")] });
    expect(played.move).toEqual({ say: "It's 100101. So, L-1002?", act: "continue", hangUp: false });
  });

  test("hang_up with text is said, and ends the call", async () => {
    const played = await move({ calls: [hangUp({ text: "Thanks, bye.", reason: "booked" })] });
    expect(played.move).toEqual({
      say: "Thanks, bye.",
      act: "hang_up",
      hangUp: true,
      endedBy: "caller_hung_up",
    });
  });

  test.each([
    ["without text", [hangUp({ reason: "no use" })]],
    ["with empty text", [hangUp({ text: " ", reason: "no use" })]],
    ["without any argument", [{ name: "hang_up", input: "" }]],
  ])("hang_up %s ends it at once", async (_name, calls) => {
    const played = await move({ calls });
    expect(played.move).toEqual({ say: null, act: "hang_up", hangUp: true, endedBy: "caller_hung_up" });
  });

  test("say and hang_up together: the last words, then the end", async () => {
    const played = await move({
      calls: [say("Too much for me."), hangUp({ text: "Bye.", reason: "price" })],
    });
    expect(played.move).toMatchObject({ say: "Too much for me. Bye.", hangUp: true });
  });

  test.each(["Goodbye!", "###STOP###", "I will hang up now. Goodbye.", "hang_up is what I will do"])(
    "words end nothing: %s",
    async (text) => {
      expect((await move({ calls: [say(text)] })).move).toEqual({
        say: text,
        act: "continue",
        hangUp: false,
      });
      expect((await move({ text })).move).toEqual({ say: text, act: "continue", hangUp: false });
    },
  );

  test("text without a call counts as said", async () => {
    expect((await move({ text: " It's 100101.\n" })).move.say).toBe("It's 100101.");
  });

  test("text beside a call is not spoken", async () => {
    const played = await move({ text: "I will answer the question.", calls: [say("It's 100101.")] });
    expect(played.move.say).toBe("It's 100101.");
  });

  test.each([
    ["<think>They want the number.</think>\nIt's 100101.", "It's 100101."],
    ["Caller: It's 100101.", "It's 100101."],
    ["It's 100101.\nAgent: Thank you, booked!\nCaller: Great.", "It's 100101."],
    ["Ask the agent: is it free?", "Ask the agent: is it free?"],
  ])("%j is heard as %j", async (text, heard) => {
    expect((await move({ text })).move.say).toBe(heard);
    expect((await move({ calls: [say(text)] })).move.say).toBe(heard);
  });

  test("a long line is cut with a mark, never inside a character", async () => {
    const { say: line } = (await move({ calls: [say(`x${"🚚".repeat(1_500)}`)] })).move;
    expect(line).toBe(`x${"🚚".repeat(997)} […]`);
    const fits = "y".repeat(2_000);
    expect((await move({ calls: [say(fits)] })).move.say).toBe(fits);
  });
});

describe("answers that are no move are asked for again", () => {
  test.each<[string, Turn, string]>([
    ["nothing", {}, "(You said nothing. Call `say` with your next line.)"],
    ["reasoning only", { reasoning: "Hm." }, "(You said nothing. Call `say` with your next line.)"],
    ["thoughts only", { text: "<think>Hm" }, "(You said nothing. Call `say` with your next line.)"],
    ["an empty line", { calls: [say("")] }, "(You said nothing. Call `say` with your next line.)"],
    [
      "a strange tool",
      { calls: [{ name: "book_load", input: "{}" }] },
      "(You said nothing. Call `say` with your next line.)",
    ],
    [
      "broken arguments",
      { calls: [{ name: "say", input: '{"text": "It' }], finish: "length" },
      "(Your tool call could not be read. Call `say` with your next line.)",
    ],
    [
      "arguments of another shape",
      { calls: [{ name: "say", input: '{"text": 7}' }] },
      "(Your tool call could not be read. Call `say` with your next line.)",
    ],
    [
      "a call written as text",
      { text: 'say({"text": "It is 100101."})' },
      "(You wrote a tool call as text. Call `say` with your next line.)",
    ],
    [
      "a refusal",
      { text: "I can't help with that.", finish: "content-filter" },
      "(That was not said. Call `say` with your next line.)",
    ],
  ])("%s", async (_name, turn, reminder) => {
    const played = await move(turn, { calls: [say("It's 100101.")] });
    expect(played.move.say).toBe("It's 100101.");
    expect(played.asked).toHaveLength(2);
    expect(played.asked[1]?.prompt.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: "What is your MC number?" },
        { type: "text", text: reminder },
      ],
    });
    // What both answers cost together.
    expect(played.usage).toEqual({
      inputTokens: 20,
      outputTokens: 4,
      costUsd: (20 * 0.25 + 4 * 2) / 1_000_000,
    });
  });

  test("three are enough", async () => {
    const model = scriptedModel([{}, { tokens: [30, 5] }, {}, { calls: [say("too late")] }]);
    const failed = await createModelCaller(caller, { model, timing: stillTiming() })
      .next(midCall)
      .catch((error: unknown) => error);
    if (!(failed instanceof CallerModelError)) throw failed;
    expect([failed.kind, failed.message]).toEqual(["no_line", "test/m: gave no line in 3 answers"]);
    expect(failed.usage).toEqual({
      inputTokens: 50,
      outputTokens: 9,
      costUsd: (50 * 0.25 + 9 * 2) / 1_000_000,
    });
    expect(model.asked).toHaveLength(3);
  });
});

describe("usage", () => {
  test("costs input and output at their own price for a million tokens", async () => {
    const played = await move({ calls: [say("Hi")], tokens: [1_000_000, 500_000] });
    expect(played.usage).toEqual({ inputTokens: 1_000_000, outputTokens: 500_000, costUsd: 1.25 });
  });

  test("without a price the tokens are told and the cost is not known", async () => {
    const { price: _, ...unpriced } = caller;
    const model = scriptedModel([{ calls: [say("Hi")] }]);
    const played = await createModelCaller(unpriced, { model, timing: stillTiming() }).next(midCall);
    expect(played.usage).toEqual({ inputTokens: 10, outputTokens: 2, costUsd: null });
  });

  test("tokens that were not counted leave the cost unknown", async () => {
    const played = await move({ tokens: null }, { calls: [say("Hi")] });
    expect(played.usage).toEqual({ inputTokens: 10, outputTokens: 2, costUsd: null });
  });
});

describe("failures", () => {
  const refused = new APICallError({ message: "secret", url: "", requestBodyValues: {}, statusCode: 401 });

  test("of the model keep its kind, and say what was spent before", async () => {
    const model = scriptedModel([{}, { fails: refused }]);
    const failed = await createModelCaller(caller, { model, timing: stillTiming() })
      .next(midCall)
      .catch((error: unknown) => error);
    if (!(failed instanceof CallerModelError)) throw failed;
    expect([failed.kind, failed.message]).toEqual([
      "auth",
      "test/m: the provider refused the key (HTTP 401)",
    ]);
    expect(failed.usage).toEqual({ inputTokens: 10, outputTokens: 2, costUsd: 6.5e-6 });
  });

  test("a cancelled trial gives its own reason", async () => {
    const reason = new Error("cancelled");
    const model = scriptedModel([{ calls: [say("Hi")] }]);
    const deps = { model, timing: stillTiming(), signal: AbortSignal.abort(reason) };
    await expect(createModelCaller(caller, deps).next(midCall)).rejects.toBe(reason);
    expect(model.asked).toEqual([]);
  });
});

describe("the first line", () => {
  test("is the fixed one, word for word and free of charge", async () => {
    const model = scriptedModel([]);
    const fixed = createModelCaller(
      { ...caller, opens: "Hi, MC 100101 here." },
      { model, timing: stillTiming() },
    );
    expect(await fixed.open()).toEqual({
      move: { say: "Hi, MC 100101 here.", act: "continue", hangUp: false },
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    });
    expect(model.asked).toEqual([]);
  });

  test("is the model's otherwise, which cannot hang up before it has spoken", async () => {
    const model = scriptedModel([{ calls: [hangUp({ reason: "done" })] }, { calls: [say("Hello there.")] }]);
    const played = await createModelCaller(caller, { model, timing: stillTiming() }).open();
    expect(played.move).toEqual({ say: "Hello there.", act: "continue", hangUp: false });
    expect(model.asked[0]?.tools?.map((tool) => tool.name)).toEqual(["say"]);
    expect(model.asked[0]?.prompt.slice(1)).toEqual([
      { role: "user", content: [{ type: "text", text: "(The call is connected. Say your first line.)" }] },
    ]);
  });
});

test("sampling is left to the provider, and the next line depends on the conversation alone", async () => {
  const answer = { calls: [say("It's 100101.")] };
  const model = scriptedModel([answer, answer]);
  const first = await createModelCaller(caller, { model, timing: stillTiming() }).next(midCall);
  const afterRestart = await createModelCaller(caller, { model, timing: stillTiming() }).next(midCall);
  expect(afterRestart).toEqual(first);
  const [one, two] = model.asked;
  expect(two?.prompt).toEqual(one?.prompt);
  expect(Object.keys(one ?? {}).sort()).toEqual(["abortSignal", "prompt", "toolChoice", "tools"]);
  expect(one?.toolChoice).toEqual({ type: "auto" });
  expect(one?.tools?.map((tool) => tool.name)).toEqual(["say", "hang_up"]);
});
