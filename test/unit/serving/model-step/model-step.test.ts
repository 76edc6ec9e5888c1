import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StopText } from "../../../../src/agents/runtime/stop-text.ts";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import type { LanguageModel, ModelPart } from "../../../../src/models/language-model.ts";
import { ModelError } from "../../../../src/models/model-error.ts";
import { ask, checkEvents, finish, partsModel, say } from "./ask.ts";

const text = (delta: string, id = "0"): ModelPart => ({ type: "text-delta", id, delta });
const start = (id: string, toolName = "say"): ModelPart => ({ type: "tool-input-start", id, toolName });
const piece = (id: string, delta: string): ModelPart => ({ type: "tool-input-delta", id, delta });
const called = (toolCallId: string, input: string, toolName = "say"): ModelPart => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});

describe("a stop sequence that the provider does not know", () => {
  test("ends the text before it, and what comes after is not taken", async () => {
    const parts = [text("One E"), text("N"), text("D two"), called("c1", "{}"), text("three"), finish];
    const { events, result } = await ask(partsModel(parts), { sampling: { stop: ["STOP", "END"] } });
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "text", text: "One " }]);
    expect(result?.finish).toEqual({ unified: "stop", raw: "end", sequence: "END" });
    expect(result?.usage.outputTokens).toBe(7);
  });

  test("is text as long as it is not complete", async () => {
    const parts = [text("EN"), text("E"), start("c1"), called("c1", '{"text":"END"}'), text("N"), finish];
    const { events, result } = await ask(partsModel(parts), { sampling: { stop: ["END"] } });
    checkEvents(events);
    expect(result?.blocks).toEqual([
      { type: "text", text: "ENE" },
      { type: "call", callId: "c1", name: "say", args: { text: "END" } },
      { type: "text", text: "N" },
    ]);
    expect(result?.finish).toEqual({ unified: "tool_calls", raw: "end" });
  });

  test("is found wherever the text is cut, the first that is complete", () => {
    const letters = fc.constantFrom("a", "b", "ab");
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 20 }),
        fc.array(fc.array(letters, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        (pieces, stops) => {
          const sequences = stops.map((parts) => parts.join(""));
          const whole = pieces.join("");
          // Character by character, as a model would stop.
          let end = 0;
          const done = () => sequences.filter((one) => whole.slice(0, end).endsWith(one));
          while (end < whole.length && done().length === 0) end += 1;
          const longest = Math.max(0, ...done().map(({ length }) => length));
          const stopText = new StopText(sequences);
          const given = pieces.map((piece) => stopText.push(piece)).join("") + stopText.flush();
          expect(given).toBe(whole.slice(0, end - longest));
          expect(stopText.hit?.length ?? 0).toBe(longest);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("the provider that names its own is believed", async () => {
    const named = { ...finish, providerMetadata: { anthropic: { stopSequence: "B" } } };
    const { result } = await ask(partsModel([text("x"), named]), { sampling: { stop: ["A", "B"] } });
    expect(result?.finish.sequence).toBe("B");
  });
});

describe("one call an answer", () => {
  const two = [start("c1"), piece("c1", '{"text":'), start("c2"), piece("c2", "{}"), piece("c1", '"x"}')];
  const ends = [called("c1", '{"text":"x"}'), called("c2", "{}"), called("c1", '{"text":"x"}'), finish];

  test("is the first where the model makes more", async () => {
    const { events, result } = await ask(partsModel([...two, ...ends]), {
      sampling: { parallelCalls: false },
    });
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "call", callId: "c1", name: "say", args: { text: "x" } }]);
    expect(result?.invalidCalls).toEqual([]);
  });

  test("is not asked for by default", async () => {
    const { result } = await ask(partsModel([...two, ...ends]));
    expect(result?.blocks.length).toBe(3);
  });
});

test("text, thought and call become blocks in order, each with its own start and end", async () => {
  const { events, result } = await ask(
    partsModel([
      { type: "stream-start", warnings: [] },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      { type: "reasoning-end", id: "r" },
      { type: "text-start", id: "0" },
      text("I'll "),
      text("say it."),
      { type: "text-end", id: "0" },
      start("c1"),
      piece("c1", '{"text":'),
      piece("c1", '"x"}'),
      { type: "tool-input-end", id: "c1" },
      called("c1", '{"text":"x"}'),
      finish,
    ]),
  );
  checkEvents(events);
  expect(events).toEqual([
    { type: "reasoning-start", id: "m1-r1", messageId: "m1" },
    { type: "reasoning-delta", id: "m1-r1", delta: "Hm." },
    { type: "reasoning-end", id: "m1-r1", signature: "test." },
    { type: "text-start", messageId: "m1" },
    { type: "text-delta", messageId: "m1", delta: "I'll " },
    { type: "text-delta", messageId: "m1", delta: "say it." },
    { type: "text-end", messageId: "m1" },
    { type: "call-start", callId: "c1", name: "say", messageId: "m1", clientTool: false },
    { type: "call-args", callId: "c1", delta: "{" },
    { type: "call-args", callId: "c1", delta: '"text":"x"}' },
    { type: "call-end", callId: "c1" },
  ]);
  expect(result).toEqual({
    blocks: [
      { type: "reasoning", text: "Hm.", signature: "test." },
      { type: "text", text: "I'll say it." },
      { type: "call", callId: "c1", name: "say", args: { text: "x" } },
    ],
    finish: { unified: "tool_calls", raw: "end" },
    usage: { inputTokens: 10, outputTokens: 7, reasoningTokens: 3, cacheReadTokens: 15, cacheWriteTokens: 5 },
    invalidCalls: [],
  });
});

test("every event of a subagent's answer names it", async () => {
  const subagent = { id: "call_9", name: "helper" };
  const { events } = await ask(partsModel([text("Hi"), called("c1", "{}"), finish]), { subagent });
  expect(events).toHaveLength(6);
  for (const event of events) expect(event).toHaveProperty("subagent", subagent);
});

test("a tool of the client is marked", async () => {
  const { events } = await ask(partsModel([called("c1", "{}"), finish]), {
    tools: [{ ...say, client: true }],
  });
  expect(events[0]).toMatchObject({ type: "call-start", clientTool: true });
});

test("calls written side by side are heard one after the other", async () => {
  const { events, result } = await ask(
    partsModel([
      text("Two: "),
      start("a"),
      piece("a", '{"text":"o'),
      start("b"),
      piece("b", '{"text":"tw'),
      piece("a", 'ne"}'),
      piece("b", 'o"}'),
      called("b", '{"text":"two"}'),
      called("a", '{"text":"one"}'),
      text("!"),
      finish,
    ]),
  );
  checkEvents(events);
  expect(events.map((event) => ("callId" in event ? `${event.type} ${event.callId}` : event.type))).toEqual([
    "text-start",
    "text-delta",
    "text-end",
    "call-start a",
    "call-args a",
    "call-args a",
    "call-end a",
    "call-start b",
    "call-args b",
    "call-args b",
    "call-end b",
    "text-start",
    "text-delta",
    "text-end",
  ]);
  expect(result?.blocks.map((block) => (block.type === "call" ? block.args : block))).toEqual([
    { type: "text", text: "Two: " },
    { text: "one" },
    { text: "two" },
    { type: "text", text: "!" },
  ]);
});

describe("ids", () => {
  test.each([
    ["call_abc-1", "call_abc-1"],
    ["toolu_01A", "toolu_01A"],
    ["", "call_1"],
    ["functions.say:0", "call_1"],
    ["has space", "call_1"],
    ["x".repeat(65), "call_1"],
    ["ä", "call_1"],
  ])("%j is kept or replaced: %j", async (given, callId) => {
    const { result } = await ask(partsModel([called(given, "{}"), finish]));
    expect(result?.blocks).toEqual([{ type: "call", callId, name: "say", args: {} }]);
  });

  test("one that the session knows is replaced", async () => {
    const { result } = await ask(partsModel([called("c1", "{}"), finish]), {
      isCallIdTaken: (id) => id === "c1",
    });
    expect(result?.blocks).toEqual([{ type: "call", callId: "call_1", name: "say", args: {} }]);
  });

  test("two calls under one id are two calls", async () => {
    const { events, result } = await ask(
      partsModel([called("c1", '{"text":"one"}'), called("c1", '{"text":"two"}'), finish]),
    );
    checkEvents(events);
    expect(result?.blocks).toEqual([
      { type: "call", callId: "c1", name: "say", args: { text: "one" } },
      { type: "call", callId: "call_1", name: "say", args: { text: "two" } },
    ]);
  });

  test("also when they are written side by side", async () => {
    const { events, result } = await ask(
      partsModel([
        start("c1"),
        piece("c1", '{"text":"o'),
        start("c1"),
        piece("c1", '{"te'),
        piece("c1", 'ne"}'),
        called("c1", '{"text":"one"}'),
        called("c1", '{"text":"two"}'),
        finish,
      ]),
    );
    checkEvents(events);
    expect(result?.blocks).toEqual([
      { type: "call", callId: "c1", name: "say", args: { text: "one" } },
      { type: "call", callId: "call_1", name: "say", args: { text: "two" } },
    ]);
    expect(result?.invalidCalls).toEqual([]);
  });
});

describe("calls that cannot be run", () => {
  test.each([
    ['{"text": "on', { text: "on" }, "The arguments of say are not a JSON object. The call was not run."],
    ["[1]", {}, "The arguments of say are not a JSON object. The call was not run."],
    ["null", {}, "The arguments of say are not a JSON object. The call was not run."],
  ])("arguments %j", async (input, args, message) => {
    const { events, result } = await ask(
      partsModel([start("c1"), piece("c1", input), called("c1", input), finish]),
    );
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "call", callId: "c1", name: "say", args }]);
    expect(result?.invalidCalls).toEqual([{ callId: "c1", message }]);
  });

  test("arguments that are not those that were streamed", async () => {
    const { events, result } = await ask(
      partsModel([start("c1"), piece("c1", '{"text":"one"'), called("c1", '{"text":"two"}'), finish]),
    );
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "call", callId: "c1", name: "say", args: { text: "one" } }]);
    expect(result?.invalidCalls).toEqual([
      { callId: "c1", message: "The arguments of say came twice and differ. The call was not run." },
    ]);
  });

  test("a tool that is not offered", async () => {
    const { result } = await ask(partsModel([called("c1", "{}", "rm"), finish]));
    expect(result?.invalidCalls).toEqual([
      { callId: "c1", message: 'There is no tool "rm". There is: say.' },
    ]);
  });

  test("a call that was never finished", async () => {
    const length: ModelPart = { ...finish, finishReason: { unified: "length", raw: "max_tokens" } };
    const cut = await ask(partsModel([start("c1"), piece("c1", '{"text":"lo'), length]));
    checkEvents(cut.events);
    expect(cut.result?.finish).toEqual({ unified: "length", raw: "max_tokens" });
    expect(cut.result?.invalidCalls.map(({ callId }) => callId)).toEqual(["c1"]);
    const empty = await ask(partsModel([start("c1"), length]));
    expect(empty.result?.invalidCalls).toEqual([
      { callId: "c1", message: "The arguments of say were cut off. The call was not run." },
    ]);
  });

  test("what the provider ran itself is left out", async () => {
    const { events, result } = await ask(
      partsModel([
        { type: "tool-input-start", id: "s1", toolName: "search", providerExecuted: true },
        { type: "tool-input-delta", id: "s1", delta: "{}" },
        { type: "tool-call", toolCallId: "s1", toolName: "search", input: "{}", providerExecuted: true },
        text("Found."),
        finish,
      ]),
    );
    checkEvents(events);
    expect(result?.blocks).toEqual([{ type: "text", text: "Found." }]);
    expect(result?.finish.unified).toBe("stop");
  });
});

describe("the end", () => {
  test.each([
    ["stop", false, "stop"],
    ["stop", true, "tool_calls"],
    ["tool-calls", true, "tool_calls"],
    ["tool-calls", false, "stop"],
    ["length", true, "length"],
    ["content-filter", false, "content_filter"],
    ["other", false, "other"],
    ["error", true, "tool_calls"],
  ] as const)("%s, with calls: %s, is %s", async (unified, withCall, expected) => {
    const parts: ModelPart[] = [text("Hi"), { ...finish, finishReason: { unified, raw: undefined } }];
    if (withCall) parts.unshift(called("c1", "{}"));
    const { result } = await ask(partsModel(parts));
    expect(result?.finish).toEqual({ unified: expected, raw: null });
  });

  test("an error without an answer fails the turn", async () => {
    const { thrown } = await ask(
      partsModel([{ ...finish, finishReason: { unified: "error", raw: "MALFORMED_FUNCTION_CALL" } }]),
    );
    expect(thrown).toBeInstanceOf(TurnFailedError);
    expect((thrown as TurnFailedError).failure).toEqual({
      code: "model_failed",
      message: "The model ended without an answer (MALFORMED_FUNCTION_CALL).",
      retryable: true,
    });
  });

  test("an empty answer is no failure", async () => {
    const { events, result } = await ask(partsModel([text(""), finish]));
    expect(events).toEqual([]);
    expect(result?.blocks).toEqual([]);
  });

  test("what was not counted is 0", async () => {
    const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
    const { result } = await ask(
      partsModel([
        text("Hi"),
        {
          type: "finish",
          finishReason: { unified: "stop", raw: undefined },
          usage: {
            inputTokens: { ...none, total: 12, cacheRead: 4 },
            outputTokens: { total: undefined, text: undefined, reasoning: undefined },
          },
        },
      ]),
    );
    expect(result?.usage).toEqual({
      inputTokens: 8,
      outputTokens: 0,
      reasoningTokens: 0,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
    });
  });
});

describe("failures", () => {
  const failing = (error: Error): LanguageModel => ({
    ...partsModel([]),
    doStream: async () => ({
      stream: new ReadableStream<ModelPart>({
        start(controller) {
          controller.enqueue(text("Hi"));
          controller.enqueue(start("c1"));
          controller.enqueue(piece("c1", '{"text":"a'));
        },
        pull: (controller) => controller.error(error),
      }),
    }),
  });

  test.each([
    ["rate_limited", "model_rate_limited", true],
    ["unavailable", "model_unavailable", true],
    ["stalled", "model_unavailable", true],
    ["auth", "model_not_configured", false],
    ["bad_request", "model_failed", false],
    ["malformed", "model_failed", true],
  ] as const)("%s closes what is open and fails the turn as %s", async (kind, code, retryable) => {
    const { events, thrown } = await ask(failing(new ModelError(kind, `test/m: ${kind}`)));
    checkEvents(events);
    expect(events.at(-1)).toEqual({ type: "call-end", callId: "c1" });
    expect(thrown).toBeInstanceOf(TurnFailedError);
    expect((thrown as TurnFailedError).failure).toEqual({ code, message: `test/m: ${kind}`, retryable });
  });

  test("a cancelled turn gets the signal's reason", async () => {
    const ended = new AbortController();
    const reason = new Error("gone");
    const model: LanguageModel = {
      ...partsModel([]),
      doStream: async () => {
        ended.abort(reason);
        return { stream: new ReadableStream() };
      },
    };
    const { thrown } = await ask(model, { signal: ended.signal });
    expect(thrown).toBe(reason);
  });
});

test("whatever a model streams, the events pair up and agree with the blocks", async () => {
  const id = fc.constantFrom("a", "b", "");
  const delta = fc.constantFrom("", "x", '{"text":', '"y"', "}", "[");
  const part: fc.Arbitrary<ModelPart> = fc.oneof(
    fc.record({ type: fc.constant("text-start" as const), id }),
    fc.record({ type: fc.constant("text-delta" as const), id, delta }),
    fc.record({ type: fc.constant("text-end" as const), id }),
    fc.record({ type: fc.constant("reasoning-start" as const), id }),
    fc.record({ type: fc.constant("reasoning-delta" as const), id, delta }),
    fc.record({ type: fc.constant("reasoning-end" as const), id }),
    fc.record({ type: fc.constant("tool-input-start" as const), id, toolName: fc.constantFrom("say", "rm") }),
    fc.record({ type: fc.constant("tool-input-delta" as const), id, delta }),
    fc.record({ type: fc.constant("tool-input-end" as const), id }),
    fc.record({
      type: fc.constant("tool-call" as const),
      toolCallId: id,
      toolName: fc.constantFrom("say", "rm"),
      input: fc.constantFrom("", "{}", '{"text":"y"}', "nonsense"),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 25 }), async (parts) => {
      const { events, result, thrown } = await ask(partsModel([...parts, finish]));
      expect(thrown).toBeNull();
      checkEvents(events);
      const heard = new Map<string, string>();
      for (const event of events) {
        if (event.type !== "text-delta" && event.type !== "call-args" && event.type !== "reasoning-delta")
          continue;
        const key = event.type === "call-args" ? event.callId : event.type;
        heard.set(key, (heard.get(key) ?? "") + event.delta);
      }
      const blocks = result?.blocks ?? [];
      const joined = (type: "text" | "reasoning") =>
        blocks.map((block) => (block.type === type ? block.text : "")).join("");
      expect(heard.get("text-delta") ?? "").toBe(joined("text"));
      expect(heard.get("reasoning-delta") ?? "").toBe(joined("reasoning"));
      const calls = blocks.filter((block) => block.type === "call");
      expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
      for (const { callId, args } of calls) expect(JSON.parse(heard.get(callId) ?? "")).toEqual(args);
    }),
    { numRuns: 400 },
  );
});
