import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localBackend } from "../../../../src/table/backend/local.ts";
import type { BrainCall, BrainReply, BrainRound } from "../../../../src/table/brains/brain.ts";
import { AgentError, createAgentHttpClient, createTableSession } from "../../../../src/table/index.ts";
import type { TableSessionOptions } from "../../../../src/table/session/session-types.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { peopleHost, secret } from "../session/people.ts";
import { backend, reply } from "./fake-backend.ts";

type Step = Partial<BrainReply> | ((round: BrainRound) => Partial<BrainReply>);

/** Client, backend and session as they are, with a brain that answers by script. */
function table(
  script: Step[],
  options: TableSessionOptions = { policy: { write: "allow", approval: "never", commit: "immediate" } },
) {
  const rounds: BrainRound[] = [];
  const host = peopleHost();
  const session = createTableSession(host, options);
  const client = createAgentHttpClient({
    endpoint: "/agent",
    fetch: localBackend({
      async answer(round, { onText }) {
        const next = script[rounds.length] ?? { text: "Nothing more." };
        rounds.push(round);
        const reply = { text: "", calls: [], ...(typeof next === "function" ? next(round) : next) };
        onText?.(reply.text);
        return reply;
      },
    }),
  });
  return { client, host, session, rounds };
}

const cell = (host: ReturnType<typeof peopleHost>, rowKey: string, column: string): Json | undefined =>
  host.findRow(rowKey)?.cells[column];

describe("client, backend and session together", () => {
  it.each([false, true])("carry a wish from words to the table, streamed: %s", async (stream) => {
    const { client, host, session, rounds } = table([
      {
        text: "Only the core team, best paid first; Ana now earns 90,000.",
        calls: [
          { name: "view.setFilters", args: { filters: { team: "core" } } },
          { name: "view.setSort", args: { key: "salary", dir: "desc" } },
          { name: "edit.cells", args: { edits: [{ rowKey: "p1", column: "salary", value: 90_000 }] } },
        ],
      },
    ]);
    await client.connect(session);
    const texts: string[] = [];
    const report = await client.send(
      session,
      "only the Core team, highest salary first, and raise Ana to 90k",
      {
        stream,
        onText: (text) => texts.push(text),
      },
    );
    expect(report.results.map(({ ok, error }) => error ?? ok)).toEqual([true, true, true]);
    expect(texts.at(-1)).toBe(report.text);
    expect(cell(host, "p1", "salary")).toBe(90_000);
    expect(session.view()).toMatchObject({ sortBy: "salary", sortDir: "desc", filters: { team: "core" } });
    expect(rounds).toHaveLength(1);
    expect(rounds[0]?.contract.tableId).toBe("people");
    expect(session.receipts().map(({ status }) => status)).toEqual(["executed", "executed", "executed"]);
  });

  it("read rows without what may not be read, and ask for guides", async () => {
    const { client, session, rounds } = table([
      {
        calls: [
          { name: "describe", args: { keys: ["edit.cells", "no.such"] } },
          { name: "read", args: { limit: 2, columns: ["name", "badge"] } },
        ],
      },
      { text: "Ana and Bo." },
    ]);
    const report = await client.send(session, "who is there");
    expect(report.needsFulfilled).toEqual({ describe: 2, read: 1 });
    const told = JSON.stringify(rounds[1]?.toolResults);
    expect(told).toContain("Ana Ruiz");
    expect(told).toContain('"untrusted":true');
    expect(told).toContain('"redacted":["badge"]');
    expect(told).toContain('"unavailable":["no.such"]');
    expect(JSON.stringify(rounds)).not.toContain(secret);
  });

  it("put a malformed call right once and write nothing twice", async () => {
    const raise = (rowKey: string, value: Json): BrainCall => ({
      name: "edit.cells",
      args: { edits: [{ rowKey, column: "salary", value }] },
    });
    const { client, host, session } = table([
      { calls: [raise("p1", 81_000), { name: "edit.cells", args: { edits: "p2" } }] },
      { text: "Both raised.", calls: [raise("p1", 81_000), raise("p2", 71_000)] },
    ]);
    const report = await client.send(session, "raise both", { returnResults: true });
    expect(report.results.map(({ ok }) => ok)).toEqual([true, true]);
    expect([cell(host, "p1", "salary"), cell(host, "p2", "salary")]).toEqual([81_000, 71_000]);
    expect(session.receipts().filter(({ status }) => status === "executed")).toHaveLength(2);
  });

  it("refuse what changed under the backend's eyes", async () => {
    const { client, host, session } = table([
      () => {
        host.setSort({ key: "name", dir: "desc" });
        return {
          calls: [{ name: "edit.cells", args: { edits: [{ position: 1, column: "salary", value: 1 }] } }],
        };
      },
    ]);
    const { results } = await client.send(session, "set the first to 1");
    expect(results[0]?.error?.code).toBe("revision-mismatch");
    expect(host.allRows().some(({ cells }) => cells.salary === 1)).toBe(false);
  });

  it("end a turn when writing is forbidden during it", async () => {
    const { client, host, session } = table([
      () => {
        session.setPolicy({ write: "deny" });
        return {
          calls: [{ name: "edit.cells", args: { edits: [{ rowKey: "p1", column: "salary", value: 1 }] } }],
        };
      },
    ]);
    await expect(client.send(session, "x")).rejects.toMatchObject({ code: "context-stale" });
    expect(cell(host, "p1", "salary")).toBe(80_000);
  });

  it("find the pin again after the contract changed", async () => {
    const { client, host, session, rounds } = table([{ text: "One." }, { text: "Two." }]);
    await client.connect(session);
    await client.send(session, "one");
    host.updateColumn("salary", { readable: false });
    expect((await client.send(session, "two")).text).toBe("Two.");
    const salary = (round: BrainRound | undefined) =>
      round?.contract.columns.find(({ id }) => id === "salary");
    expect(salary(rounds[0])?.readable).toBe(true);
    expect(salary(rounds[1])?.readable).toBe(false);
  });
});

const anyCall: fc.Arbitrary<BrainCall> = fc.record({
  name: fc.constantFrom(
    "edit.cells",
    "rows.add",
    "rows.delete",
    "rows.read",
    "view.setSort",
    "view.setFilters",
    "view.setPage",
    "columns.describe",
    "view.describe",
    "rows.resolve",
    "read",
    "describe",
  ),
  args: fc.oneof(
    fc.constantFrom<JsonObject>(
      { edits: [{ rowKey: "p1", column: "salary", value: 5 }] },
      { edits: [{ rowKey: "p2", column: "badge", value: "mine" }] },
      { rows: [{ name: "Gus" }] },
      { rows: [{ rowKey: "p3" }] },
      { offset: 0, limit: 6, columns: ["badge", "name"] },
      { key: "badge", dir: "asc" },
      { key: "salary" },
      { filters: { badge: "S" } },
      { filters: { team: "core" } },
      { page: 1 },
      { rowKey: "p4" },
      {},
    ),
    fc
      .dictionary(fc.constantFrom("edits", "rows", "key", "filters", "rowKey"), fc.jsonValue())
      .map((args) => args as JsonObject),
  ),
});

const anyReply = fc
  .record({
    calls: fc.array(anyCall, { maxLength: 4 }),
    text: fc.constantFrom("", "Working."),
    continueWithResults: fc.boolean(),
  })
  .map(({ calls, ...rest }) =>
    reply({ ...rest, toolCalls: calls.map(({ name, args }, index) => ({ id: `c${index}`, name, args })) }),
  );

describe("whatever a backend wants that checks nothing itself", () => {
  it.each([
    ["denied", { write: "deny", approval: "never", commit: "immediate" }],
    ["unapproved", { write: "allow", approval: "writes", commit: "immediate" }],
  ] as const)(
    "writes that are %s never happen, and what may not be read is never told",
    async (_name, policy) => {
      const before = JSON.stringify(peopleHost().allRows());
      await fc.assert(
        fc.asyncProperty(fc.array(anyReply, { minLength: 8, maxLength: 16 }), async (script) => {
          const host = peopleHost();
          const { client, sent } = backend(script);
          const outcome = await client
            .send(createTableSession(host, { policy }), "do it", { returnResults: true })
            .catch((error: unknown) => error);
          if (outcome instanceof Error && !(outcome instanceof AgentError)) throw outcome;
          expect(JSON.stringify(host.allRows())).toBe(before);
          expect(JSON.stringify(sent.map(({ body }) => body))).not.toContain(secret);
          const report = outcome instanceof AgentError ? outcome.settled : outcome;
          expect(JSON.stringify(report)).not.toContain(secret);
        }),
        { numRuns: 30 },
      );
    },
    // Two cores are shared with everything else that is tested.
    30_000,
  );

  it("a write that is permitted happens exactly as often as its receipts say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyReply, { minLength: 8, maxLength: 16 }), async (script) => {
        let writes = 0;
        const host = peopleHost({
          refuse: () => {
            writes++;
            return undefined;
          },
        });
        const session = createTableSession(host, {
          policy: { write: "allow", approval: "never", commit: "immediate" },
        });
        const { client } = backend(script);
        const outcome = await client
          .send(session, "do it", { returnResults: true })
          .catch((error: unknown) => error);
        const report = outcome instanceof AgentError ? outcome.settled : (outcome as AgentError["settled"]);
        const told = (report?.results ?? []).flatMap(({ ok, result }) => {
          const { results } = (ok ? result : {}) as { results?: unknown[] };
          return results ?? [];
        });
        expect(writes).toBe(told.length);
      }),
      { numRuns: 30 },
    );
  }, 30_000);
});
