import { describe, expect, it } from "vitest";
import { memoryPins } from "../../../../src/table/backend/memory-pins.ts";
import { maxSaidChars, pinKeepMs } from "../../../../src/table/backend/pin-store.ts";
import { Backend, eventsOf, FakeBrain, fullTurn, pinnedTurn } from "./table-wire.ts";

const echo = () => new Backend(new FakeBrain(({ message }) => ({ text: `You said ${message}.`, calls: [] })));
const seen = ({ brain }: Backend) =>
  brain.rounds.at(-1)?.conversation.map(({ role, text }) => `${role}: ${text}`);

describe("a client that sends no conversation", () => {
  it("is answered with what was said in its session before", async () => {
    const backend = echo();
    const sessionId = await backend.connect();
    await backend.reply(pinnedTurn(sessionId, { turnId: "1", message: "only Core" }));
    expect(seen(backend)).toEqual([]);
    await eventsOf(await backend.stream(pinnedTurn(sessionId, { turnId: "2", message: "and sort them" })));
    await backend.reply(fullTurn({ sessionId, turnId: "3", message: "again" }));
    expect(seen(backend)).toEqual([
      "user: only Core",
      "assistant: You said only Core.",
      "user: and sort them",
      "assistant: You said and sort them.",
    ]);
  });

  it("has a turn of several rounds remembered once, with its last words, and never while it is under way", async () => {
    const asks = new Backend(
      new FakeBrain(({ toolResults, phaseId }) =>
        toolResults.length === 0
          ? { text: "", calls: [{ name: "read", args: {} }] }
          : { text: `Phase ${phaseId}.`, calls: [] },
      ),
    );
    const own = await asks.connect();
    const toolResults = [{ id: "x", result: null }];
    await asks.reply(pinnedTurn(own, { message: "first" }));
    await asks.reply(pinnedTurn(own, { message: "first", toolResults }));
    expect(seen(asks)).toEqual([]);
    await asks.reply(pinnedTurn(own, { message: "first", phaseId: 1, toolResults }));
    expect(seen(asks)).toEqual([]);
    await asks.reply(pinnedTurn(own, { turnId: "t2", message: "second" }));
    expect(seen(asks)).toEqual(["user: first", "assistant: Phase 1."]);
  });

  it("has forty lines remembered, each no longer than a bound", async () => {
    const backend = echo();
    const sessionId = await backend.connect();
    for (let turn = 0; turn < 22; turn++)
      await backend.reply(pinnedTurn(sessionId, { turnId: `${turn}`, message: `m${turn}` }));
    await backend.reply(pinnedTurn(sessionId, { turnId: "long", message: "y".repeat(9_000) }));
    expect(seen(backend)).toHaveLength(40);
    expect(seen(backend)?.[0]).toBe("user: m2");
    await backend.reply(pinnedTurn(sessionId, { turnId: "last" }));
    expect(backend.brain.rounds.at(-1)?.conversation.map(({ text }) => text.length)).toContain(maxSaidChars);
    expect(seen(backend)).toHaveLength(40);
  });

  it("shares nothing with another session or another table", async () => {
    const backend = echo();
    const [one, other] = [await backend.connect(), await backend.connect()];
    await backend.reply(pinnedTurn(one, { turnId: "1", message: "mine" }));
    await backend.reply(pinnedTurn(other, { turnId: "2" }));
    expect(seen(backend)).toEqual([]);
    await backend.reply(fullTurn({ sessionId: one, tableId: "orders", turnId: "3" }));
    expect(seen(backend)).toEqual([]);
  });

  it("has it forgotten with an unused pin", async () => {
    let now = 0;
    const pins = memoryPins(() => now);
    await pins.say("s", "t", { turnId: "1", message: "m", reply: "r" });
    now = pinKeepMs - 1;
    expect((await pins.keep("s", "t", "doc")).said).toEqual([{ turnId: "1", message: "m", reply: "r" }]);
    now = pinKeepMs;
    expect((await pins.find("s", "t"))?.said).toEqual([]);
  });
});

describe("a client that sends the conversation", () => {
  it("is answered with that one alone, and nothing of it is remembered", async () => {
    const backend = echo();
    const sessionId = await backend.connect();
    await backend.reply(pinnedTurn(sessionId, { turnId: "1", message: "kept" }));
    const conversation = [{ role: "user", text: "its own" }];
    await backend.reply(pinnedTurn(sessionId, { turnId: "2", message: "not kept", conversation }));
    expect(seen(backend)).toEqual(["user: its own"]);
    await backend.reply(pinnedTurn(sessionId, { turnId: "3", conversation: [] }));
    expect(seen(backend)).toEqual([]);
    await backend.reply(pinnedTurn(sessionId, { turnId: "4" }));
    expect(seen(backend)).toEqual(["user: kept", "assistant: You said kept."]);
  });
});

it("what cannot be remembered is reported, and the turn answered", async () => {
  const pins = { ...memoryPins(), say: () => Promise.reject(new Error("full")) };
  const backend = new Backend(new FakeBrain(), { pins });
  const sessionId = await backend.connect();
  expect((await backend.reply(pinnedTurn(sessionId))).text).toBe("Sorting by salary.");
  expect(backend.reported).toEqual([new Error("full")]);
});
