import { describe, expect, it } from "vitest";
import { backend, edit, pinned, reply, type Scripted, sort } from "./fake-backend.ts";
import { fakeSession, ran } from "./fake-session.ts";

const text = reply({ text: "Fine." });

describe("a pin", () => {
  it("once acknowledged, leaves the contract at home and sends the view each time", async () => {
    const { client, turns } = backend([pinned(), text, text]);
    const session = fakeSession();
    await client.connect(session);
    await client.send(session, "one");
    session.revision = 8;
    await client.send(session, "two", { conversation: [{ role: "user", text: "one" }] });
    const [first, second] = turns();
    expect(Object.keys(first ?? {})).toEqual([
      "schemaVersion",
      "kind",
      "tableId",
      "sessionId",
      "viewRevision",
      "contractVersion",
      "selectionVersion",
      "view",
      "message",
      "turnId",
      "phaseId",
    ]);
    expect(second).toMatchObject({
      sessionId: "sess_1",
      viewRevision: 8,
      view: { revision: 8 },
      conversation: [{ role: "user", text: "one" }],
    });
  });

  const unpinned: [string, Scripted][] = [
    ["says nothing of it", reply({ ok: true, sessionId: "sess_1" })],
    ["does not pin", pinned({ pin: { status: "unsupported" } })],
    [
      "acknowledges another version",
      pinned({ pin: { status: "acknowledged", contractVersion: "sha256:other" } }),
    ],
    ["acknowledges none by name", pinned({ pin: { status: "acknowledged" } })],
    ["has lost it at once", pinned({ pin: { status: "unknown" } })],
  ];
  it.each(unpinned)(
    "is not one when the backend %s: the contract goes on travelling",
    async (_name, hello) => {
      const { client, kinds, turns } = backend([hello, text]);
      const session = fakeSession();
      await client.connect(session);
      await client.send(session, "one");
      expect(kinds()).toEqual(["hello", "turn"]);
      expect(turns()[0]).toHaveProperty("context.contract.columns");
      expect(turns()[0]).toHaveProperty("manifest");
      expect(turns()[0]).toHaveProperty("catalog");
      expect(turns()[0]).not.toHaveProperty("viewRevision");
      expect(turns()[0]?.sessionId).toBe("sess_1");
    },
  );

  it("is made by a turn that brought the contract", async () => {
    const { client, turns } = backend([pinned({ text: "Fine." }), text]);
    const session = fakeSession();
    await client.send(session, "one");
    await client.send(session, "two");
    expect(turns()[0]).toHaveProperty("context");
    expect(turns()[1]).not.toHaveProperty("context");
  });

  it("stays while only the view moves, and is renewed by schema when the contract does", async () => {
    const { client, kinds, turns, sent } = backend([pinned(), text, pinned(), text]);
    const session = fakeSession();
    await client.connect(session);
    session.revision = 40;
    await client.send(session, "one");
    session.rules = { ...session.rules, approval: "never" };
    await client.send(session, "two");
    expect(kinds()).toEqual(["hello", "turn", "schema", "turn"]);
    const [hello, , schema] = sent.map(({ body }) => body);
    expect(schema).toHaveProperty("context");
    expect(schema).not.toHaveProperty("turnId");
    expect(schema?.contractVersion).not.toBe(hello?.contractVersion);
    expect(turns()[1]).not.toHaveProperty("context");
    expect(turns()[1]?.contractVersion).toBe(schema?.contractVersion);
  });

  it.each([
    ["refused", reply({ ok: false, text: "Too wide." })],
    ["not acknowledged", reply({ ok: true })],
  ])("that is %s anew leaves the turn to bring the contract", async (_name, schema) => {
    const { client, kinds, turns } = backend([pinned(), schema, text]);
    const session = fakeSession();
    await client.connect(session);
    session.offered = { "view.setSort": "view" };
    await client.send(session, "two");
    expect(kinds()).toEqual(["hello", "schema", "turn"]);
    expect(turns()[0]).toHaveProperty("context");
  });

  it("is over after its time, without a schema", async () => {
    let now = 0;
    const { client, kinds, turns } = backend([pinned(), text, text], { now: () => now });
    const session = fakeSession();
    await client.connect(session);
    now = 59_999;
    await client.send(session, "one");
    now = 60_000;
    session.offered = { "view.setSort": "view" };
    await client.send(session, "two");
    expect(kinds()).toEqual(["hello", "turn", "turn"]);
    expect(turns()[0]).not.toHaveProperty("context");
    expect(turns()[1]).toHaveProperty("context");
  });

  it("that is over is made again by one turn in plain JSON, although turns are streamed", async () => {
    let now = 0;
    const { client, sent, turns } = backend([pinned(), text, pinned(), text], {
      stream: true,
      now: () => now,
    });
    const session = fakeSession();
    await client.connect(session);
    await client.send(session, "one");
    now = 60_000;
    await client.send(session, "two");
    await client.send(session, "three");
    const streamed = sent.map(({ headers }) => headers.get("accept")?.includes("event-stream"));
    expect(streamed).toEqual([false, true, false, true]);
    expect(turns().map((turn) => "context" in turn)).toEqual([false, true, false]);
  });

  it("lasts half an hour when the backend does not say", async () => {
    let now = 0;
    const silent: Scripted = ({ body }) =>
      reply({ pin: { status: "acknowledged", contractVersion: body.contractVersion ?? "" } });
    const { client, turns } = backend([silent, text, text], { now: () => now });
    const session = fakeSession();
    await client.connect(session);
    now = 1_799_999;
    await client.send(session, "one");
    now = 1_800_000;
    await client.send(session, "two");
    expect(turns().map((turn) => "context" in turn)).toEqual([false, true]);
  });

  it.each(["expired", "unknown"])(
    "that the backend lost (%s) is sent once more with everything",
    async (status) => {
      const lost = reply({ text: "Lost it.", pin: { status }, toolCalls: [edit] });
      const { client, turns } = backend([
        pinned(),
        lost,
        pinned({ sessionId: "sess_2", text: "Sorted.", toolCalls: [sort] }),
        text,
      ]);
      const session = fakeSession();
      await client.connect(session);
      const report = await client.send(session, "one");
      expect(report.text).toBe("Sorted.");
      // What stood beside the loss was not an answer.
      expect(ran(session)).toEqual([["view.setSort", { key: "salary", dir: "desc" }]]);
      await client.send(session, "two");
      const [first, again, next] = turns();
      expect(first).not.toHaveProperty("context");
      expect(again).toHaveProperty("context");
      expect(again).not.toHaveProperty("sessionId");
      expect(again).toMatchObject({ message: "one", turnId: first?.turnId, phaseId: 0 });
      expect(next).not.toHaveProperty("context");
      expect(next?.sessionId).toBe("sess_2");
    },
  );

  it("that is lost twice in a phase makes the second reply an ordinary one", async () => {
    const lost = reply({ text: "Lost it.", pin: { status: "unknown" } });
    const { client, kinds } = backend([pinned(), lost, lost]);
    const session = fakeSession();
    await client.connect(session);
    const report = await client.send(session, "one");
    expect(kinds()).toEqual(["hello", "turn", "turn"]);
    expect(report).toEqual({
      text: "Lost it.",
      results: [],
      keys: [],
      subjects: [],
      needsFulfilled: { describe: 0, read: 0 },
    });
  });

  it("is forgotten by reset, with the handle, and a reply from before does not bring it back", async () => {
    let answer: (scripted: Scripted) => void = () => undefined;
    const late: Scripted = (sent) =>
      new Promise<Scripted>((resolve) => {
        answer = resolve;
        sent.body.late = true;
      });
    const { client, turns } = backend([pinned(), late, text]);
    const session = fakeSession();
    await client.connect(session);
    const sending = client.send(session, "one");
    await new Promise((resolve) => setTimeout(resolve, 5));
    client.reset(session);
    answer(pinned({ text: "Late." }));
    await sending;
    await client.send(session, "two");
    expect(turns()[1]).toHaveProperty("context");
    expect(turns()[1]).not.toHaveProperty("sessionId");
  });

  it("of an earlier request never takes the place of a later one", async () => {
    const answers: ((scripted: Scripted) => void)[] = [];
    const held: Scripted = () => new Promise<Scripted>((resolve) => answers.push(resolve));
    const { client, turns } = backend([held, held, text]);
    const session = fakeSession();
    const one = client.send(session, "one");
    const two = client.send(session, "two");
    await new Promise((resolve) => setTimeout(resolve, 5));
    answers[1]?.(pinned({ sessionId: "newer" }));
    await two;
    answers[0]?.(reply({ sessionId: "older", pin: { status: "unsupported" } }));
    await one;
    await client.send(session, "three");
    expect(turns()[2]).not.toHaveProperty("context");
    expect(turns()[2]?.sessionId).toBe("newer");
  });

  it("is renewed by one request when two turns need it at once, and one given up does not end it", async () => {
    let answer: (scripted: Scripted) => void = () => undefined;
    const schema: Scripted = () =>
      new Promise<Scripted>((resolve) => {
        answer = resolve;
      });
    const { client, kinds } = backend([pinned(), schema, text]);
    const session = fakeSession();
    await client.connect(session);
    session.offered = { "view.setSort": "view" };
    const controller = new AbortController();
    const one = client.send(session, "one", { signal: controller.signal });
    const two = client.send(session, "two");
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await expect(one).rejects.toMatchObject({ code: "cancelled" });
    answer(pinned());
    expect((await two).text).toBe("Fine.");
    expect(kinds()).toEqual(["hello", "schema", "turn"]);
  });

  it("is nothing when pinning is off", async () => {
    const { client, kinds, turns } = backend([pinned(), text], { pinCatalog: false });
    const session = fakeSession();
    await client.connect(session);
    session.offered = { "view.setSort": "view" };
    await client.send(session, "one");
    expect(kinds()).toEqual(["hello", "turn"]);
    expect(turns()[0]).toHaveProperty("context");
  });

  it("belongs to one session; the handle is known to the next session of the same table only", async () => {
    const { client, turns } = backend([pinned(), text, text]);
    await client.connect(fakeSession());
    await client.send(fakeSession(), "same table");
    await client.send(fakeSession({ tableId: "orders" }), "another table");
    expect(turns()[0]).toMatchObject({ sessionId: "sess_1", context: {} });
    expect(turns()[1]).not.toHaveProperty("sessionId");
  });
});

describe("a compact context", () => {
  it("carries guides this backend asked for under the same contract, and forgets them with it", async () => {
    const ask = reply({ toolCalls: [{ id: "d", name: "describe", args: { keys: ["edit.cells", "nope"] } }] });
    const { client } = backend([ask, text, text, text], {
      context: { profile: "compact" },
      pinCatalog: false,
    });
    const session = fakeSession();
    await client.send(session, "raise Ana");
    await client.send(session, "and Bo");
    expect(session.contexts.at(-1)).toEqual({ profile: "compact", asked: ["edit.cells"] });
    session.contexts.length = 0;
    session.offered = { "edit.cells": "write" };
    await client.send(session, "and Cy");
    expect(session.contexts.every(({ asked }) => asked.length === 0)).toBe(true);
  });

  it("is chosen by one turn for itself", async () => {
    const { client, turns } = backend([text, text]);
    const session = fakeSession();
    await client.send(session, "one", { profile: "compact" });
    await client.send(session, "two");
    expect(turns().map((turn) => turn.selectionVersion)).toEqual(["s:compact:", "s:full:"]);
  });
});
