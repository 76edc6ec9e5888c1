import { expect, test } from "vitest";
import { bench } from "./people.ts";

/** Other ways to write arguments, beside what they mean. */
test.each([
  ["view.setSort", { column: "salary" }, { sort: { key: "salary", dir: "asc" } }],
  ["view.setSort", { field: "SALARY", direction: "highest" }, { sort: { key: "salary", dir: "desc" } }],
  ["view.setSort", { sortBy: "Start date", order: "Newest first" }, { sort: { key: "hired", dir: "desc" } }],
  [
    "view.setSort",
    { sort: { field: "name", direction: "descending" } },
    { sort: { key: "name", dir: "desc" } },
  ],
  ["view.setSort", { key: "start_date", dir: "ASC" }, { sort: { key: "hired", dir: "asc" } }],
  ["view.setSort", { sort: "name", desc: true }, { sort: { key: "name", dir: "desc" } }],
  ["view.setSearch", { search: "ana" }, { query: "ana" }],
  ["view.setGroupBy", { groupBy: "Team" }, { groupBy: "team" }],
  ["view.setGroupBy", { column: "TEAM" }, { groupBy: "team" }],
  ["view.setAggregations", { aggregations: { Salary: "Average" } }, { applied: { salary: "avg" } }],
  ["view.setAggregations", { column: "salary", operation: "SUM" }, { applied: { salary: "sum" } }],
  ["view.setAggregations", { remove: "salary" }, { applied: {} }],
  ["view.pinColumn", { column: "Name", edge: "start" }, { ok: true }],
  ["view.hideColumn", { column: "team" }, { key: "team", hidden: true }],
  ["view.pinRow", { key: "p1", edge: "top" }, { rowKey: "p1" }],
  ["rows.resolve", { key: "p1" }, { rowKey: "p1" }],
  ["view.setSelection", { rowKeys: ["p1"] }, { selected: 1 }],
  ["views.apply", { id: "PAID" }, { viewId: "paid" }],
  ["export.run", { type: "CSV" }, { format: "csv" }],
  ["edit.cells", { column: "Salary", value: 1, key: "p1" }, { applied: true }],
  ["edit.cells", { edits: { field: "salary", newValue: 1, position: 1 } }, { applied: true }],
  ["edit.cells", { column: "team", value: "operations", rowKey: "p1" }, { proposals: [{ after: "ops" }] }],
  ["rows.add", { row: { Name: "Gus" } }, { proposals: [{ after: { name: "Gus" } }] }],
  ["rows.delete", { rowKey: "p1" }, { applied: true }],
  ["rows.delete", { rowKeys: ["p1", "p2"] }, { applied: true, results: [{ ok: true }, { ok: true }] }],
  ["rows.reorder", { from: "p1", to: "p2" }, { ran: true }],
])("%s %j", async (key, args, meaning) => {
  const { run } = bench();
  expect((await run(key, args)).result).toMatchObject(meaning);
});

/** Filters as people and models write them, beside the bag they come to. */
test.each([
  [{ team: "core" }, { team: "core" }],
  [{ Team: "CORE" }, { team: "core" }],
  [{ team: "Operations" }, { team: "ops" }],
  [{ name: "an" }, { name: "an", nameOp: "contains" }],
  [
    { name: "an", nameOp: "starts with" },
    { name: "an", nameOp: "startsWith" },
  ],
  [{ salaryMin: 70_000 }, { salaryMin: "70000", salaryOp: "gte" }],
  [
    { salaryMin: "70000", salaryMax: "9e4" },
    { salaryMin: "70000", salaryMax: "90000", salaryOp: "between" },
  ],
  [
    { salaryMax: 5, salaryOp: "<" },
    { salaryMax: "5", salaryOp: "lt" },
  ],
  [{ salary: 70_000 }, { salaryMin: "70000", salaryOp: "eq" }],
  [{ salary: [1, 2] }, { salary: ["1", "2"], salaryOp: "in" }],
  [{ salary: { gt: 5 } }, { salaryMin: "5", salaryOp: "gt" }],
  [{ salary: { op: ">=", value: 5 } }, { salaryMin: "5", salaryOp: "gte" }],
  [{ salary: { min: 1, max: 2 } }, { salaryMin: "1", salaryMax: "2", salaryOp: "between" }],
  [{ active: true }, { active: "true" }],
  [{ active: "No" }, { active: "false" }],
  [{ tags: "lead" }, { tags: ["lead"] }],
  [{ tags: ["Lead", "mentor"] }, { tags: ["lead", "mentor"] }],
  [{ hiredFrom: "2026-01-01" }, { hiredFrom: "2026-01-01", hiredOp: "on" }],
  [
    { hiredFrom: "2026-01-01", hiredTo: "2026-02-01" },
    { hiredFrom: "2026-01-01", hiredTo: "2026-02-01", hiredOp: "between" },
  ],
  [{ hiredOp: "empty" }, { hiredOp: "empty" }],
  [{ team: "" }, {}],
  [{}, {}],
  [[], {}],
  [{ key: "team", value: "core" }, { team: "core" }],
  [
    { column: "Start date", operator: "since", value: "2026-01-01" },
    { hiredFrom: "2026-01-01", hiredOp: "gte" },
  ],
  [[{ key: "hired", op: "before", value: "2026-01-01" }], { hiredTo: "2026-01-01", hiredOp: "before" }],
  [[{ key: "hired", op: ">", value: "2026-01-01T10:00:00Z" }], { hiredFrom: "2026-01-01", hiredOp: "after" }],
  [[{ key: "hired", op: "=", value: "this week" }], { hiredFrom: "thisWeek", hiredOp: "relative" }],
  [[{ key: "hired", op: "relative", value: "last 7 days" }], { hiredFrom: "last:7", hiredOp: "relative" }],
  [[{ key: "hired", value: "last month" }], { hiredFrom: "previousMonth", hiredOp: "relative" }],
  [[{ key: "team", op: "in", value: ["core"] }], { team: "core" }],
  [[{ key: "tags", op: "is", value: "lead" }], { tags: ["lead"] }],
  [
    [{ key: "salary", op: "between", value: [1, 2] }],
    { salaryMin: "1", salaryMax: "2", salaryOp: "between" },
  ],
  [
    [
      { key: "salary", op: "<=", value: 2 },
      { key: "salary", op: ">=", value: 1 },
    ],
    { salaryMin: "1", salaryMax: "2", salaryOp: "between" },
  ],
  [[{ key: "salary", op: "not in", value: [1] }], { salary: ["1"], salaryOp: "notIn" }],
  [[{ key: "name", op: "is not", value: "x" }], { name: "x", nameOp: "neq" }],
  [
    [
      { key: "team", value: "core" },
      { key: "active", value: false },
    ],
    { team: "core", active: "false" },
  ],
])("filters %j", async (filters, bag) => {
  const { run } = bench();
  const { result, error } = await run("view.setFilters", { filters });
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ filters: bag });
  expect((result as { filters: object }).filters).toEqual(bag);
});

test.each([
  [{ wage: 1 }, 'there is no filter "wage": there are name, team, salary, active, hired, tags'],
  [{ team: "legal" }, 'filter "team" has no option "legal": it has core, ops, sales'],
  [{ team: ["core", "ops"] }, 'filter "team" with eq takes one value, not 2'],
  [[{ key: "team", op: "gt", value: "core" }], 'filter "team" has no operator "gt": it has eq'],
  [{ salaryMin: "lots" }, 'filter "salary" takes numbers, not "lots"'],
  [{ salaryMin: 1, salaryOp: "lt" }, '"salaryMin" means nothing with the operator lt'],
  [{ hiredFrom: "2026-02-30" }, 'filter "hired" takes days as YYYY-MM-DD, not "2026-02-30"'],
  [{ active: "maybe" }, 'filter "active" takes "true" or "false", not "maybe"'],
  [[{ key: "salary", op: "gt" }], 'filter "salary" with gt needs a value'],
  [
    [{ key: "salary", op: "between", value: [1] }],
    'filter "salary" with between needs a list of two values, the lower first',
  ],
  [
    [
      { key: "salary", op: "gt", value: 1 },
      { key: "salary", op: "lt", value: 5 },
    ],
    'filter "salary" is set twice: use one condition, such as between for two bounds',
  ],
  [[{ key: "salary", op: "gt", value: 1, and: 2 }], 'a condition has key, op and value, not "and"'],
  [["core"], "each condition must be an object { key, op, value }"],
])("filters %j are refused", async (filters, message) => {
  const { run, host } = bench();
  expect((await run("view.setFilters", { filters })).error).toEqual({ code: "invalid-arguments", message });
  expect(host.view().filters).toEqual({});
});

test("a name that fits two columns is asked about, not guessed", async () => {
  const { run } = bench(
    {},
    {
      columns: [
        { id: "first", label: "Name", type: "string" },
        { id: "last", label: "name", type: "string" },
      ],
      filters: [],
    },
  );
  expect((await run("view.setSort", { key: "NAME" })).error?.message).toBe(
    '"NAME" could be any of first, last: use the id',
  );
  expect((await run("view.setSort", { key: "last" })).ok).toBe(true);
});
