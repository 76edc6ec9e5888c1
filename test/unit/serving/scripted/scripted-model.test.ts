import { describe, expect, test } from "vitest";
import type { Script, ScriptTurn } from "../../../../src/agents/authoring/script.ts";
import { scriptedModel } from "../../../../src/agents/runtime/scripted-model.ts";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import { systemTiming } from "../../../../src/models/timing.ts";
import type { Message } from "../../../../src/turn/message.ts";
import { stillTiming } from "../../models/provider-server.ts";
import { ask, checkEvents, say } from "../model-step/ask.ts";

const play = (script: Script, changes: Parameters<typeof ask>[1] = {}) =>
  ask(scriptedModel(script, stillTiming()), changes);

/** What the script was given. */
async function turnFor(changes: Parameters<typeof ask>[1]): Promise<ScriptTurn> {
  const seen: ScriptTurn[] = [];
  await play((turn) => {
    seen.push(turn);
    return [];
  }, changes);
  const [turn] = seen;
  if (turn === undefined) throw new Error("the script was not asked");
  return turn;
}

test("parts become an answer", async () => {
  const { events, result } = await play(() => [
    { reasoning: "Let me " },
    { reasoning: "think." },
    { text: "One. " },
    { pieces: ["Two. ", "Three."] },
    { call: { name: "say", args: { text: "a" } } },
    { call: { name: "say", args: { text: "b" }, id: "c1" } },
  ]);
  checkEvents(events);
  expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(3);
  expect(result?.blocks).toEqual([
    { type: "reasoning", text: "Let me think.", signature: "scripted." },
    { type: "text", text: "One. Two. Three." },
    { type: "call", callId: "call_1", name: "say", args: { text: "a" } },
    { type: "call", callId: "c1", name: "say", args: { text: "b" } },
  ]);
  expect(result?.finish).toEqual({ unified: "tool_calls", raw: "tool-calls" });
});

test("the same turn costs the same", async () => {
  const script: Script = () => [{ reasoning: "12345678" }, { text: "1234567890" }];
  const { result } = await play(script);
  // "Be brief." and "Hello?" are 15 characters.
  expect(result?.usage).toEqual({
    inputTokens: 4,
    outputTokens: 5,
    reasoningTokens: 2,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
  expect((await play(script)).result).toEqual(result);
});

test("an empty script is an empty answer", async () => {
  const { events, result } = await play(() => []);
  expect(events).toEqual([]);
  expect(result?.finish.unified).toBe("stop");
});

describe("what the script goes by", () => {
  const messages: Message[] = [
    { role: "user", id: "u1", parts: [{ type: "text", text: "First" }] },
    { role: "assistant", id: "a1", blocks: [{ type: "text", text: "Yes?" }] },
    {
      role: "user",
      id: "u2",
      parts: [
        { type: "text", text: "Second," },
        { type: "media", kind: "image", mediaType: "image/png", data: "" },
        { type: "text", text: "in two parts" },
      ],
    },
    { role: "assistant", id: "a2", blocks: [{ type: "call", callId: "c1", name: "say", args: {} }] },
    { role: "tool", id: "r1", callId: "c1", content: "done", isError: false },
    { role: "tool", id: "r2", callId: "c0", content: "stray", isError: true },
  ];

  test("the newest words, and what came of calls since", async () => {
    const turn = await turnFor({ messages, state: { a: 1 } });
    expect(turn).toMatchObject({
      user: "Second,\nin two parts",
      step: 1,
      state: { a: 1 },
      system: "Be brief.",
    });
    expect(turn.results).toEqual([
      { callId: "c1", name: "say", content: "done", isError: false },
      { callId: "c0", name: "", content: "stray", isError: true },
    ]);
    expect(turn.tools).toEqual([say]);
  });

  test("a conversation without a user", async () => {
    expect(await turnFor({ messages: [] })).toMatchObject({ user: "", step: 0, results: [] });
  });

  test("no tools when none may be called", async () => {
    expect((await turnFor({ sampling: { toolChoice: { type: "none" } } })).tools).toEqual([]);
  });
});

describe("limits", () => {
  test("the token limit cuts text at four characters a token, and calls behind it", async () => {
    const script: Script = () => [{ pieces: ["1234", "5678", "90"] }, { call: { name: "say", args: {} } }];
    const { events, result } = await play(script, { sampling: { maxOutputTokens: 2 } });
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "text", text: "12345678" }]);
    expect(result?.finish).toEqual({ unified: "length", raw: "length" });
    const whole = await play(script, { sampling: { maxOutputTokens: 3 } });
    expect(whole.result?.finish.unified).toBe("tool_calls");
  });

  test("thoughts count too", async () => {
    const { result } = await play(() => [{ reasoning: "12345678" }, { text: "more" }], {
      sampling: { maxOutputTokens: 2 },
    });
    expect(result?.blocks).toEqual([{ type: "reasoning", text: "12345678", signature: "scripted." }]);
    expect(result?.finish.unified).toBe("length");
  });

  test("text ends before a stop sequence, also one that lies across pieces", async () => {
    const script: Script = () => [{ pieces: ["One E", "ND two"] }, { text: "three" }];
    const { result } = await play(script, { sampling: { stop: ["STOP", "END"] } });
    expect(result?.blocks).toEqual([{ type: "text", text: "One " }]);
    expect(result?.finish).toEqual({ unified: "stop", raw: "stop", sequence: "END" });
  });
});

describe("failures", () => {
  test("a part fails as a provider would, after what came before it", async () => {
    const { events, thrown } = await play(() => [
      { text: "Hi" },
      { fail: { kind: "rate_limited", message: "too many" } },
      { text: "never" },
    ]);
    checkEvents(events);
    expect(events.map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-end"]);
    if (!(thrown instanceof TurnFailedError)) throw thrown;
    expect(thrown.failure).toEqual({
      code: "model_rate_limited",
      message: "scripted: too many",
      retryable: true,
    });
  });

  test("a script that throws is heard of as it is", async () => {
    const fault = new Error("a bug in the script");
    const { thrown } = await play(() => {
      throw fault;
    });
    expect(thrown).toBe(fault);
  });
});

describe("waiting", () => {
  test("takes the time the script says", async () => {
    const timing = stillTiming();
    await ask(scriptedModel(() => [{ wait: 20 }, { text: "a" }, { wait: 30 }, { text: "b" }], timing));
    expect(timing.slept).toEqual([20, 30]);
  });

  test("ends with the turn", async () => {
    const ended = new AbortController();
    const timing = systemTiming();
    const model = scriptedModel(() => [{ text: "a" }, { wait: 60_000 }, { text: "b" }], timing);
    setTimeout(() => ended.abort(new Error("gone")), 20);
    const { events, thrown } = await ask(model, { signal: ended.signal, timing });
    checkEvents(events);
    expect(thrown).toEqual(new Error("gone"));
  });
});
