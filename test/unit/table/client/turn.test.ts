import { describe, expect, it } from "vitest";
import { AgentTurnError } from "../../../../src/table/client/errors.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { backend, edit, filter, pinned, reply, type Scripted, sort } from "./fake-backend.ts";
import { fakeSession, ran } from "./fake-session.ts";

const describeEdit: JsonObject = { id: "d", name: "describe", args: { keys: ["edit.cells"] } };
const readTwo: JsonObject = { id: "r", name: "read", args: { limit: 2 } };

describe("a plan", () => {
  it("runs in order, each call at the revision this turn's own calls have made", async () => {
    const { client } = backend([reply({ text: "Done.", toolCalls: [filter, sort, edit] })]);
    const session = fakeSession();
    const report = await client.send(session, "core team, best paid first, Ana to 90k");
    expect(session.executed.map(({ key, expectedRevision }) => [key, expectedRevision])).toEqual([
      ["view.setFilters", 3],
      ["view.setSort", 4],
      ["edit.cells", 5],
    ]);
    expect(session.executed.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      [0, 1, 2].map(
        (index) => `http-call:{"tableId":"people","turnId":"turn-1","phaseId":0,"index":${index}}`,
      ),
    );
    expect(report.keys).toEqual(["view.setFilters", "view.setSort", "edit.cells"]);
    expect(report.results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(report.subjects[2]).toEqual({ args: edit.args, columns: ["salary"], rowKeys: ["r1"] });
    expect(report.unresolved).toBeUndefined();
  });

  it("is held to the view the backend saw: what changed meanwhile refuses it", async () => {
    const session = fakeSession();
    const { client } = backend([
      () => {
        session.revision = 9;
        return reply({ toolCalls: [edit] });
      },
    ]);
    const { results } = await client.send(session, "Ana to 90k");
    expect(results[0]?.error?.code).toBe("revision-mismatch");
    expect(session.executed[0]?.expectedRevision).toBe(3);
  });

  it("is not excused by its own progress when something else moved as well", async () => {
    const session = fakeSession({
      respond: ({ key }) => {
        // The filter makes revision 4, and someone else 5 before it has settled.
        if (key !== "view.setFilters") return {};
        session.revision = 4;
        return { revision: 4 };
      },
    });
    const { client } = backend([reply({ toolCalls: [filter, edit] })]);
    const { results } = await client.send(session, "core team, Ana to 90k");
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, "revision-mismatch"]);
  });

  it("runs a call at the revision it names, current or stale", async () => {
    const { client } = backend([
      reply({
        toolCalls: [
          { ...sort, expectedRevision: 2 },
          { ...edit, expectedRevision: 3 },
        ],
      }),
    ]);
    const session = fakeSession();
    const { results } = await client.send(session, "x");
    expect(session.executed.map(({ expectedRevision }) => expectedRevision)).toEqual([2, 3]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("runs two calls that are alike twice, and one outside the contract is refused by the session", async () => {
    const { client } = backend([
      reply({ toolCalls: [edit, { ...edit, id: "c2" }, { id: "x", name: "rows.drop", args: {} }] }),
    ]);
    const session = fakeSession();
    const { results } = await client.send(session, "x");
    expect(results.map(({ ok, error }) => error?.code ?? ok)).toEqual([true, true, "not-wired"]);
    expect(new Set(session.executed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  it("does not run when two of its calls share an id", async () => {
    const { client } = backend([reply({ toolCalls: [sort, { ...edit, id: "a" }] })]);
    const session = fakeSession();
    const failure = await client.send(session, "x").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentTurnError);
    expect(failure).toMatchObject({ code: "duplicate-call-id", name: "AgentTurnError" });
    expect(session.executed).toEqual([]);
  });

  it("breaks off when the session throws, and says which calls were not run", async () => {
    const session = fakeSession({
      respond: ({ key }) => {
        if (key === "view.setSort") throw new Error("The grid is gone.");
        return {};
      },
    });
    const { client } = backend([reply({ toolCalls: [filter, sort, edit] })]);
    const { results } = await client.send(session, "x");
    expect(results.map(({ ok, error }) => error ?? ok)).toEqual([
      true,
      { code: "apply-failed", message: "The grid is gone." },
      { code: "not-run", message: "A call before this one broke off the plan." },
    ]);
    expect(ran(session)).toHaveLength(2);
  });

  it("is cancelled where it stands: what ran is told, what did not is cancelled", async () => {
    const controller = new AbortController();
    const session = fakeSession({
      respond: ({ key }) => {
        if (key === "view.setFilters") controller.abort();
        return {};
      },
    });
    const { client, sent } = backend([reply({ toolCalls: [filter, sort, edit], continueWithResults: true })]);
    const { results } = await client.send(session, "x", { signal: controller.signal, returnResults: true });
    expect(results.map(({ ok, error }) => error?.code ?? ok)).toEqual([true, "cancelled", "cancelled"]);
    expect(ran(session)).toHaveLength(1);
    expect(sent).toHaveLength(1);
  });

  it("does not run when the turn is given up before the reply is whole", async () => {
    const controller = new AbortController();
    const session = fakeSession();
    const { client } = backend([
      () => {
        setTimeout(() => controller.abort(), 5);
        return new Promise<Scripted>(() => undefined);
      },
    ]);
    await expect(client.send(session, "x", { signal: controller.signal })).rejects.toMatchObject({
      code: "cancelled",
      settled: { results: [] },
    });
    expect(session.executed).toEqual([]);
  });
});

describe("a turn", () => {
  it.each(["", "  \n "])("needs words or a clip (%j)", async (message) => {
    const { client, sent } = backend([]);
    await expect(client.send(fakeSession(), message)).rejects.toMatchObject({ code: "empty-message" });
    expect(sent).toEqual([]);
  });

  const changes: [string, Partial<ReturnType<typeof fakeSession>>][] = [
    ["table", { tableId: "orders" }],
    ["policy for writes", { rules: { write: "deny", approval: "writes", commit: "stage" } }],
    ["approval", { rules: { write: "allow", approval: "never", commit: "stage" } }],
    ["commit", { rules: { write: "allow", approval: "writes", commit: "immediate" } }],
  ];
  it.each(changes)("ends when the %s changes under it, and runs nothing", async (_name, change) => {
    const session = fakeSession();
    const { client } = backend([
      () => {
        Object.assign(session, change);
        return reply({ toolCalls: [edit] });
      },
    ]);
    await expect(client.send(session, "x")).rejects.toMatchObject({ code: "context-stale" });
    expect(session.executed).toEqual([]);
  });

  it("goes on when capabilities or the view change under it", async () => {
    const session = fakeSession();
    const { client } = backend([
      () => {
        session.offered = { ...session.offered, "rows.add": "write" };
        return reply({ toolCalls: [sort] });
      },
    ]);
    expect((await client.send(session, "x")).results[0]?.ok).toBe(true);
  });

  it("that fails later keeps the receipts of what it had run", async () => {
    const { client } = backend([
      reply({ text: "First the filter.", toolCalls: [filter], continueWithResults: true }),
      new Response("broken", { status: 502 }),
    ]);
    const failure = await client
      .send(fakeSession(), "x", { returnResults: true })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "http-error",
      status: 502,
      message: "agent HTTP 502: broken",
      settled: { text: "First the filter.", keys: ["view.setFilters"], results: [{ ok: true }] },
    });
  });

  it("names a function of the host that throws, and keeps the receipts", async () => {
    const { client } = backend([reply({ text: "Hello.", toolCalls: [edit] })]);
    const session = fakeSession();
    const onText = () => {
      throw new Error("No bubble.");
    };
    await expect(client.send(session, "x", { onText })).rejects.toMatchObject({
      code: "host-failed",
      message: "No bubble.",
    });
    expect(session.executed).toEqual([]);
  });
});

describe("discovery", () => {
  it("answers all questions of a reply in one round under the caller's ids", async () => {
    const session = fakeSession({
      respond: ({ key, args }) => (key === "rows.read" ? { result: { window: args } } : {}),
    });
    const { client, turns } = backend([
      pinned({
        toolCalls: [
          describeEdit,
          readTwo,
          { id: "n", name: "describe", args: { keys: ["nope"], bundle: "view" } },
        ],
      }),
      reply({ text: "Ana now earns 90k.", toolCalls: [edit] }),
    ]);
    const report = await client.send(session, "Ana to 90k");
    expect(turns()[1]).toMatchObject({
      message: "Ana to 90k",
      turnId: "turn-1",
      phaseId: 0,
      toolResults: [
        {
          id: "d",
          result: {
            guides: [
              {
                schemaVersion: "adapttable.agent.v1",
                key: "edit.cells",
                guide: "How to edit.cells.",
                input: {},
                output: {},
              },
            ],
            unavailable: [],
          },
        },
        { id: "r", result: { window: { offset: 0, limit: 2 } } },
        { id: "n", result: { guides: [], unavailable: ["nope"] } },
      ],
    });
    expect(session.described).toEqual([{ keys: ["edit.cells"] }, { keys: ["nope"], bundle: "view" }]);
    expect(report.needsFulfilled).toEqual({ describe: 2, read: 1 });
    expect(report.keys).toEqual(["edit.cells"]);
  });

  it("replaces the plan with each reply that names one, and keeps it through one that only asks", async () => {
    const { client, turns } = backend([
      reply({ toolCalls: [filter, edit, describeEdit] }),
      reply({ toolCalls: [readTwo] }),
      reply({ toolCalls: [{ ...sort, id: "s" }, readTwo] }),
      reply({ text: "Sorted.", toolCalls: [sort] }),
    ]);
    const session = fakeSession();
    const report = await client.send(session, "x");
    const pending = turns().map((turn) =>
      (turn.pendingCalls as JsonObject[] | undefined)?.map(({ name }) => name),
    );
    expect(pending).toEqual([
      undefined,
      ["view.setFilters", "edit.cells"],
      ["view.setFilters", "edit.cells"],
      ["view.setSort"],
    ]);
    expect(report.keys).toEqual(["view.setSort"]);
    expect(ran(session).filter(([key]) => key === "edit.cells")).toEqual([]);
  });

  it("drops a plan when the last reply names none", async () => {
    const { client } = backend([reply({ toolCalls: [edit, describeEdit] }), reply({ text: "Rather not." })]);
    const session = fakeSession();
    expect((await client.send(session, "x")).results).toEqual([]);
    expect(session.executed).toEqual([]);
  });

  it("reads at the revision of now under identities of its own, also when the same call comes again", async () => {
    const { client, turns } = backend([
      reply({ toolCalls: [readTwo] }),
      reply({ toolCalls: [{ ...readTwo, args: { limit: 5, offset: 2, columns: ["name"], scope: "page" } }] }),
      reply({ text: "Two." }),
    ]);
    const session = fakeSession({ revision: 7 });
    await client.send(session, "who");
    expect(
      session.executed.map(({ key, idempotencyKey, expectedRevision }) => [
        key,
        idempotencyKey,
        expectedRevision,
      ]),
    ).toEqual([
      ["rows.read", 'http-read:{"turnId":"turn-1","phaseId":0,"revision":7,"index":0}', 7],
      ["rows.read", 'http-read:{"turnId":"turn-1","phaseId":0,"revision":7,"index":1}', 7],
    ]);
    expect(session.executed[1]?.args).toEqual({ offset: 2, limit: 5, columns: ["name"], scope: "page" });
    // The same id again is the same question: its last answer counts.
    expect(turns()[2]?.toolResults).toHaveLength(1);
  });

  it("answers a read that is refused with the refusal", async () => {
    const session = fakeSession({ offered: { "view.setSort": "view" } });
    const { client, turns } = backend([reply({ toolCalls: [readTwo] }), reply({ text: "I may not look." })]);
    await client.send(session, "who");
    expect(turns()[1]?.toolResults).toEqual([
      { id: "r", error: { code: "not-wired", message: "rows.read: not-wired" } },
    ]);
  });

  it("ends after four rounds without running what was proposed", async () => {
    const asking = reply({ text: "Let me see.", toolCalls: [edit, describeEdit] });
    const { client, sent } = backend([asking, asking, asking, asking]);
    const session = fakeSession();
    const report = await client.send(session, "x");
    expect(sent).toHaveLength(4);
    expect(report).toMatchObject({
      text: "Let me see.",
      results: [],
      unresolved: { code: "discovery-exhausted", pending: ["edit.cells"] },
      needsFulfilled: { describe: 3, read: 0 },
    });
    expect(session.executed).toEqual([]);
  });

  it("does not count the resend for a lost pin as a round", async () => {
    const asking = reply({ toolCalls: [describeEdit] });
    const lost = reply({ pin: { status: "expired" } });
    const { client, sent } = backend([pinned(), lost, asking, asking, asking, reply({ text: "Done." })]);
    const session = fakeSession();
    await client.connect(session);
    expect((await client.send(session, "x")).text).toBe("Done.");
    expect(sent).toHaveLength(6);
  });

  it("is limited in bytes", async () => {
    const session = fakeSession({ respond: () => ({ result: "x".repeat(70_000) }) });
    const { client } = backend([reply({ toolCalls: [readTwo, { ...readTwo, id: "r2" }] })]);
    await expect(client.send(session, "who")).rejects.toMatchObject({ code: "payload-too-large" });
  });
});

describe("a request", () => {
  it("is limited in bytes, and not sent beyond them", async () => {
    const { client, sent } = backend([reply({ text: "Long." })]);
    await expect(client.send(fakeSession(), "é".repeat(128_000))).rejects.toMatchObject({
      code: "payload-too-large",
    });
    expect(sent).toEqual([]);
    await client.send(fakeSession(), "é".repeat(120_000));
    expect(sent).toHaveLength(1);
  });
});
