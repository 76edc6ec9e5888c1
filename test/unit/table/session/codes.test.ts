import { describe, expect, test } from "vitest";
import type { TableHost } from "../../../../src/table/session/table-host.ts";
import { createTableSession } from "../../../../src/table/session/table-session.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, peopleHost, saved } from "./people.ts";

/** One test for each code of `execute`, in the order they are checked. */
describe("codes", () => {
  test("cancelled: given up before it began, not recorded, so the key may come again", async () => {
    const { run, session, host } = bench();
    const gone = AbortSignal.abort();
    const refused = await run(
      "edit.cells",
      { edits: [{ rowKey: "p1", column: "salary", value: 1 }] },
      { id: "a", signal: gone },
    );
    expect(refused).toEqual({
      ok: false,
      revision: session.view().revision,
      idempotencyKey: "a",
      error: { code: "cancelled", message: "cancelled before it ran" },
    });
    expect(saved(host, "p1", "salary")).toBe(80_000);
    expect((await run("view.setSearch", { query: "ana" }, { id: "a" })).ok).toBe(true);
  });

  test("cancelled: given up while it looked for its rows", async () => {
    const { run, host } = bench();
    const control = new AbortController();
    const find = host.findRow.bind(host);
    host.findRow = (rowKey) => {
      control.abort();
      return find(rowKey);
    };
    const edits = [{ rowKey: "p1", column: "salary", value: 1 }];
    expect((await run("edit.cells", { edits }, { signal: control.signal })).error?.code).toBe("cancelled");
    expect(saved(host, "p1", "salary")).toBe(80_000);
  });

  test("idempotency-mismatch: the same key with other arguments, done or still running", async () => {
    const { run } = bench();
    const first = run("view.setSearch", { query: "ana" }, { id: "a" });
    expect((await run("view.setSearch", { query: "bo" }, { id: "a" })).error?.code).toBe(
      "idempotency-mismatch",
    );
    await first;
    expect((await run("view.setSort", { key: "name" }, { id: "a" })).error?.code).toBe(
      "idempotency-mismatch",
    );
  });

  test("replay-expired: a change that was forgotten is not made again; a read is", async () => {
    const { run, host } = bench({ replayLimit: 2 });
    await run("rows.add", { rows: [{ name: "Gus" }] }, { id: "add" });
    await run("rows.read", { limit: 1 }, { id: "read" });
    await run("rows.read", { limit: 2 }, { id: "other" });
    await run("rows.read", { limit: 3 }, { id: "third" });
    expect((await run("rows.add", { rows: [{ name: "Gus" }] }, { id: "add" })).error?.code).toBe(
      "replay-expired",
    );
    expect((await run("rows.read", { limit: 1 }, { id: "read" })).ok).toBe(true);
    expect(host.allRows()).toHaveLength(7);
  });

  test("unknown-capability", async () => {
    const { run } = bench();
    expect((await run("view.explode")).error).toEqual({
      code: "unknown-capability",
      message: 'there is no capability "view.explode"',
    });
  });

  test("not-wired: excluded by the session, or not implemented by the host", async () => {
    const excluding = bench({ excludeCapabilities: ["view.setSort"] });
    expect((await excluding.run("view.setSort", { key: "name" })).error?.code).toBe("not-wired");
    const without = bench({}, { without: ["setSearch"] });
    expect((await without.run("view.setSearch", { query: "a" })).error?.code).toBe("not-wired");
  });

  test("revision-mismatch says both revisions and leaves the key free", async () => {
    const { run, session, host } = bench();
    const seen = session.view().revision;
    host.setSearch("a");
    const stale = await run("view.setSort", { key: "name" }, { id: "a", revision: seen });
    expect(stale.error).toEqual({
      code: "revision-mismatch",
      message: `expected revision ${seen}, table is at ${seen + 1}`,
    });
    expect((await run("view.setSort", { key: "name" }, { id: "a" })).ok).toBe(true);
  });

  test.each([
    ["view.setSort", {}, 'arguments must have "key"'],
    ["view.setSort", { key: "name", dir: "sideways" }, 'arguments.dir must be one of "asc", "desc", null'],
    ["view.setSort", { key: "name", nulls: "last" }, 'arguments has no "nulls": it has key, dir'],
    ["view.setPage", { page: 0 }, "arguments.page must be at least 1"],
    ["view.setPage", { page: 1.5 }, "arguments.page must be a whole number"],
    ["rows.read", {}, 'arguments must have "limit"'],
    ["edit.cells", { edits: [] }, "arguments.edits must hold at least 1"],
    [
      "edit.cells",
      { edits: [{ rowKey: "p1", column: "salary", value: "90000" }] },
      'column "salary" takes a number, not "90000"',
    ],
    ["rows.add", { rows: ["Gus"] }, "arguments.rows[0] must be an object"],
  ])("invalid-arguments: %s %j", async (key, args, message) => {
    const { run } = bench();
    expect((await run(key, args)).error).toEqual({ code: "invalid-arguments", message });
  });

  test("write-denied: the arguments are in order, the policy is not", async () => {
    const { run, host } = bench({ policy: { write: "deny" } });
    expect((await run("rows.delete", { rows: [{ rowKey: "p1" }] })).error?.code).toBe("write-denied");
    expect((await run("rows.delete", { rows: [{}, 3] })).error?.code).toBe("invalid-arguments");
    expect(host.allRows()).toHaveLength(6);
  });

  test("commit-incompatible: what cannot wait for a save is refused where edits are staged", async () => {
    const { run, host } = bench({ policy: { commit: "stage" } });
    const orders: [string, JsonObject][] = [
      ["rows.add", { rows: [{ name: "Gus" }] }],
      ["rows.delete", { rows: [{ rowKey: "p1" }] }],
      ["rows.reorder", { fromKey: "p1", toKey: "p2" }],
    ];
    for (const [key, args] of orders) {
      expect((await run(key, args)).error?.code).toBe("commit-incompatible");
    }
    expect((await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] })).ok).toBe(
      true,
    );
    expect(host.allRows()).toHaveLength(6);
    expect(saved(host, "p1", "salary")).toBe(80_000);
  });

  test("commit-incompatible: a host that only stages has nothing to save at once with", async () => {
    const { run } = bench({}, { without: ["applyCells"] });
    const result = await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] });
    expect(result.error?.code).toBe("commit-incompatible");
  });

  test("unknown-column", async () => {
    const { run } = bench();
    expect(
      (await run("edit.cells", { edits: [{ rowKey: "p1", column: "wage", value: 1 }] })).error?.code,
    ).toBe("unknown-column");
    expect((await run("rows.read", { limit: 1, columns: ["wage"] })).error?.code).toBe("unknown-column");
    expect((await run("view.setSort", { key: "wage" })).error?.code).toBe("unknown-column");
  });

  test("column-not-writable", async () => {
    const { run } = bench();
    expect(
      (await run("edit.cells", { edits: [{ rowKey: "p1", column: "id", value: "x" }] })).error?.code,
    ).toBe("column-not-writable");
    expect((await run("rows.add", { rows: [{ id: "x" }] })).error?.code).toBe("column-not-writable");
  });

  test("unknown-row", async () => {
    const { run } = bench();
    expect((await run("rows.delete", { rows: [{ rowKey: "p9" }] })).error?.code).toBe("unknown-row");
    expect((await run("rows.resolve", { position: 7, scope: "full" })).error?.code).toBe("unknown-row");
  });

  test("scope-denied: all rows of a host that has only its page", async () => {
    const host = peopleHost();
    host.source = () => ({ fullDataset: false });
    const session = createTableSession(host);
    const order = { expectedRevision: session.view().revision, signal: new AbortController().signal };
    const read = await session.execute({
      ...order,
      key: "rows.read",
      args: { limit: 1, scope: "full" },
      idempotencyKey: "a",
    });
    expect(read.error?.code).toBe("scope-denied");
  });

  test("apply-failed: what the host says when it cannot, recorded like any answer", async () => {
    const host: TableHost = peopleHost();
    let calls = 0;
    host.setSort = () => {
      calls += 1;
      throw new Error("the server is away");
    };
    const session = createTableSession(host);
    const order = {
      key: "view.setSort",
      args: { key: "name" },
      expectedRevision: session.view().revision,
      idempotencyKey: "a",
      signal: new AbortController().signal,
    };
    const result = await session.execute(order);
    expect(result.error).toEqual({ code: "apply-failed", message: "the server is away" });
    expect(await session.execute(order)).toEqual(result);
    expect(calls).toBe(1);
  });

  test("approval-invalid: an answer that is none, positions that are none, a handler that fails", async () => {
    const edits = [{ rowKey: "p1", column: "salary", value: 1 }];
    for (const approve of [
      () => ({ approved: [1] }),
      () => ({ approved: [0, 0] }),
      () => ({ approved: [-1] }),
      () => JSON.parse('{"approved":"yes"}'),
      () => {
        throw new Error("no screen");
      },
    ]) {
      const { run, host } = bench({ policy: { approval: "writes" }, approve });
      expect((await run("edit.cells", { edits })).error?.code).toBe("approval-invalid");
      expect(saved(host, "p1", "salary")).toBe(80_000);
    }
  });

  test("approval-not-decomposable: part of what is done whole or not at all", async () => {
    const { run } = bench({ policy: { approval: "writes" }, approve: () => ({ approved: [0] }) });
    const result = await run("rows.reorder", { fromKey: "p1", toKey: "p3" });
    expect(result.error?.code).toBe("approval-not-decomposable");
  });
});
