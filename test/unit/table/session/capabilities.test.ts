import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, keysOf, saved } from "./people.ts";

/** What each capability answers and does, in order of their keys. */
describe("capabilities", () => {
  test("columns.describe lists columns; of an unreadable one no examples", async () => {
    const { run } = bench();
    const { result } = await run("columns.describe");
    const columns = (result as { columns: JsonObject[] }).columns;
    expect(columns.find((column) => column.id === "team")).toEqual({
      id: "team",
      label: "Team",
      type: "string",
      readable: true,
      writable: true,
      sortable: true,
      pinnable: true,
      hideable: true,
      visible: true,
      examples: ["core"],
    });
    expect(columns.find((column) => column.id === "badge")).toMatchObject({
      readable: false,
      sortable: false,
    });
    expect(columns.find((column) => column.id === "badge")?.examples).toBeUndefined();
  });

  test("view.describe tells where the table is and what it can be filtered by", async () => {
    const { run, host } = bench();
    host.setFilters({ team: "core", badge: "x" });
    host.setSort({ key: "salary", dir: "desc" });
    const { result, revision } = await run("view.describe");
    expect(result).toEqual({
      revision,
      page: 1,
      limit: 10,
      search: "",
      sortBy: "salary",
      sortDir: "desc",
      groupBy: null,
      filters: { team: "core" },
      pinnedColumns: { start: [], end: [] },
      pinnedRows: { top: [], bottom: [] },
      hiddenColumns: [],
      columnOrder: ["id", "name", "team", "salary", "active", "hired", "tags", "badge"],
      pagination: {
        page: 1,
        pageSize: 10,
        pageSizeOptions: [2, 10],
        totalRows: 0,
        totalPages: 1,
        hasNext: false,
        hasPrevious: false,
        canJump: true,
      },
      availableFilters: expect.any(Array),
    });
    const filters = (result as { availableFilters: { key: string }[] }).availableFilters;
    expect(filters.map((filter) => filter.key)).toEqual([
      "name",
      "team",
      "salary",
      "active",
      "hired",
      "tags",
    ]);
  });

  test("rows.read answers a window without unreadable cells, and how many rows there are", async () => {
    const { run } = bench({ limits: { readMax: 2 } });
    const { result, revision } = await run("rows.read", {
      limit: 50,
      offset: 1,
      columns: ["name", "badge"],
      scope: "full",
    });
    expect(result).toEqual({
      source: "table-rows",
      untrusted: true,
      revision,
      rows: {
        rows: [
          { rowKey: "p2", cells: { name: "Bo Li" } },
          { rowKey: "p3", cells: { name: "Cy Dow" } },
        ],
        offset: 1,
        limit: 2,
        redacted: ["badge"],
        total: 6,
      },
    });
  });

  test("rows.read sees the page, and on screen pinned rows first", async () => {
    const { run, host } = bench();
    host.setPage({ page: 2, limit: 2 });
    host.setPinnedRows({ top: ["p6"], bottom: ["p3"] });
    const keys = async (scope: string) => {
      const { result } = await run("rows.read", { limit: 10, scope });
      return (result as { rows: { rows: { rowKey: string }[] } }).rows.rows.map((row) => row.rowKey);
    };
    expect(await keys("page")).toEqual(["p3", "p4"]);
    expect(await keys("visible")).toEqual(["p6", "p4", "p3"]);
  });

  test("rows.resolve finds a key by position at a revision, and checks a key", async () => {
    const { run, host, session } = bench();
    host.setSort({ key: "salary", dir: "desc" });
    expect((await run("rows.resolve", { position: 1 })).result).toEqual({
      rowKey: "p3",
      scope: "visible",
      position: 1,
    });
    expect((await run("rows.resolve", { rowKey: "p2" })).result).toEqual({ rowKey: "p2", scope: "visible" });
    const other = session.view().revision - 1;
    expect((await run("rows.resolve", { position: 1, expectedRevision: other })).error?.code).toBe(
      "revision-mismatch",
    );
    expect((await run("rows.resolve", {})).error?.code).toBe("invalid-arguments");
  });

  test("view.setPage takes an offered size before the page", async () => {
    const { run } = bench();
    const { result, revision } = await run("view.setPage", { page: 3, limit: 2 });
    expect(result).toEqual({ ok: true, revision, page: 3, limit: 2 });
    expect((await run("view.setPage", { page: 1, limit: 5 })).error?.message).toBe(
      "limit must be one of 2, 10",
    );
    expect((await run("view.setPage", { page: 4 })).error?.message).toBe("page 4 is past the last page, 3");
  });

  test("view.setSort sorts with empty cells last, and stops", async () => {
    const { run, host } = bench();
    const { result, revision } = await run("view.setSort", { key: "salary", dir: "desc" });
    expect(result).toEqual({ ok: true, revision, sort: { key: "salary", dir: "desc" } });
    expect(keysOf(host)).toEqual(["p3", "p1", "p2", "p5", "p4", "p6"]);
    expect((await run("view.setSort", { key: "salary" })).result).toMatchObject({
      sort: { key: "salary", dir: "asc" },
    });
    expect(keysOf(host)).toEqual(["p4", "p2", "p5", "p1", "p3", "p6"]);
    expect((await run("view.setSort", { key: null })).result).toMatchObject({ sort: null });
    expect(keysOf(host)).toEqual(["p1", "p2", "p3", "p4", "p5", "p6"]);
    expect((await run("view.setSort", { key: "badge" })).error?.code).toBe("invalid-arguments");
    expect((await run("view.setSort", { key: "tags" })).error?.code).toBe("invalid-arguments");
  });

  test("view.setSearch looks into readable columns only", async () => {
    const { run, host } = bench();
    expect((await run("view.setSearch", { query: "ANA" })).result).toMatchObject({ ok: true, query: "ANA" });
    expect(keysOf(host)).toEqual(["p1"]);
    await run("view.setSearch", { query: "SECRET" });
    expect(keysOf(host)).toEqual([]);
    await run("view.setSearch", { query: "" });
    expect(keysOf(host)).toHaveLength(6);
  });

  test("view.setFilters replaces all and keeps what an agent may not see", async () => {
    const { run, host } = bench();
    host.setFilters({ badge: "p", badgeOp: "contains", team: "ops" });
    const { result, revision } = await run("view.setFilters", {
      filters: [{ key: "salary", op: "gte", value: 80_000 }],
    });
    expect(result).toEqual({ ok: true, revision, filters: { salaryMin: "80000", salaryOp: "gte" } });
    expect(host.view().filters).toEqual({
      badge: "p",
      badgeOp: "contains",
      salaryMin: "80000",
      salaryOp: "gte",
    });
    await run("view.setFilters", { filters: {} });
    expect(host.view().filters).toEqual({ badge: "p", badgeOp: "contains" });
    expect((await run("view.setFilters", { filters: { badge: "x" } })).error?.code).toBe("invalid-arguments");
  });

  test("view.setGroupBy groups by a readable column", async () => {
    const { run, host } = bench();
    expect((await run("view.setGroupBy", { key: "team" })).result).toMatchObject({
      ok: true,
      groupBy: "team",
    });
    expect(host.groups().map((group) => [group.value, group.count])).toEqual([
      ["core", 3],
      ["ops", 2],
      ["sales", 1],
    ]);
    expect((await run("view.setGroupBy", { key: "badge" })).error?.code).toBe("invalid-arguments");
    expect((await run("view.setGroupBy", { key: null })).result).toMatchObject({ groupBy: null });
  });

  test("view.setAggregations adds, removes and restores, and tells totals", async () => {
    const { run, host } = bench({}, { view: { aggregations: { name: "count" } } });
    const added = await run("view.setAggregations", { set: { salary: "avg" } });
    expect(added.result).toEqual({
      ok: true,
      revision: added.revision,
      applied: { name: "count", salary: "avg" },
      pending: false,
      totals: { name: 6, salary: 75_000 },
    });
    expect((await run("view.setAggregations", { remove: ["name"] })).result).toMatchObject({
      applied: { salary: "avg" },
    });
    await run("view.setGroupBy", { key: "team" });
    expect(host.groups().map((group) => group.aggregates)).toEqual([
      { salary: 87_500 },
      { salary: 70_000 },
      { salary: 60_000 },
    ]);
    expect((await run("view.setAggregations", { restoreDefaults: true })).result).toMatchObject({
      applied: { name: "count" },
    });
    expect(
      (await run("view.setAggregations", { set: { salary: "sum" }, remove: ["name"] })).error?.code,
    ).toBe("invalid-arguments");
    expect((await run("view.setAggregations", { set: { salary: "mode" } })).error?.message).toBe(
      'column "salary" has no "mode": it has sum, avg, min, max, median, count',
    );
    expect((await run("view.setAggregations", { set: { badge: "count" } })).error?.code).toBe(
      "invalid-arguments",
    );
  });

  test("view.pinColumn pins at the start only", async () => {
    const { run, host } = bench();
    const pinned = await run("view.pinColumn", { key: "name", side: "start" });
    expect(pinned.result).toEqual({ ok: true, revision: pinned.revision });
    expect(host.view().pinnedColumns).toEqual({ start: ["name"], end: [] });
    expect((await run("view.pinColumn", { key: "name", side: "end" })).error?.code).toBe("invalid-arguments");
    await run("view.pinColumn", { key: "name", side: null });
    expect(host.view().pinnedColumns).toEqual({ start: [], end: [] });
  });

  test("view.hideColumn hides, shows, and leaves one column", async () => {
    const { run, host } = bench();
    expect((await run("view.hideColumn", { key: "team" })).result).toMatchObject({
      key: "team",
      hidden: true,
    });
    expect(host.view().hiddenColumns).toEqual(["team"]);
    await run("view.hideColumn", { key: "team", hidden: false });
    expect(host.view().hiddenColumns).toEqual([]);
    host.setHiddenColumns(["id", "team", "salary", "active", "hired", "tags", "badge"]);
    expect((await run("view.hideColumn", { key: "name" })).error?.message).toBe(
      "the last visible column cannot be hidden",
    );
  });

  test("view.setColumnOrder moves one column or orders all", async () => {
    const { run, host } = bench();
    await run("view.setColumnOrder", { key: "salary", index: 0 });
    expect(host.view().columnOrder).toEqual([
      "salary",
      "id",
      "name",
      "team",
      "active",
      "hired",
      "tags",
      "badge",
    ]);
    const order = ["badge", "tags", "hired", "active", "salary", "team", "name", "id"];
    expect((await run("view.setColumnOrder", { order })).result).toMatchObject({ order });
    expect((await run("view.setColumnOrder", { order: ["name", "id"] })).error?.code).toBe(
      "invalid-arguments",
    );
    expect((await run("view.setColumnOrder", { key: "id", index: 8 })).error?.message).toBe(
      "index must be at most 7",
    );
    expect((await run("view.setColumnOrder", { key: "id" })).error?.code).toBe("invalid-arguments");
  });

  test("view.pinRow pins by key or position", async () => {
    const { run, host } = bench();
    await run("view.pinRow", { rowKey: "p4", side: "top" });
    await run("view.pinRow", { position: 2, scope: "page", side: "bottom" });
    expect(host.view().pinnedRows).toEqual({ top: ["p4"], bottom: ["p2"] });
    await run("view.pinRow", { rowKey: "p4", side: null });
    expect(host.view().pinnedRows).toEqual({ top: [], bottom: ["p2"] });
    expect((await run("view.pinRow", { rowKey: "p4" })).error?.code).toBe("invalid-arguments");
  });

  test("view.setSelection replaces the selection and clears it; a selection is no other revision", async () => {
    const { run, host, session } = bench();
    const before = session.view().revision;
    expect((await run("view.setSelection", { ids: ["p2", "p3"] })).result).toMatchObject({ selected: 2 });
    expect(host.view().selection).toEqual(["p2", "p3"]);
    expect(session.view().revision).toBe(before);
    await run("view.setSelection");
    expect(host.view().selection).toEqual([]);
    expect((await run("view.setSelection", { ids: ["p9"] })).error?.code).toBe("unknown-row");
  });

  test("views.apply brings back a saved view", async () => {
    const { run, host } = bench();
    expect((await run("views.apply", { viewId: "Best paid" })).result).toMatchObject({ viewId: "paid" });
    expect(keysOf(host)).toEqual(["p3", "p1", "p6"]);
    expect((await run("views.apply", { viewId: "worst" })).error?.code).toBe("invalid-arguments");
  });

  test("export.run gives the reader a file and the agent no cell", async () => {
    const files: { name: string; text: string }[] = [];
    const { run, host } = bench({}, { onExport: (file) => files.push(file) });
    host.setHiddenColumns(["tags", "hired", "active"]);
    host.setFilters({ team: "sales" });
    const { result, revision } = await run("export.run", { format: "csv" });
    expect(result).toEqual({
      ok: true,
      revision,
      format: "csv",
      fileName: "people.csv",
      rows: 1,
      columns: 4,
    });
    expect(files).toEqual([
      { name: "people.csv", mediaType: "text/csv", text: "Id,Name,Team,Salary\r\np4,Di Fox,sales,60000\r\n" },
    ]);
    expect((await run("export.run", { format: "xlsx" })).error?.message).toBe(
      "format must be one of csv, json",
    );
  });

  test("edit.cells saves row by row: a row that fails leaves the later ones to be tried", async () => {
    const { run, host } = bench(
      {},
      { refuse: ({ rowKey }) => (rowKey === "p2" ? "the row is locked" : undefined) },
    );
    const { ok, result } = await run("edit.cells", {
      edits: [
        { rowKey: "p1", column: "salary", value: 81_000 },
        { rowKey: "p2", column: "salary", value: 71_000 },
        { rowKey: "p3", column: "badge", value: "B" },
      ],
    });
    expect(ok).toBe(true);
    expect(result).toEqual({
      proposals: [
        { rowKey: "p1", column: "salary", before: 80_000, after: 81_000 },
        { rowKey: "p2", column: "salary", before: 70_000, after: 71_000 },
        { rowKey: "p3", column: "badge", after: "B" },
      ],
      applied: false,
      approval: "not-required",
      results: [
        { rowKey: "p1", column: "salary", ok: true },
        { rowKey: "p2", column: "salary", ok: false, error: "the row is locked" },
        { rowKey: "p3", column: "badge", ok: true },
      ],
    });
    expect([saved(host, "p1", "salary"), saved(host, "p2", "salary"), saved(host, "p3", "badge")]).toEqual([
      81_000,
      70_000,
      "B",
    ]);
  });

  test("edit.cells stages where edits wait for a save, all or none", async () => {
    const { run, host, session } = bench(
      { policy: { commit: "stage" } },
      { refuse: ({ cells }) => (cells.salary === 0 ? "too low" : undefined) },
    );
    const { result } = await run(
      "edit.cells",
      { edits: [{ rowKey: "p1", column: "salary", value: 81_000 }] },
      { id: "a" },
    );
    expect(result).toMatchObject({ applied: true, staged: true, approval: "not-required" });
    expect(session.receipt("a")).toMatchObject({
      status: "staged",
      text: "Staged: Salary of Ana Ruiz: 80,000 → 81,000",
    });
    expect(saved(host, "p1", "salary")).toBe(80_000);
    expect(host.findRow("p1")?.cells.salary).toBe(81_000);
    const refused = await run("edit.cells", {
      edits: [
        { rowKey: "p2", column: "salary", value: 1 },
        { rowKey: "p3", column: "salary", value: 0 },
      ],
    });
    expect(refused.result).toMatchObject({
      applied: false,
      results: [
        { ok: false, error: "too low" },
        { ok: false, error: "too low" },
      ],
    });
    expect(host.staged()).toEqual([{ rowKey: "p1", column: "salary", value: 81_000 }]);
    expect(host.saveStaged()).toEqual([{ rowKey: "p1", ok: true }]);
    expect(saved(host, "p1", "salary")).toBe(81_000);
  });

  test("receipts name choices as the table shows them, and keep the values in proposals", async () => {
    const { run, session } = bench({ policy: { commit: "immediate" } });
    const edited = await run(
      "edit.cells",
      { edits: [{ rowKey: "p1", column: "team", value: "ops" }] },
      { id: "a" },
    );
    expect(edited.result).toMatchObject({ proposals: [{ before: "core", after: "ops" }] });
    expect(session.receipt("a")).toMatchObject({
      text: "Team of Ana Ruiz: Core → Operations",
      changes: [{ label: "Team of Ana Ruiz", before: "Core", after: "Operations" }],
    });
    await run("rows.add", { rows: [{ name: "Gus", team: "sales" }] }, { id: "b" });
    expect(session.receipt("b")?.changes).toEqual([{ label: "New row", after: "Name Gus, Team Sales" }]);
    await run("rows.delete", { rows: [{ rowKey: "p3" }] }, { id: "c" });
    expect(session.receipt("c")?.changes[0]?.before).toContain("Team Core");
  });

  test("edit.cells without a place to stage says so and changes nothing", async () => {
    const { run, host, session } = bench({ policy: { commit: "stage" } }, { without: ["stageCells"] });
    expect(session.catalog().map((entry) => entry.key)).not.toContain("edit.cells");
    const { result } = await run(
      "edit.cells",
      { edits: [{ rowKey: "p1", column: "salary", value: 1 }] },
      { id: "a" },
    );
    expect(result).toMatchObject({
      applied: false,
      results: [{ ok: false, error: "this table has nowhere to stage edits" }],
    });
    expect(session.receipt("a")?.status).toBe("failed");
    expect(saved(host, "p1", "salary")).toBe(80_000);
  });

  test("edit.cells refuses one cell twice and values of another type", async () => {
    const { run } = bench();
    const twice = [
      { rowKey: "p1", column: "salary", value: 1 },
      { position: 1, column: "salary", value: 2 },
    ];
    expect((await run("edit.cells", { edits: twice })).error?.message).toBe(
      '"salary" of row "p1" is edited twice',
    );
    for (const [column, value] of [
      ["salary", null],
      ["salary", Number.MAX_VALUE * 2],
      ["active", "yes"],
      ["hired", "2026-02-30"],
      ["name", 7],
      ["name", { first: "A" }],
    ] as const) {
      const result = await run("edit.cells", { edits: [{ rowKey: "p1", column, value }] });
      expect(result.error?.code).toBe("invalid-arguments");
    }
    expect((await run("edit.cells", { edits: [{ rowKey: "p1", column: "hired", value: null }] })).ok).toBe(
      true,
    );
  });

  test("rows.add answers the new keys", async () => {
    const { run, host } = bench();
    const { result } = await run("rows.add", { rows: [{ name: "Gus", team: "Operations", salary: 1 }] });
    expect(result).toEqual({
      proposals: [{ rowKey: "new:1", after: { name: "Gus", team: "ops", salary: 1 } }],
      applied: true,
      approval: "not-required",
      results: [{ rowKey: "7", ok: true }],
    });
    expect(host.findRow("7")?.cells).toEqual({ id: "7", name: "Gus", team: "ops", salary: 1 });
  });

  test("rows.delete takes keys and positions, each row once", async () => {
    const { run, host } = bench();
    host.setSelection(["p1", "p2"]);
    const { result } = await run("rows.delete", {
      rows: [{ rowKey: "p1" }, { position: 1 }, { position: 3, scope: "full" }],
    });
    expect(result).toMatchObject({
      applied: true,
      results: [
        { rowKey: "p1", ok: true },
        { rowKey: "p3", ok: true },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("badge");
    expect(keysOf(host)).toEqual(["p2", "p4", "p5", "p6"]);
    expect(host.view().selection).toEqual(["p2"]);
  });

  test("rows.reorder moves a row to where another stands", async () => {
    const { run, host } = bench();
    expect((await run("rows.reorder", { fromKey: "p1", toKey: "p3" })).result).toEqual({
      ran: true,
      approval: "not-required",
    });
    expect(keysOf(host)).toEqual(["p2", "p3", "p1", "p4", "p5", "p6"]);
    await run("rows.reorder", { fromKey: "p6", toKey: "p2" });
    expect(keysOf(host)).toEqual(["p6", "p2", "p3", "p1", "p4", "p5"]);
  });

  test("rowAction and bulkAction run the host's own work, on the selection exactly", async () => {
    const done: [string, string[]][] = [];
    const action = (key: string, scope: "row" | "bulk") => ({
      key,
      label: key,
      scope,
      kind: "write" as const,
      run: (rowKeys: string[]) => {
        done.push([key, rowKeys]);
      },
    });
    const { run, host } = bench({}, { actions: [action("greet", "row"), action("archive", "bulk")] });
    expect((await run("rowAction.greet", { rowKey: "p1" })).result).toEqual({
      ran: true,
      approval: "not-required",
    });
    host.setSelection(["p2", "p3"]);
    expect((await run("bulkAction.archive", { rowKeys: ["p2"] })).error?.code).toBe("invalid-arguments");
    expect((await run("bulkAction.archive", { rowKeys: ["p3", "p2"] })).ok).toBe(true);
    expect(done).toEqual([
      ["greet", ["p1"]],
      ["archive", ["p2", "p3"]],
    ]);
    expect((await run("rowAction.archive", { rowKey: "p1" })).error?.code).toBe("unknown-capability");
  });

  test("view.undo takes back one change of the view a call", async () => {
    const { run, host } = bench();
    expect((await run("view.undo")).error?.code).toBe("apply-failed");
    await run("view.setSort", { key: "name" });
    await run("view.setFilters", { filters: { team: "core" } });
    await run("edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 1 }] });
    await run("view.undo");
    expect([host.view().filters, host.view().sort]).toEqual([{}, { key: "name", dir: "asc" }]);
    await run("view.undo");
    expect(host.view().sort).toBe(null);
    expect(saved(host, "p1", "salary")).toBe(1);
  });
});
