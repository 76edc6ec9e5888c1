import { describe, expect, test } from "vitest";
import { memoryTableHost } from "../../../../src/table/session/memory-host.ts";
import { createTableSession } from "../../../../src/table/session/table-session.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, peopleHost, secret } from "./people.ts";

const everything = [
  "columns.describe",
  "edit.cells",
  "export.run",
  "rows.add",
  "rows.delete",
  "rows.read",
  "rows.reorder",
  "rows.resolve",
  "view.describe",
  "view.hideColumn",
  "view.pinColumn",
  "view.pinRow",
  "view.setAggregations",
  "view.setColumnOrder",
  "view.setFilters",
  "view.setGroupBy",
  "view.setPage",
  "view.setSearch",
  "view.setSelection",
  "view.setSort",
  "view.undo",
  "views.apply",
];

describe("what is offered", () => {
  test("everything a host has and policy permits, in order of the keys", () => {
    const { session } = bench();
    expect(session.catalog().map((entry) => entry.key)).toEqual(everything);
    expect(session.manifest().capabilities).toEqual(everything);
    expect(session.context().contract.capabilities.map((capability) => capability.key)).toEqual(everything);
  });

  test("without a policy nothing is written", () => {
    const session = createTableSession(peopleHost());
    const writes = ["edit.cells", "rows.add", "rows.delete", "rows.reorder"];
    expect(session.policy()).toEqual({ write: "deny", approval: "writes", commit: "stage" });
    expect(session.catalog().map((entry) => entry.key)).toEqual(
      everything.filter((key) => !writes.includes(key)),
    );
  });

  test("where edits are staged only edits are written", () => {
    const { session } = bench({ policy: { commit: "stage" } });
    const kinds = session.catalog().filter((entry) => entry.kind === "write" || entry.kind === "destructive");
    expect(kinds.map((entry) => entry.key)).toEqual(["edit.cells"]);
  });

  test.each([
    ["setPage", ["view.setPage"]],
    ["setSort", ["view.setSort"]],
    ["setSearch", ["view.setSearch"]],
    ["setFilters", ["view.setFilters"]],
    ["filters", ["view.setFilters"]],
    ["setGroupBy", ["view.setAggregations", "view.setGroupBy"]],
    ["setAggregations", ["view.setAggregations"]],
    ["setPinnedColumns", ["view.pinColumn"]],
    ["setHiddenColumns", ["view.hideColumn"]],
    ["setColumnOrder", ["view.setColumnOrder"]],
    ["setPinnedRows", ["view.pinRow"]],
    ["setSelection", ["view.setSelection"]],
    ["applySavedView", ["views.apply"]],
    ["exportRows", ["export.run"]],
    ["applyCells", ["edit.cells"]],
    ["addRow", ["rows.add"]],
    ["deleteRow", ["rows.delete"]],
    ["reorderRow", ["rows.reorder"]],
  ] as const)("a host without %s", (member, missing) => {
    const { session } = bench({}, { without: [member] });
    const offered = session.catalog().map((entry) => entry.key);
    expect(everything.filter((key) => !offered.includes(key))).toEqual(missing);
  });

  test("a host that has only what it must reads and resolves rows", () => {
    const host = peopleHost();
    const session = createTableSession({
      tableId: "bare",
      columns: () => host.columns(),
      view: () => ({}),
      rows: (request) => host.rows(request),
      findRow: (key) => host.findRow(key),
    });
    expect(session.catalog().map((entry) => entry.key)).toEqual([
      "columns.describe",
      "rows.read",
      "rows.resolve",
      "view.describe",
    ]);
    expect(session.view()).toEqual({
      revision: 1,
      page: 1,
      limit: 10,
      search: "",
      unknown: ["page", "limit", "search"],
    });
    expect(session.context().contract).toMatchObject({
      policy: { write: "deny" },
      source: { fullDataset: false, grouping: false, totalCount: null },
      filters: [],
    });
  });

  test("an excluded capability is nowhere", () => {
    const { session } = bench({ excludeCapabilities: ["rows.delete"] });
    expect(session.catalog().some((entry) => entry.key === "rows.delete")).toBe(false);
    expect(session.describe({ keys: ["rows.delete"] })).toEqual({ guides: [], unavailable: ["rows.delete"] });
    expect(JSON.stringify(session.context())).not.toContain("rows.delete");
  });

  test("an action of the host is a capability of its kind", () => {
    const run = () => undefined;
    const actions = [
      { key: "archive", label: "Archive", scope: "bulk" as const, kind: "destructive" as const, run },
    ];
    const { session } = bench({}, { actions });
    expect(session.catalog()[0]).toEqual({
      key: "bulkAction.archive",
      summary: "Archive (the selected rows).",
      summaryShort: "Archive",
      kind: "destructive",
      idempotent: false,
    });
  });
});

describe("the contract", () => {
  test("says nothing of an unreadable column but that it is there", () => {
    const { session } = bench();
    const { contract } = session.context();
    expect(
      JSON.stringify([contract, session.manifest(), session.describe({ bundle: "view" })]),
    ).not.toContain(secret);
    expect(contract.columns.find((column) => column.id === "badge")).toEqual({
      id: "badge",
      label: "Badge",
      type: "string",
      readable: false,
      writable: true,
      sortable: false,
      pinnable: true,
      hideable: true,
      visible: true,
    });
    expect(contract.filters.map((filter) => filter.key)).not.toContain("badge");
    expect(contract.aggregations?.columns.map((column) => column.id)).not.toContain("badge");
  });

  test("permissions of the session narrow those of the host", async () => {
    const { session, run } = bench({
      permit: ({ id }) => (id === "salary" ? { readable: false, writable: false } : {}),
    });
    const column = session.context().contract.columns.find(({ id }) => id === "salary");
    expect(column).toMatchObject({ readable: false, writable: false, sortable: false });
    expect(column?.examples).toBeUndefined();
    expect((await run("edit.cells", { column: "salary", value: 1, rowKey: "p1" })).error?.code).toBe(
      "column-not-writable",
    );
    expect((await run("rows.read", { limit: 9, columns: ["salary"] })).result).toMatchObject({
      rows: { redacted: ["salary"], rows: [{ cells: {} }, {}, {}, {}, {}, {}] },
    });
  });

  test("filters carry what their type implies", () => {
    const { session } = bench();
    const filters = Object.fromEntries(
      session.context().contract.filters.map((filter) => [filter.key, filter]),
    );
    expect(filters.salary).toMatchObject({
      defaultOperator: "gte",
      valueKeys: ["salaryMin", "salaryMax", "salary", "salaryOp"],
    });
    expect(filters.hired).toMatchObject({
      defaultOperator: "on",
      valueKeys: ["hiredFrom", "hiredTo", "hiredOp"],
    });
    expect(filters.name).toMatchObject({ defaultOperator: "contains", valueKeys: ["name", "nameOp"] });
    expect(filters.team).toMatchObject({ operators: ["eq"], defaultOperator: "eq", valueKeys: ["team"] });
    expect(filters.tags).toMatchObject({ operators: ["in"], defaultOperator: "in" });
    expect(filters.active).toMatchObject({ operators: ["eq"] });
  });

  test.each([
    [24, 24, undefined],
    [25, 24, true],
    [50, 24, true],
    [51, undefined, true],
  ])("of %d options %s travel", (count, carried, omitted) => {
    const options = Array.from({ length: count }, (_, at) => ({ value: `o${at}`, label: `Option ${at}` }));
    const { session } = bench({}, { filters: [{ key: "team", label: "Team", type: "select", options }] });
    const filter = session.context().contract.filters[0];
    expect(filter?.options?.length).toBe(carried);
    expect(filter?.optionsOmitted).toBe(omitted);
  });

  test("is the same text for the same table, and another version when it differs", () => {
    const [first, second] = [bench(), bench()];
    expect(JSON.stringify(first.session.context())).toBe(JSON.stringify(second.session.context()));
    const before = first.session.context().contract.version;
    first.host.setSort({ key: "name", dir: "asc" });
    expect(first.session.context().contract.version).toBe(before);
    first.host.updateColumn("salary", { writable: false });
    expect(first.session.context().contract.version).not.toBe(before);
  });

  test("the revision rises with the view, the rows, permissions and policy, and never falls", () => {
    const { session, host } = bench();
    const seen = [session.view().revision];
    const look = () => seen.push(session.view().revision);
    for (const change of [
      () => host.setSort({ key: "name", dir: "asc" }),
      () => host.setSort(null),
      () => host.applyCells?.("p1", { salary: 1 }, { signal: new AbortController().signal }),
      () => host.updateColumn("team", { readable: false }),
      () => session.setPolicy({ write: "deny" }),
      () => undefined,
    ]) {
      change();
      look();
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 6]);
    expect(session.manifest().viewRevision).toBe(6);
  });
});

describe("profiles", () => {
  const common = [
    "rows.read",
    "view.setAggregations",
    "view.setFilters",
    "view.setGroupBy",
    "view.setPage",
    "view.setSearch",
    "view.setSort",
  ];

  test("full carries every guide", () => {
    const { session } = bench();
    const { contract, selection } = session.context();
    expect(selection).toMatchObject({ profile: "full", selected: everything, deferred: [], estimated: true });
    expect(contract.capabilities.every(({ guide, input, output }) => guide && input && output)).toBe(true);
    expect(selection.contractBytes).toBe(new TextEncoder().encode(JSON.stringify(contract)).byteLength);
  });

  test("compact carries what a turn likely needs and says what it left out", () => {
    const { session } = bench();
    const { contract, selection } = session.context({ profile: "compact" });
    expect(selection.selected).toEqual(common);
    expect(selection.deferred.filter(({ kind }) => kind === "guide").map(({ key }) => key)).toEqual(
      everything.filter((key) => !common.includes(key)),
    );
    expect(selection.deferredColumns).toEqual(["name", "team", "salary"]);
    expect(contract.columns.map(({ id }) => id)).toHaveLength(8);
    expect(
      contract.columns.some(
        ({ description, examples }) => description !== undefined || examples !== undefined,
      ),
    ).toBe(false);
    expect(contract.capabilities.find(({ key }) => key === "edit.cells")).toEqual({
      key: "edit.cells",
      summary: "Change cells of named rows.",
      summaryShort: "Edit cells",
    });
  });

  test("what was asked for, must be included or has priority travels", () => {
    const { session } = bench();
    const compact = { profile: "compact" as const };
    const asked = session.context({ ...compact, asked: ["rows.add"], include: ["edit.cells"] });
    expect(asked.selection.selected).toEqual(["edit.cells", "rows.add", ...common]);
    const wide = session.context({ ...compact, tokenBudget: 3_000, priority: ["rows.delete"] });
    expect(wide.selection.selected).toContain("rows.delete");
    expect(session.context({ ...compact, asked: ["gone"] }).selection.selected).toEqual(common);
  });

  test("an impossible budget and an unknown key to include are errors", () => {
    const { session } = bench();
    expect(() => session.context({ profile: "compact", tokenBudget: 10 })).toThrow(
      expect.objectContaining({ name: "ContextBudgetError", code: "budget-impossible" }),
    );
    expect(() => session.context({ include: ["view.explode"] })).toThrow(
      expect.objectContaining({ code: "include-unavailable" }),
    );
  });

  test("tokens are counted as the host counts them", () => {
    const { session } = bench();
    const { selection } = session.context({ estimateTokens: () => 1 });
    expect(selection).toMatchObject({ estimatedTokens: 2, estimated: false });
  });
});

describe("guides", () => {
  test("name what this table has now", () => {
    const { session, host } = bench();
    const input = (key: string) =>
      session.describe({ keys: [key] }).guides[0]?.input as { properties: Record<string, JsonObject> };
    expect(input("view.setSort").properties.key?.enum).toEqual([
      "id",
      "name",
      "team",
      "salary",
      "active",
      "hired",
      null,
    ]);
    expect(input("view.setPage").properties.limit?.enum).toEqual([2, 10]);
    expect(input("view.setColumnOrder").properties.order).toMatchObject({
      items: { enum: ["id", "name", "team", "salary", "active", "hired", "tags", "badge"] },
    });
    expect(JSON.stringify(input("view.setFilters"))).toContain('"salaryOp"');
    expect(JSON.stringify(input("view.setFilters"))).not.toContain("badge");
    expect(JSON.stringify(input("view.setAggregations"))).toContain('"median"');
    host.updateColumn("salary", { sortable: false });
    expect(input("view.setSort").properties.key?.enum).not.toContain("salary");
  });

  test("come for keys first, then for a bundle, then for what these depend on, eight at most", () => {
    const { session } = bench();
    expect(session.describe({ keys: ["rows.delete", "nothing"], bundle: "grouping" })).toMatchObject({
      guides: [
        { key: "rows.delete", schemaVersion: "adapttable.agent.v1" },
        { key: "view.setAggregations" },
        { key: "view.setGroupBy" },
        { key: "rows.resolve" },
      ],
      unavailable: ["nothing"],
    });
    const view = session.describe({ bundle: "view" });
    expect(view.guides).toHaveLength(8);
    expect(view.deferred).toEqual(["view.undo", "rows.resolve"]);
    expect(session.describe({ bundle: "cooking" })).toEqual({ guides: [], unavailable: ["cooking"] });
    expect(session.describe({})).toEqual({ guides: [], unavailable: [] });
  });
});

test("a wide, long table is offered within what a request may hold, without a look at its rows", () => {
  let looks = 0;
  const columns = Array.from({ length: 200 }, (_, at) => ({
    id: `measurement_${at}`,
    label: `Measurement number ${at}`,
    type: "number",
    writable: true,
    description: "What was measured, with its unit and how.",
    examples: [1, 2.5, 1000],
  }));
  const row: JsonObject = new Proxy(Object.fromEntries(columns.map(({ id }, at) => [id, at])), {
    get: (cells, name) => {
      looks += name === "id" ? 0 : 1;
      return Reflect.get(cells, name);
    },
  });
  const host = memoryTableHost({ columns, rows: Array.from({ length: 100_000 }, () => row) });
  const session = createTableSession(host, { policy: { write: "allow", commit: "immediate" } });
  const sent = {
    context: session.context(),
    manifest: session.manifest(),
    catalog: session.catalog(),
    view: session.view(),
  };
  expect(sent.context.contract.source.totalCount).toBe(100_000);
  expect(sent.context.selection.deferred).toEqual([]);
  expect(looks).toBe(0);
  expect(JSON.stringify(sent).length).toBeLessThan(256_000);
});
