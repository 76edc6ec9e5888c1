import { describe, expect, it } from "vitest";
import { ModelError, type ModelErrorKind } from "../../../../src/models/model-error.ts";
import type { BrainReply } from "../../../../src/table/brains/brain.ts";
import { Backend, FakeBrain, fullTurn, pinnedTurn } from "./table-wire.ts";

const call = (name: string, args = {}) => ({ name, args });
const reply = (calls: BrainReply["calls"], text = "Here."): BrainReply => ({ text, calls });

describe("ids", () => {
  it("name turn, phase and place, and are the same for the same request", async () => {
    const plan = reply([call("view.setSort"), call("edit.cells"), call("view.setSort")]);
    const backend = new Backend(new FakeBrain({ ...plan, ask: { question: "Which?", allowFreeText: true } }));
    const turn = fullTurn({ turnId: "t9", phaseId: 2 });
    const first = await backend.reply(turn);
    expect(first.toolCalls?.map(({ id }) => id)).toEqual(["t9:2:0", "t9:2:1", "t9:2:2"]);
    expect(first.askUser).toEqual({ id: "t9:2:3", question: "Which?", allowFreeText: true });
    const again = await backend.reply(turn);
    expect([again.toolCalls, again.askUser]).toEqual([first.toolCalls, first.askUser]);
  });

  it("go on after those that earlier rounds of the phase have results for", async () => {
    const backend = new Backend(new FakeBrain(reply([call("read", { limit: 5 })])));
    const results = ["t1:0:0", "t1:0:2", "t1:1:9", "other"].map((id) => ({ id, result: {} }));
    const { toolCalls } = await backend.reply(fullTurn({ toolResults: results }));
    expect(toolCalls?.map(({ id }) => id)).toEqual(["t1:0:3"]);
  });

  it("are there although the turn has none", async () => {
    const { toolCalls } = await new Backend().reply(fullTurn({ turnId: undefined, phaseId: undefined }));
    expect(toolCalls?.map(({ id }) => id)).toEqual(["turn:0:0"]);
  });
});

describe("a round", () => {
  it("holds what the request brought", async () => {
    const backend = new Backend();
    const brought = {
      phaseId: 1,
      conversation: [{ role: "user", text: "hi" }],
      toolResults: [
        { id: "a", error: { code: "invalid-arguments", message: "no" } },
        { id: "q", result: { question: "Which?", optionId: "x" } },
      ],
      pendingCalls: [{ id: "p", name: "view.setSort", args: {} }],
    };
    await backend.reply(fullTurn(brought));
    expect(backend.brain.rounds[0]).toMatchObject(brought);
  });
});

describe("what is asked to come back", () => {
  it.each(["rows.read", "rows.resolve", "columns.describe", "view.describe"])(
    "%s wants its results",
    async (name) => {
      const backend = new Backend(new FakeBrain(reply([call("view.setSort"), call(name)])));
      const turn = fullTurn() as { context: { contract: { capabilities: object[] } } };
      const { contract } = turn.context;
      const capabilities = [...contract.capabilities, { key: name, summary: name }];
      const context = { ...turn.context, contract: { ...contract, capabilities } };
      expect((await backend.reply({ ...turn, context })).continueWithResults).toBe(true);
    },
  );

  it.each([["edit.cells"], ["view.setSort"], ["read"], ["describe"]])("%s does not", async (name) => {
    const backend = new Backend(new FakeBrain(reply([call(name)])));
    expect(await backend.reply(fullTurn())).not.toHaveProperty("continueWithResults");
  });
});

describe("an answer that must not leave", () => {
  it.each([
    [
      "a call that is not offered",
      [call("rows.delete")],
      'Call 1 names "rows.delete", which this table does not offer.',
    ],
    [
      "a call of every object's",
      [call("constructor")],
      'Call 1 names "constructor", which this table does not offer.',
    ],
    ["too many calls", Array(33).fill(call("view.setSort")), "There are 33 calls; at most 32 are allowed."],
    ["too many guides", Array(17).fill(call("describe")), 'At most 16 "describe" calls are allowed.'],
    ["too many windows", Array(17).fill(call("read")), 'At most 16 "read" calls are allowed.'],
    [
      "a window that is none",
      [call("read", { limit: 0 })],
      "Call 1: read.limit must be a whole number, 1 or more.",
    ],
    [
      "keys that are none",
      [call("describe", { keys: [1] })],
      "Call 1: describe.keys must be an array of capability keys.",
    ],
  ])("%s", async (_, calls, fault) => {
    expect(await new Backend(new FakeBrain(reply(calls))).refusal(fullTurn())).toEqual({
      status: 502,
      error: `The agent's answer was refused. ${fault}`,
    });
  });

  it("a question that cannot be answered", async () => {
    const ask = { question: "Which?", options: [], allowFreeText: false };
    expect(await new Backend(new FakeBrain({ ...reply([]), ask })).refusal(fullTurn())).toEqual({
      status: 502,
      error: "The agent's answer was refused. A question must offer options or allow a free answer.",
    });
  });

  it("one too large", async () => {
    const backend = new Backend(new FakeBrain(reply([], "x".repeat(512_000))));
    expect(await backend.refusal(fullTurn())).toEqual({
      status: 502,
      error: "The agent's answer is larger than 512000 bytes.",
    });
  });
});

describe("a model that fails", () => {
  it.each<[ModelErrorKind, number]>([
    ["rate_limited", 503],
    ["auth", 503],
    ["unavailable", 502],
    ["stalled", 502],
    ["malformed", 502],
    ["too_long", 502],
    ["bad_request", 502],
  ])("with %s is a %i", async (kind, status) => {
    const backend = new Backend(
      new FakeBrain(() => {
        throw new ModelError(kind, "openai/x: it broke");
      }),
    );
    const error = "The model did not answer: openai/x: it broke";
    expect(await backend.refusal(fullTurn())).toEqual({ status, error });
    expect(
      await backend.refusal(fullTurn({ sessionId: undefined }), { accept: "text/event-stream" }),
    ).toEqual({
      status,
      error,
    });
    expect(backend.reported).toEqual([]);
  });
});

describe("a client that leaves", () => {
  it("ends the brain's work", async () => {
    const left = new AbortController();
    let seen: AbortSignal | undefined;
    const brain = new FakeBrain((_, { signal }) => {
      seen = signal;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const answering = new Backend(brain).post(fullTurn(), { signal: left.signal });
    await expect.poll(() => seen).toBeDefined();
    left.abort(new Error("gone"));
    await expect(answering).rejects.toThrow("gone");
    expect(seen?.aborted).toBe(true);
  });
});

describe("a voice turn", () => {
  const audio = { mimeType: "audio/webm;codecs=opus", base64: btoa("clip"), durationMs: 900 };
  const spoken = fullTurn({ message: undefined, audio });

  it("is answered as if it had been typed, and says what was heard", async () => {
    const clips: unknown[] = [];
    const transcribe = async (clip: unknown) => {
      clips.push(clip);
      return "  sort by salary ";
    };
    const backend = new Backend(new FakeBrain(), { transcribe });
    expect(await backend.reply(spoken)).toMatchObject({
      transcript: "sort by salary",
      text: "Sorting by salary.",
    });
    expect(clips).toEqual([{ ...audio, mimeType: "audio/webm" }]);
    expect(backend.brain.rounds[0]?.message).toBe("sort by salary");
  });

  it("in which nothing was said asks no model", async () => {
    const backend = new Backend(new FakeBrain(), { transcribe: async () => " " });
    expect(await backend.reply(spoken)).toMatchObject({
      transcript: "",
      text: "No words could be made out in the recording. Please say it again.",
    });
    expect(backend.brain.rounds).toEqual([]);
  });

  it("that nothing can hear is a 501", async () => {
    const backend = new Backend(new FakeBrain(), { transcribe: "Set SOMETHING." });
    expect(await backend.refusal(spoken)).toEqual({ status: 501, error: "Set SOMETHING." });
  });

  it("without a pin is not transcribed", async () => {
    const backend = new Backend(new FakeBrain(), {
      transcribe: async () => {
        throw new Error("transcribed");
      },
    });
    expect((await backend.reply(pinnedTurn("nobody", { message: undefined, audio }))).pin?.status).toBe(
      "expired",
    );
  });

  it.each(["a b c", "QQ=", "A", "QQ==="])("of what is no base64 (%s) is refused", async (base64) => {
    const backend = new Backend(new FakeBrain(), { transcribe: async () => "heard" });
    expect(await backend.refusal(fullTurn({ audio: { ...audio, base64 } }))).toEqual({
      status: 400,
      error: "agent HTTP audio.base64 is not base64",
    });
  });

  it("whose transcription fails is a 502", async () => {
    const backend = new Backend(new FakeBrain(), {
      transcribe: async () => {
        throw new ModelError("unavailable", "it broke");
      },
    });
    expect(await backend.refusal(spoken)).toEqual({
      status: 502,
      error: "The model did not answer: it broke",
    });
  });
});
