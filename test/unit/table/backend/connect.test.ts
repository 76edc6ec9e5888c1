import { describe, expect, it } from "vitest";
import { memoryPins } from "../../../../src/table/backend/memory-pins.ts";
import { maxPins, pinKeepMs, pinTtlMs } from "../../../../src/table/backend/pin-store.ts";
import {
  Backend,
  contractVersion,
  FakeBrain,
  full,
  fullTurn,
  hello,
  pinnedTurn,
  view,
} from "./table-wire.ts";

describe("hello", () => {
  it("pins the contract, echoes its version byte for byte and asks no model", async () => {
    const backend = new Backend();
    const reply = await backend.reply(hello);
    expect(reply).toEqual({
      schemaVersion: "adapttable.agent.v1",
      ok: true,
      sessionId: expect.stringMatching(/^sess_./),
      text: "Connected: this table offers 4 capabilities.",
      pin: { status: "acknowledged", contractVersion, ttlMs: 1_800_000 },
    });
    expect(backend.brain.rounds).toEqual([]);
  });

  it("keeps a session id it never gave out", async () => {
    const reply = await new Backend().reply({ ...hello, sessionId: "from-elsewhere" });
    expect(reply).toMatchObject({ ok: true, sessionId: "from-elsewhere", pin: { status: "acknowledged" } });
  });

  it("acknowledges without a version when it was sent none", async () => {
    const { contractVersion: _, ...unversioned } = hello;
    expect((await new Backend().reply(unversioned)).pin).toEqual({ status: "acknowledged", ttlMs: pinTtlMs });
    const empty = { ...hello, contractVersion: "" };
    expect((await new Backend().reply(empty)).pin).toEqual({ status: "acknowledged", ttlMs: pinTtlMs });
  });

  it("is JSON although a stream is accepted", async () => {
    const response = await new Backend().stream(hello);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ ok: true, pin: { status: "acknowledged" } });
  });

  it.each(["hello", "schema"])("%s without the context is refused", async (kind) => {
    const { context: _, ...bare } = { ...hello, kind };
    expect(await new Backend().refusal(bare)).toEqual({
      status: 400,
      error: `agent HTTP ${kind} requires the table's context: contract and selection`,
    });
  });

  it("refuses a session id too long to be one", async () => {
    expect(await new Backend().refusal({ ...hello, sessionId: "s".repeat(513) })).toEqual({
      status: 400,
      error: "agent HTTP sessionId is longer than 512 characters",
    });
  });
});

describe("a request that is none", () => {
  it.each([
    [{ ...hello, schemaVersion: "adapttable.agent.v2" }, 'schemaVersion must be "adapttable.agent.v1"'],
    [{ ...hello, kind: "greet" }, 'kind must be "hello", "schema", or "turn"'],
    [{ ...hello, tableId: "" }, "tableId must be a non-empty string"],
    [{ ...fullTurn(), message: undefined }, "turn requires a message string or audio"],
    [{ ...hello, manifest: undefined }, "manifest must be an object"],
    [{ ...hello, catalog: undefined }, "catalog must be an array"],
  ])("is refused with the field's name", async (body, message) => {
    expect(await new Backend().refusal(body)).toEqual({ status: 400, error: `agent HTTP ${message}` });
  });

  it("that is no JSON is refused", async () => {
    const error = "The request body is not valid JSON.";
    expect(await new Backend().refusal("{")).toEqual({ status: 400, error });
  });
});

describe("a pinned turn", () => {
  it("is answered from the session's contract and its own view", async () => {
    const backend = new Backend();
    const sessionId = await backend.connect();
    const now = { ...view, revision: 8, search: "ana" };
    const reply = await backend.reply(pinnedTurn(sessionId, { view: now }));
    expect(reply).toEqual({
      schemaVersion: "adapttable.agent.v1",
      sessionId,
      text: "Sorting by salary.",
      toolCalls: [{ id: "t1:0:0", name: "view.setSort", args: { key: "salary", dir: "desc" } }],
      pin: { status: "acknowledged", contractVersion, ttlMs: pinTtlMs },
    });
    expect(backend.brain.rounds).toEqual([
      expect.objectContaining({
        contract: expect.objectContaining({ tableId: "people", version: "c1" }),
        view: now,
        message: "sort by salary",
        today: "2026-03-05",
        phaseId: 0,
        toolResults: [],
        pendingCalls: [],
        conversation: [],
      }),
    ]);
  });

  it("with no view says that it knows none, rather than an older one", async () => {
    const backend = new Backend();
    const sessionId = await backend.connect();
    await backend.reply(pinnedTurn(sessionId, { view: undefined, viewRevision: 12 }));
    expect(backend.brain.rounds[0]?.view).toEqual({
      revision: 12,
      page: 1,
      limit: 10,
      search: "",
      unknown: ["page", "limit", "search"],
    });
  });

  it.each([
    ["of a session nobody has", pinnedTurn("nobody"), "expired"],
    ["without a session", pinnedTurn("x", { sessionId: undefined }), "unknown"],
  ])("%s is told that its pin is gone, as JSON, and no model is asked", async (_, turn, status) => {
    const backend = new Backend();
    await backend.connect();
    const response = await backend.stream(turn);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      schemaVersion: "adapttable.agent.v1",
      text: "The table's contract is not known here any more. Send it again with the turn.",
      pin: { status },
    });
    expect(backend.brain.rounds).toEqual([]);
  });

  it("for another table than the session's, or another version, has no pin", async () => {
    const backend = new Backend();
    const sessionId = await backend.connect();
    expect((await backend.reply(pinnedTurn(sessionId, { tableId: "orders" }))).pin?.status).toBe("expired");
    expect((await backend.reply(pinnedTurn(sessionId, { contractVersion: "v2" }))).pin?.status).toBe(
      "expired",
    );
    expect((await backend.reply(pinnedTurn(sessionId, { contractVersion: undefined }))).pin).toEqual({
      status: "acknowledged",
      contractVersion,
      ttlMs: pinTtlMs,
    });
  });

  it("sees the contract of a later schema, and each table of a session keeps its own", async () => {
    const backend = new Backend();
    const sessionId = await backend.connect();
    await backend.reply({ ...hello, tableId: "orders", sessionId });
    const changed = { ...full.context, contract: { ...full.context.contract, version: "c2" } };
    const schema = { ...hello, kind: "schema", sessionId, context: changed, contractVersion: "v2" };
    expect(await backend.reply(schema)).toMatchObject({
      ok: true,
      sessionId,
      pin: { contractVersion: "v2" },
    });
    await backend.reply(pinnedTurn(sessionId, { contractVersion: "v2" }));
    await backend.reply(pinnedTurn(sessionId, { tableId: "orders" }));
    expect(backend.brain.rounds.map(({ contract }) => contract.version)).toEqual(["c2", "c1"]);
  });
});

describe("a turn with its contract", () => {
  it("is answered, pinned and given a session to come back with", async () => {
    const backend = new Backend();
    const reply = await backend.reply(fullTurn());
    expect(reply.pin).toEqual({ status: "acknowledged", contractVersion, ttlMs: pinTtlMs });
    const sessionId = reply.sessionId ?? "";
    expect(await backend.reply(pinnedTurn(sessionId))).toMatchObject({
      sessionId,
      text: "Sorting by salary.",
    });
  });
});

describe("pins in memory", () => {
  const clock = () => {
    let now = 1_000_000;
    return { now: () => now, pass: (ms: number) => (now += ms) };
  };

  it("last while they are used, and end when they are not", async () => {
    const { now, pass } = clock();
    const pins = memoryPins(now);
    await pins.keep("s", "t", "doc");
    pass(pinKeepMs - 1);
    expect((await pins.find("s", "t"))?.doc).toBe("doc");
    pass(pinKeepMs - 1);
    expect((await pins.find("s", "t"))?.doc).toBe("doc");
    pass(pinKeepMs);
    expect(await pins.find("s", "t")).toBeNull();
  });

  it("drop the one used longest ago beyond the limit", async () => {
    const { now, pass } = clock();
    const pins = memoryPins(now);
    for (let n = 0; n < maxPins; n += 1) {
      pass(1);
      await pins.keep(`s${n}`, "t", "doc");
    }
    await pins.find("s0", "t");
    await pins.keep("more", "t", "doc");
    expect(await pins.find("s1", "t")).toBeNull();
    expect((await pins.find("s0", "t"))?.doc).toBe("doc");
    expect((await pins.find("s2", "t"))?.doc).toBe("doc");
  });

  it("know a document that was acknowledged within a pin's lifetime", async () => {
    const { now, pass } = clock();
    const pins = memoryPins(now);
    expect(await pins.keep("s", "t", "doc")).toEqual({ known: false, said: [] });
    pass(pinTtlMs - 1);
    expect(await pins.keep("s", "t", "doc")).toEqual({ known: true, said: [] });
    expect(await pins.keep("s", "t", "other")).toEqual({ known: false, said: [] });
    pass(pinTtlMs);
    expect(await pins.keep("s", "t", "other")).toEqual({ known: false, said: [] });
  });

  it("forget losses", async () => {
    const { now, pass } = clock();
    const pins = memoryPins(now);
    await pins.noteLoss("turn");
    expect(await pins.wasLost("turn")).toBe(true);
    expect(await pins.wasLost("other")).toBe(false);
    pass(pinKeepMs);
    expect(await pins.wasLost("turn")).toBe(false);
  });
});

it("a brain that fails unforeseen is a 500 that says nothing of it", async () => {
  const backend = new Backend(
    new FakeBrain(() => {
      throw new Error("secret detail");
    }),
  );
  expect(await backend.refusal(fullTurn())).toEqual({
    status: 500,
    error: "Something went wrong on our side.",
  });
  expect(backend.reported).toHaveLength(1);
});
