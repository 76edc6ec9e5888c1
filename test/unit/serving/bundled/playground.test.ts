import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { playgroundPrompts } from "../../../../src/agents/playground/prompts.ts";
import { unicodePieces } from "../../../../src/agents/playground/replies.ts";
import { stillTiming } from "../../models/provider-server.ts";
import { Conversation, type Turn } from "./converse.ts";

const myTool = {
  name: "open_modal",
  description: "Opens it.",
  parameters: {
    type: "object",
    properties: { title: { type: "string" }, size: { enum: ["small", "large"] } },
  },
};

const talk = (options: ConstructorParameters<typeof Conversation>[1] = {}) =>
  new Conversation("playground", { timing: stillTiming(), ...options });

function effects({ state }: Turn): unknown[] {
  return Array.isArray(state.effects) ? state.effects : [];
}

describe("every documented prompt", () => {
  test.each(playgroundPrompts.map((prompt) => [prompt.say, prompt]))("%s", async (say, { needs = "" }) => {
    const clientTools = needs.includes("client tool") ? [myTool] : [];
    const { outcome, text, calls, events } = await talk({ clientTools }).say(say);
    const pauses = needs.includes("session");
    expect(outcome.type).toBe(pauses ? "interrupt" : /^(Fail|Never)/.test(say) ? "failed" : "success");
    // Nothing documented falls through to being said back, but what is meant to.
    if (say !== "Hello") expect(text).not.toBe(`You said: ${say}`);
    expect(text !== "" || calls.length > 0 || say === "Say nothing" || outcome.type === "failed").toBe(true);
    expect(events.at(-1)).toEqual({ type: "turn-end", outcome });
  });
});

test("anything else is said back", async () => {
  expect(await talk().say("Hello")).toMatchObject({ text: "You said: Hello", calls: [] });
});

test("a server tool, and what it did", async () => {
  const turn = await talk().say("What is the weather in Paris?");
  expect(turn).toMatchObject({
    calls: ["weather"],
    results: ['{"city":"Paris","celsius":13,"sky":"sunny"}'],
    text: "Paris: 13 °C, sunny.",
  });
  expect(effects(turn)).toEqual([{ callId: expect.any(String), tool: "weather" }]);
});

test("cities may be written small, and other words are no cities", async () => {
  expect((await talk().say("weather in oslo and the sea")).calls).toEqual(["weather"]);
  const three = await talk().say("The weather in Paris, Oslo, and São-Paulo, please");
  expect(three.results.map((result) => JSON.parse(result).city)).toEqual(["Paris", "Oslo", "São-Paulo"]);
});

test("text before a call is in the same answer", async () => {
  const { events } = await talk().say("Say something first, then tell me the weather in Paris.");
  const [text] = events.filter(({ type }) => type === "text-start");
  const [call] = events.filter((event) => event.type === "call-start");
  expect(text).toMatchObject({ messageId: call?.messageId });
});

describe("approvals", () => {
  test("one: nothing happens before it is given", async () => {
    const chat = talk();
    const asked = await chat.say("Delete notes.txt");
    expect(asked.outcome).toMatchObject({
      type: "interrupt",
      interrupts: [
        { tool: "delete_file", args: { path: "notes.txt" }, message: "Delete notes.txt for good?" },
      ],
    });
    expect(asked.state).toEqual({ files: ["notes.txt", "report.txt"], effects: [] });
    const approved = await chat.decide({ kind: "approve" });
    expect(approved.text).toBe("delete_file says: Deleted notes.txt.");
    expect(approved.state.files).toEqual(["report.txt"]);
    expect(effects(approved)).toHaveLength(1);
  });

  test("edited: the other file goes", async () => {
    const chat = talk();
    await chat.say("Delete notes.txt");
    const edited = await chat.decide({ kind: "edit", args: { path: "report.txt" } });
    expect(edited.state.files).toEqual(["notes.txt"]);
  });

  test("refused: nothing goes, and the agent says so", async () => {
    const chat = talk();
    await chat.say("Delete notes.txt");
    const refused = await chat.decide({ kind: "reject", reason: "Keep it." });
    expect(refused.text).toMatch(/^delete_file failed: .*Keep it\./);
    expect(refused.state).toEqual({ files: ["notes.txt", "report.txt"], effects: [] });
  });

  test("two at once, each with its own", async () => {
    const chat = talk();
    const { outcome } = await chat.say("Delete notes.txt and report.txt");
    expect(outcome.type === "interrupt" && outcome.interrupts.map(({ args }) => args.path)).toEqual([
      "notes.txt",
      "report.txt",
    ]);
    expect((await chat.decide({ kind: "approve" })).state.files).toEqual([]);
  });

  test("inside a subagent", async () => {
    const chat = talk();
    const { outcome, calls } = await chat.say("Ask the helper to delete notes.txt");
    expect(calls).toEqual(["task"]);
    expect(outcome).toMatchObject({
      type: "interrupt",
      interrupts: [{ tool: "delete_file", subagent: "helper" }],
    });
    const done = await chat.decide({ kind: "approve" });
    expect(done.text).toBe("The helper says: delete_file says: Deleted notes.txt.");
    expect(effects(done)).toHaveLength(1);
  });
});

describe("the client's tool", () => {
  test("is called with arguments that fit it, and its result is used", async () => {
    const chat = talk({ clientTools: [myTool] });
    const { outcome, calls, events } = await chat.say("Use my tool");
    expect(calls).toEqual(["open_modal"]);
    expect(events.find(({ type }) => type === "call-args")).toMatchObject({
      delta: '{"title":"sample","size":"small"}',
    });
    if (outcome.type !== "success") throw new Error(outcome.type);
    const done = await chat.answer(outcome.pendingCallIds[0] ?? "", '{"opened":true}');
    expect(done.text).toBe('open_modal says: {"opened":true}');
  });

  test("that was not declared cannot be used", async () => {
    expect((await talk().say("Use my tool")).text).toBe("You did not declare a tool.");
  });

  test("goes with server and gated tools in one answer", async () => {
    const chat = talk({ clientTools: [myTool] });
    const { calls, results, outcome } = await chat.say(
      "Use my tool, tell me the weather in Paris, and delete notes.txt",
    );
    expect(calls).toEqual(["open_modal", "weather", "delete_file"]);
    expect(results).toHaveLength(1);
    expect(outcome).toMatchObject({ type: "interrupt", interrupts: [{ tool: "delete_file" }] });
    expect(outcome.type === "interrupt" && outcome.pendingCallIds).toHaveLength(1);
  });

  test("can be forced", async () => {
    const forced = {
      clientTools: [myTool],
      sampling: { toolChoice: { type: "tool" as const, name: "open_modal" } },
    };
    expect((await talk(forced).say("Hello")).calls).toEqual(["open_modal"]);
  });
});

test("a subagent's work lies between its step's start and end", async () => {
  const { events, text } = await talk().say("Ask the helper for the weather in Rome");
  const types = events.map((event) =>
    "subagent" in event && event.subagent ? `${event.type}*` : event.type,
  );
  expect(types.slice(types.indexOf("step-start*"), types.indexOf("step-end*") + 1)).toContain("call-result*");
  expect(text).toMatch(/^The helper says: Rome: /);
});

test("a change of the shared state", async () => {
  const { state, events } = await talk().say("Set the color to blue");
  expect(state.color).toBe("blue");
  expect(events.find(({ type }) => type === "state-delta")).toMatchObject({
    patch: expect.arrayContaining([{ op: "add", path: "/color", value: "blue" }]),
  });
});

test("reasoning, then text", async () => {
  const { events } = await talk().say("Think about tea");
  expect(events.map(({ type }) => type).filter((type) => /^(text|reasoning)/.test(type))).toEqual([
    "reasoning-start",
    "reasoning-delta",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-end",
  ]);
});

test("a slow answer of eighty pieces waits before each", async () => {
  const timing = stillTiming();
  const { events, text } = await talk({ timing }).say("Count slowly to 80");
  expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(80);
  expect(timing.slept).toEqual(Array(80).fill(15));
  expect(text).toMatch(/^1, 2, 3, .*, 79, 80\.$/);
});

test.each([
  ["rate_limited", "model_rate_limited"],
  ["unavailable", "model_unavailable"],
  ["auth", "model_not_configured"],
  ["bad_request", "model_failed"],
  ["stalled", "model_unavailable"],
  ["malformed", "model_failed"],
])("a model that fails as %s", async (kind, code) => {
  const { outcome, text } = await talk().say(`Fail as ${kind}`);
  expect(outcome).toMatchObject({ type: "failed", failure: { code } });
  expect(text).toBe("");
  const late = await talk().say(`Fail after some text as ${kind}`);
  expect(late.outcome).toMatchObject({ type: "failed", failure: { code } });
  expect(late.text).toBe("This answer begins well, ");
});

test("a tool that fails", async () => {
  const turn = await talk().say("Use the failing tool");
  expect(turn.results).toEqual(["!The failing tool failed, as always."]);
  expect(turn.text).toBe("failing_tool failed: The failing tool failed, as always.");
  expect(effects(turn)).toHaveLength(1);
});

test("a tool that takes time reports how far it is", async () => {
  const { events } = await talk().say("Use the slow tool for 20 ms");
  expect(events.filter(({ type }) => type === "custom")).toEqual([
    { type: "custom", name: "progress", value: { done: 0, of: 2 } },
    { type: "custom", name: "progress", value: { done: 2, of: 2 } },
  ]);
});

test("a long result", async () => {
  const { results, text } = await talk().say("Long tool output of 50000 characters");
  expect(results[0]).toHaveLength(50_000);
  expect(text).toBe("The tool returned 50000 characters.");
});

test("calls that cannot be run are answered with an error", async () => {
  expect((await talk().say("Call a tool that is not there")).results[0]).toMatch(
    /^!There is no tool "no_such_tool"/,
  );
  expect((await talk().say("Call a tool with wrong arguments")).results[0]).toMatch(/^!.*city: /);
});

test("a word is remembered across turns", async () => {
  const chat = talk();
  expect((await chat.say("Remember the word kiwi.")).text).toBe("I will remember the word kiwi.");
  await chat.say("Hello");
  expect((await chat.say("What was the word?")).text).toBe("The word was kiwi.");
  expect((await talk().say("What was the word?")).text).toBe("You have not told me a word.");
});

test("a model that never stops is stopped", async () => {
  const turn = await talk().say("Never stop");
  expect(turn.outcome).toMatchObject({ type: "failed", failure: { code: "step_limit" } });
  expect(turn.calls).toHaveLength(32);
});

test("unicode comes out whole", async () => {
  const { text } = await talk().say("Unicode");
  expect(text).toBe(unicodePieces.join(""));
  expect(text.isWellFormed()).toBe(true);
});

test("what was sent beside text", async () => {
  const image = { type: "media" as const, kind: "image" as const, mediaType: "image/png", data: "" };
  expect((await talk().say("What did I send?", image)).text).toBe("You sent image (image/png).");
});

describe("JSON when it is asked for", () => {
  test("with a schema: a value that fits", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", minLength: 10 },
        age: { type: "integer", minimum: 18 },
        tags: { type: "array", items: { $ref: "#/$defs/tag" }, minItems: 2 },
        note: { anyOf: [{ type: "null" }, { type: "string" }] },
      },
      $defs: { tag: { enum: ["a", "b"] } },
    };
    const { text } = await talk({ sampling: { responseFormat: { type: "json", schema } } }).say("Hello");
    expect(JSON.parse(text)).toEqual({ name: "sample....", age: 18, tags: ["a", "a"], note: null });
  });

  test("without one: the answer as an object", async () => {
    const { text } = await talk({ sampling: { responseFormat: { type: "json" } } }).say("Hello");
    expect(JSON.parse(text)).toEqual({ reply: "You said: Hello" });
  });
});

test("the documentation has every prompt", async () => {
  const page = await readFile(new URL("../../../../docs/agents.md", import.meta.url), "utf8");
  // The table may be padded.
  const rows = page.split("\n").map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .join("|"),
  );
  for (const { say, shows, needs = "" } of playgroundPrompts)
    expect(rows).toContain(`|${say}|${shows}|${needs}|`);
});
