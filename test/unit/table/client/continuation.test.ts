import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { backend, edit, filter, reply, type Scripted, sort } from "./fake-backend.ts";
import { type FakeSession, fakeSession, ran } from "./fake-session.ts";

const goOn = { continueWithResults: true };
const send = { returnResults: true };

/** A session that finds salaries above 100,000 malformed. */
function strict(): FakeSession {
  return fakeSession({
    respond: ({ key, args }) => {
      const [first] = (args.edits ?? []) as { value: number }[];
      if (key !== "edit.cells" || (first?.value ?? 0) <= 100_000) return {};
      return { ok: false, error: { code: "invalid-arguments", message: "value is too large" } };
    },
  });
}

function editTo(value: Json, id = "e"): JsonObject {
  return { id, name: "edit.cells", args: { edits: [{ column: "salary", value, rowKey: "r1" }] } };
}

describe("a continuation", () => {
  it("brings receipts only, under the calls' ids, in a phase of its own", async () => {
    const session = fakeSession({
      respond: ({ key }) =>
        key === "rows.delete" ? { ok: false, error: { code: "write-denied", message: "No." } } : {},
    });
    const { client, turns } = backend([
      reply({ toolCalls: [{ id: "d", name: "describe", args: { keys: ["edit.cells"] } }] }),
      reply({ text: "Filtered.", toolCalls: [filter, { id: "x", name: "rows.delete", args: {} }], ...goOn }),
      reply({ text: "And sorted.", toolCalls: [sort] }),
    ]);
    const report = await client.send(session, "x", send);
    expect(turns()[2]).toMatchObject({ turnId: "turn-1", phaseId: 1, message: "x" });
    expect(turns()[2]?.toolResults).toEqual([
      { id: "b", result: { ok: true, revision: 4, result: { ok: true } } },
      { id: "x", error: { code: "write-denied", message: "No." } },
    ]);
    expect(turns()[2]).not.toHaveProperty("pendingCalls");
    expect(session.executed.at(-1)?.idempotencyKey).toBe(
      'http-call:{"tableId":"people","turnId":"turn-1","phaseId":1,"index":0}',
    );
    expect(report.text).toBe("And sorted.");
    expect(report.keys).toEqual(["view.setFilters", "rows.delete", "view.setSort"]);
  });

  it.each([
    ["the host does not give results back", {}, goOn],
    ["the backend does not ask", send, {}],
  ])("is none when %s", async (_name, options, over) => {
    const { client, sent } = backend([reply({ text: "Sorted.", toolCalls: [sort], ...over })]);
    await client.send(fakeSession(), "x", options);
    expect(sent).toHaveLength(1);
  });

  it("is none after a plan of nothing", async () => {
    const { client, sent } = backend([reply({ text: "Nothing to do.", ...goOn })]);
    expect((await client.send(fakeSession(), "x", send)).text).toBe("Nothing to do.");
    expect(sent).toHaveLength(1);
  });

  it("may follow three times; a fourth is unresolved, with all receipts", async () => {
    const step = (key: string): Scripted =>
      reply({ text: key, toolCalls: [{ ...sort, args: { key } }], ...goOn });
    const { client, turns } = backend([step("a"), step("b"), step("c"), step("d")]);
    const report = await client.send(fakeSession(), "x", send);
    expect(turns().map(({ phaseId }) => phaseId)).toEqual([0, 1, 2, 3]);
    expect(report.results).toHaveLength(4);
    expect(report.unresolved).toMatchObject({ code: "continuation-exhausted", pending: [] });
  });

  it("with the plan of before runs nothing twice", async () => {
    const plan = reply({ text: "Raised.", toolCalls: [edit], ...goOn });
    const { client } = backend([plan, reply({ toolCalls: [{ ...edit, id: "other" }], ...goOn })]);
    const session = fakeSession();
    const report = await client.send(session, "x", send);
    expect(ran(session)).toHaveLength(1);
    expect(report.results).toHaveLength(1);
    expect(report.unresolved).toMatchObject({ code: "repeated-plan", pending: ["edit.cells"] });
  });

  it("that asks the reader and gets no answer keeps earlier receipts", async () => {
    const { client } = backend([
      reply({ toolCalls: [filter], ...goOn }),
      reply({ toolCalls: [edit], askUser: { id: "q", question: "Which Ana?" } }),
    ]);
    const report = await client.send(fakeSession(), "x", send);
    expect(report).toMatchObject({
      keys: ["view.setFilters"],
      unresolved: { code: "no-reader-channel", pending: ["edit.cells"] },
    });
  });
});

describe("a repair", () => {
  it("is asked for without continueWithResults, and hides what was put right", async () => {
    const { client, turns } = backend([
      reply({ toolCalls: [filter, editTo(900_000)] }),
      reply({ text: "Raised.", toolCalls: [editTo(90_000)] }),
    ]);
    const session = strict();
    const report = await client.send(session, "x", send);
    expect(turns()[1]).toMatchObject({ phaseId: 1 });
    expect(turns()[1]?.toolResults).toEqual([
      { id: "b", result: { ok: true, revision: 4, result: { ok: true } } },
      { id: "e", error: { code: "invalid-arguments", message: "value is too large" } },
    ]);
    expect(report.keys).toEqual(["view.setFilters", "edit.cells"]);
    expect(report.results.every(({ ok }) => ok)).toBe(true);
    expect(report.unresolved).toBeUndefined();
  });

  it("is none when the host does not give results back", async () => {
    const { client, sent } = backend([reply({ toolCalls: [editTo(900_000)] })]);
    const report = await client.send(strict(), "x");
    expect(sent).toHaveLength(1);
    expect(report.results[0]?.error?.code).toBe("invalid-arguments");
  });

  it("does not write again what had succeeded beside it, but looks again", async () => {
    const look = { id: "l", name: "rows.read", args: { offset: 0, limit: 1 } };
    const { client } = backend([
      reply({ toolCalls: [edit, editTo(900_000), look] }),
      reply({ toolCalls: [{ ...edit, id: "again" }, editTo(91_000), look] }),
    ]);
    const session = strict();
    const report = await client.send(session, "x", send);
    expect(ran(session).map(([key, args]) => [key, JSON.stringify(args).match(/\d{5,}/)?.[0]])).toEqual([
      ["edit.cells", "90000"],
      ["edit.cells", "900000"],
      ["rows.read", undefined],
      ["edit.cells", "91000"],
      ["rows.read", undefined],
    ]);
    expect(report.keys).toEqual(["edit.cells", "rows.read", "edit.cells", "rows.read"]);
  });

  it("is asked for twice; then what is still malformed is shown", async () => {
    const { client, turns } = backend(
      [900_000, 800_000, 700_000].map((value) => reply({ toolCalls: [editTo(value)] })),
    );
    const report = await client.send(strict(), "x", send);
    expect(turns().map(({ phaseId }) => phaseId)).toEqual([0, 1, 2]);
    expect(report.results).toHaveLength(1);
    expect(report.subjects[0]?.args).toEqual(editTo(700_000).args);
    expect(report.unresolved).toBeUndefined();
  });

  it("that brings the same plan is asked for again without running it, and shown in the end", async () => {
    const plan = (id: string) => reply({ toolCalls: [editTo(900_000, id)] });
    const { client, turns } = backend([plan("e1"), plan("e2"), plan("e3")]);
    const session = strict();
    const report = await client.send(session, "x", send);
    expect(ran(session)).toHaveLength(1);
    expect(
      turns().map(({ toolResults }) => (toolResults as JsonObject[] | undefined)?.map(({ id }) => id)),
    ).toEqual([undefined, ["e1"], ["e2"]]);
    expect(report.results.map(({ error }) => error?.code)).toEqual(["invalid-arguments"]);
    expect(report.unresolved).toBeUndefined();
  });

  it("that the backend gives up shows what was malformed", async () => {
    const { client } = backend([
      reply({ toolCalls: [filter, editTo(900_000)] }),
      reply({ text: "I cannot." }),
    ]);
    const report = await client.send(strict(), "x", send);
    expect(report.keys).toEqual(["view.setFilters", "edit.cells"]);
    expect(report.results[1]?.error?.code).toBe("invalid-arguments");
    expect(report.text).toBe("I cannot.");
  });

  it("that breaks off shows what was malformed in the error", async () => {
    const { client } = backend([reply({ toolCalls: [editTo(900_000)] }), new TypeError("fetch failed")]);
    await expect(client.send(strict(), "x", send)).rejects.toMatchObject({
      code: "connection-failed",
      settled: { keys: ["edit.cells"], results: [{ error: { code: "invalid-arguments" } }] },
    });
  });

  it("uses up phases like a continuation", async () => {
    const step = (key: string): Scripted => reply({ toolCalls: [{ ...sort, args: { key } }], ...goOn });
    const { client, turns } = backend([
      step("a"),
      step("b"),
      step("c"),
      reply({ toolCalls: [editTo(900_000)] }),
    ]);
    const report = await client.send(strict(), "x", send);
    expect(turns()).toHaveLength(4);
    expect(report.results.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  });
});
