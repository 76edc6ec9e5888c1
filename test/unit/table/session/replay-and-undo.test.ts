import { describe, expect, test } from "vitest";
import type { ExecuteResult } from "../../../../src/table/client/session-port.ts";
import type { TableSessionEvent } from "../../../../src/table/session/session-types.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, keysOf, saved, secret } from "./people.ts";

describe("a call that comes again", () => {
  test("gets the first answer and runs nothing, even when the table has moved on", async () => {
    const { run, host } = bench();
    const first = await run("rows.add", { rows: [{ name: "Gus" }] }, { id: "a" });
    host.setSort({ key: "name", dir: "asc" });
    expect(await run("rows.add", { rows: [{ name: "Gus" }] }, { id: "a", revision: 0 })).toEqual(first);
    expect(host.allRows()).toHaveLength(7);
  });

  test("arguments in another order are the same call", async () => {
    const { run } = bench();
    const first = await run("view.setSort", { key: "name", dir: "asc" }, { id: "a" });
    expect(await run("view.setSort", { dir: "asc", key: "name" }, { id: "a" })).toEqual(first);
  });

  test("shares the answer of one that is still running", async () => {
    const { run, host } = bench();
    let adds = 0;
    const add = host.addRow.bind(host);
    host.addRow = async (cells, options) => {
      adds += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return add(cells, options);
    };
    const [first, second] = await Promise.all([
      run("rows.add", { rows: [{ name: "Gus" }] }, { id: "a" }),
      run("rows.add", { rows: [{ name: "Gus" }] }, { id: "a" }),
    ]);
    expect(second).toEqual(first);
    expect(adds).toBe(1);
  });

  test("a refusal is an answer too: the same call is refused again", async () => {
    const { run } = bench();
    const refused = await run("view.setSort", { key: "wage" }, { id: "a" });
    expect(await run("view.setSort", { key: "wage" }, { id: "a" })).toEqual(refused);
  });

  test("what may no longer be read is taken out of an earlier answer", async () => {
    const { run, host } = bench();
    const orders: [string, JsonObject][] = [
      ["rows.read", { limit: 2, columns: ["name", "salary"] }],
      ["columns.describe", {}],
      ["view.describe", {}],
      ["edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 4242 }] }],
      ["rows.delete", { rows: [{ rowKey: "p3" }] }],
      ["view.setFilters", { filters: { salaryMin: 1 } }],
      ["view.setAggregations", { set: { salary: "sum" } }],
    ];
    const before: ExecuteResult[] = [];
    for (const [at, [key, args]] of orders.entries()) before.push(await run(key, args, { id: `${at}` }));
    expect(JSON.stringify(before)).toMatch(/80000|95000/);
    host.updateColumn("salary", { readable: false });
    const after: ExecuteResult[] = [];
    for (const [at, [key, args]] of orders.entries()) after.push(await run(key, args, { id: `${at}` }));
    expect(JSON.stringify(after)).not.toMatch(/80000|70000|95000|salaryMin/);
    expect(after[0]?.result).toMatchObject({
      rows: { rows: [{ cells: { name: "Ana Ruiz" } }, { cells: { name: "Bo Li" } }], redacted: ["salary"] },
    });
    expect(after[3]?.result).toMatchObject({ proposals: [{ rowKey: "p1", column: "salary", after: 4242 }] });
    expect(after.every((result, at) => result.revision === before[at]?.revision)).toBe(true);
  });

  test("what a caller does to an answer does not change the next one", async () => {
    const { run } = bench();
    const first = await run("rows.read", { limit: 1 }, { id: "a" });
    const kept = structuredClone(first);
    (first.result as JsonObject).rows = null;
    expect(await run("rows.read", { limit: 1 }, { id: "a" })).toEqual(kept);
  });
});

describe("receipts", () => {
  test("say in words what changed", async () => {
    const { run, session } = bench();
    const told = async (key: string, args: JsonObject) => {
      await run(key, args);
      const { text, changes } = session.receipts().at(-1) ?? {};
      return [text, ...(changes ?? []).map(({ label, before, after }) => `${label}: ${before} → ${after}`)];
    };
    expect(await told("view.setFilters", { filters: { team: "core", salaryMin: 80000 } })).toEqual([
      "Filtered: Team is Core and Salary at least 80,000",
      "Team: any → is Core",
      "Salary: any → at least 80,000",
    ]);
    expect(
      await told("view.setFilters", { filters: [{ key: "hired", op: "on", value: "last 7 days" }] }),
    ).toEqual([
      "Filtered: Start date in the last 7 days",
      "Team: is Core → any",
      "Salary: at least 80,000 → any",
      "Start date: any → in the last 7 days",
    ]);
    expect(await told("view.setFilters", { filters: { tags: ["lead", "mentor"], active: true } })).toEqual([
      "Filtered: Active is yes and Tags is Lead or Mentor",
      "Start date: in the last 7 days → any",
      "Active: any → is yes",
      "Tags: any → is Lead or Mentor",
    ]);
    expect(await told("view.setFilters", { filters: {} })).toEqual([
      "Filters cleared",
      "Active: is yes → any",
      "Tags: is Lead or Mentor → any",
    ]);
    expect(await told("view.setSort", { key: "hired", dir: "desc" })).toEqual([
      "Sorted by Start date, newest first",
      "Sort: none → Start date, newest first",
    ]);
    expect(await told("view.setSearch", { query: "core" })).toEqual([
      "Searched for “core”",
      "Search: none → “core”",
    ]);
    expect(await told("view.setPage", { page: 2, limit: 2 })).toEqual([
      "Page 2, 2 rows a page",
      "Page: 1, 10 rows a page → 2, 2 rows a page",
    ]);
    expect(await told("view.hideColumn", { key: "team" })).toEqual([
      "Hid Team",
      "Hidden columns: none → Team",
    ]);
    expect(await told("view.pinColumn", { key: "name", side: "start" })).toEqual([
      "Pinned Name",
      "Pinned columns: none → Name",
    ]);
    expect(await told("view.setGroupBy", { key: "team" })).toEqual([
      "Grouped by Team",
      "Groups: none → Team",
      "Page: 2, 2 rows a page → 1, 2 rows a page",
    ]);
    expect(await told("view.setAggregations", { set: { salary: "avg" } })).toEqual([
      "Totals: average of Salary",
      "Totals: none → average of Salary",
    ]);
    expect(await told("rows.read", { limit: 1 })).toEqual(["Read 1 row"]);
    expect(await told("edit.cells", { edits: [{ rowKey: "p6", column: "salary", value: 9 }] })).toEqual([
      "Salary of Flo Nye: empty → 9",
      "Salary of Flo Nye: empty → 9",
    ]);
    expect(await told("rows.add", { rows: [{ name: "Gus", salary: 1000 }, { name: "Hal" }] })).toEqual([
      "Added 2 rows",
      "New row: undefined → Name Gus, Salary 1,000",
      "New row: undefined → Name Hal",
    ]);
    expect(await told("rows.delete", { rows: [{ rowKey: "p2" }] })).toEqual([
      "Deleted 1 row",
      "Bo Li: Id p2, Name Bo Li, Salary 70,000, Active no and 2 more → undefined",
    ]);
  });

  test("claim no more than happened", async () => {
    const { run, session, host } = bench(
      { policy: { approval: "destructive" }, approve: () => ({ approved: false, reason: "not today" }) },
      { refuse: ({ type }) => (type === "add" ? "full" : undefined) },
    );
    await run("rows.delete", { rows: [{ rowKey: "p1" }] }, { id: "rejected" });
    await run("rows.add", { rows: [{ name: "Gus" }] }, { id: "failed" });
    await run("view.setSort", { key: "name" }, { id: "stale", revision: 99 });
    await run("view.setSort", { key: "name" }, { id: "cancelled", signal: AbortSignal.abort() });
    await run("view.setSort", { key: "wage" }, { id: "unknown" });
    await run("edit.cells", { edits: [{ rowKey: "p1", column: "badge", value: "x" }] }, { id: "blind" });
    expect(session.receipts().map(({ id, status, text }) => [id, status, text])).toEqual([
      ["rejected", "rejected", "Declined: Delete 1 row (not today)"],
      ["failed", "failed", "Failed: Add 1 row (full)"],
      ["stale", "stale", "Not done, the table has changed: Sort"],
      ["unknown", "failed", 'Failed: Sort (there is no column "wage": columns.describe lists them)'],
      ["blind", "executed", "Changed 1 cell"],
    ]);
    expect(JSON.stringify(session.receipts())).not.toContain(secret);
    expect(keysOf(host)).toHaveLength(6);
  });
});

describe("undo", () => {
  test("puts the view back as it was, page and selection too", async () => {
    const { run, session, host } = bench();
    await run("view.setPage", { page: 3, limit: 2 });
    await run("view.setSelection", { ids: ["p6"] });
    const before = host.view();
    await run("view.setFilters", { filters: { team: "core" } }, { id: "a" });
    expect(host.view().page).toBe(1);
    expect(session.receipt("a")?.undoable).toBe(true);
    const undone = await session.undo();
    expect(undone).toEqual({ ok: true, id: "a", revision: session.view().revision });
    expect(host.view()).toEqual(before);
    expect(session.receipt("a")?.undoable).toBe(false);
  });

  test("takes back a saved view whole", async () => {
    const { run, session, host } = bench();
    const before = host.view();
    await run("views.apply", { viewId: "paid" });
    await session.undo();
    expect(host.view()).toEqual(before);
  });

  test("takes back one change by its receipt and leaves others", async () => {
    const { run, session, host } = bench();
    await run("view.setSort", { key: "name" }, { id: "sort" });
    await run("view.setFilters", { filters: { team: "core" } }, { id: "filter" });
    expect((await session.undo("sort")).ok).toBe(true);
    expect([host.view().sort, host.view().filters]).toEqual([null, { team: "core" }]);
    expect((await session.undo("sort")).error?.code).toBe("nothing-to-undo");
  });

  test("does not undo what the reader has changed since", async () => {
    const { run, session, host } = bench();
    await run("view.setSort", { key: "name" }, { id: "a" });
    host.setSort({ key: "salary", dir: "desc" });
    expect(await session.undo("a")).toMatchObject({ ok: false, error: { code: "undo-stale" } });
    expect(host.view().sort).toEqual({ key: "salary", dir: "desc" });
  });

  test("has nothing of writes, reads and changes of nothing", async () => {
    const { run, session, host } = bench();
    await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] });
    await run("view.setSearch", { query: "" });
    await run("rows.read", { limit: 1 });
    expect((await session.undo()).error?.code).toBe("nothing-to-undo");
    expect(saved(host, "p1", "salary")).toBe(1);
  });
});

test("a page hears of each call, of questions and of changes, also of the reader's own", async () => {
  const { run, session, host } = bench({ policy: { approval: "writes" }, approve: () => true });
  const heard: TableSessionEvent[] = [];
  const stop = session.subscribe((event) => heard.push(event));
  const { revision } = session.view();
  host.setSearch("core");
  await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] }, { id: "a" });
  await session.undo();
  stop();
  host.setSearch("");
  expect(heard.map((event) => event.type)).toEqual([
    "change",
    "start",
    "approval",
    "approval",
    "change",
    "receipt",
  ]);
  expect(heard[0]).toEqual({ type: "change", revision: revision + 1 });
});

test("a closed session no longer listens to its host", () => {
  const { session, host } = bench();
  const heard: string[] = [];
  session.subscribe(({ type }) => heard.push(type));
  session.close();
  host.setSearch("x");
  expect(heard).toEqual([]);
});

test("a write beside which the reader sorted answers the revision it was admitted at", async () => {
  const { run, session, host } = bench();
  const apply = host.applyCells.bind(host);
  host.applyCells = async (rowKey, cells, options) => {
    await apply(rowKey, cells, options);
    host.setSort({ key: "salary", dir: "desc" });
  };
  const admitted = session.view().revision;
  const { revision } = await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] });
  expect(revision).toBe(admitted);
  expect((await run("rows.delete", { rows: [{ position: 1 }] }, { revision })).error?.code).toBe(
    "revision-mismatch",
  );
});
