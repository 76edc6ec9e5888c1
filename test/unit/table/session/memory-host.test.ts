import { describe, expect, test } from "vitest";
import { relativeDays } from "../../../../src/table/session/memory/relative-days.ts";
import { memoryTableHost } from "../../../../src/table/session/memory-host.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, keysOf, peopleHost } from "./people.ts";

describe("filters", () => {
  test.each([
    // Text, letter case aside.
    [{ name: "o" }, "p2 p3 p4 p5 p6"],
    [{ name: "Li", nameOp: "notContains" }, "p1 p3 p4 p5 p6"],
    [{ name: "ana ruiz", nameOp: "eq" }, "p1"],
    [{ name: "ana ruiz", nameOp: "neq" }, "p2 p3 p4 p5 p6"],
    [{ name: "e", nameOp: "startsWith" }, "p5"],
    [{ name: "W", nameOp: "endsWith" }, "p3"],
    [{ nameOp: "empty" }, ""],
    [{ nameOp: "notEmpty" }, "p1 p2 p3 p4 p5 p6"],
    // Numbers; what is empty is in no range.
    [{ salaryMin: "70000", salaryOp: "eq" }, "p2 p5"],
    [{ salaryMin: "70000", salaryOp: "neq" }, "p1 p3 p4 p6"],
    [{ salaryMin: "80000", salaryOp: "gt" }, "p3"],
    [{ salaryMin: "80000", salaryOp: "gte" }, "p1 p3"],
    [{ salaryMin: 80_000 }, "p1 p3"],
    [{ salaryMax: "70000", salaryOp: "lt" }, "p4"],
    [{ salaryMax: "70000", salaryOp: "lte" }, "p2 p4 p5"],
    [{ salaryMin: "60000", salaryMax: "70000", salaryOp: "between" }, "p2 p4 p5"],
    [{ salary: ["60000", "95000"], salaryOp: "in" }, "p3 p4"],
    [{ salary: ["60000", "95000"], salaryOp: "notIn" }, "p1 p2 p5 p6"],
    [{ salaryMin: "1", salaryOp: "lt" }, "p1 p2 p3 p4 p5 p6"],
    // Days; today is Monday 2026-11-30.
    [{ hiredFrom: "2026-11-02" }, "p1"],
    [{ hiredTo: "2025-01-15", hiredOp: "before" }, "p5"],
    [{ hiredFrom: "2026-10-20", hiredOp: "after" }, "p1 p4"],
    [{ hiredFrom: "2026-10-20", hiredOp: "gte" }, "p1 p3 p4"],
    [{ hiredTo: "2025-01-15", hiredOp: "lte" }, "p2 p5"],
    [{ hiredFrom: "2025-01-01", hiredTo: "2026-10-31", hiredOp: "between" }, "p2 p3"],
    [{ hiredFrom: "today", hiredOp: "relative" }, "p4"],
    [{ hiredFrom: "thisWeek", hiredOp: "relative" }, "p4"],
    [{ hiredFrom: "thisMonth", hiredOp: "relative" }, "p1 p4"],
    [{ hiredFrom: "previousMonth", hiredOp: "relative" }, "p3"],
    [{ hiredFrom: "last:29", hiredOp: "relative" }, "p1 p4"],
    [{ hiredFrom: "last:28", hiredOp: "relative" }, "p4"],
    [{ hiredFrom: "yesterday", hiredOp: "relative" }, ""],
    [{ hiredOp: "empty" }, "p6"],
    // Choices.
    [{ team: "core" }, "p1 p3 p6"],
    [{ active: "false" }, "p2 p5"],
    [{ tags: ["mentor"] }, "p3 p4"],
    [{ tags: ["mentor", "lead"] }, "p1 p3 p4"],
    // Together.
    [{ team: "core", salaryMin: "90000", salaryOp: "gte" }, "p3"],
    [{ nothing: "x" }, "p1 p2 p3 p4 p5 p6"],
  ])("%j", (bag, keys) => {
    const host = peopleHost();
    host.setFilters(bag as JsonObject);
    expect(keysOf(host).join(" ")).toBe(keys);
    expect(host.view().totalRows).toBe(keysOf(host).length);
  });

  test.each([
    ["today", "2026-11-30", "2026-11-30"],
    ["yesterday", "2026-11-29", "2026-11-29"],
    ["tomorrow", "2026-12-01", "2026-12-01"],
    ["thisWeek", "2026-11-30", "2026-12-06"],
    ["thisMonth", "2026-11-01", "2026-11-30"],
    ["previousMonth", "2026-10-01", "2026-10-31"],
    ["last:1", "2026-11-30", "2026-11-30"],
    ["last:7", "2026-11-24", "2026-11-30"],
    ["next:7", "2026-11-30", "2026-12-06"],
  ])("%s on Monday 2026-11-30", (token, from, to) => {
    expect(relativeDays(token, "2026-11-30")).toEqual({ from, to });
  });

  test.each([
    ["2026-12-06", "thisWeek", "2026-11-30", "2026-12-06"],
    ["2027-01-01", "thisWeek", "2026-12-28", "2027-01-03"],
    ["2027-01-31", "previousMonth", "2026-12-01", "2026-12-31"],
    ["2028-03-01", "previousMonth", "2028-02-01", "2028-02-29"],
    ["2028-02-29", "last:366", "2027-03-01", "2028-02-29"],
  ])("on %s %s begins and ends with its calendar", (today, token, from, to) => {
    expect(relativeDays(token, today)).toEqual({ from, to });
  });

  test("a relative filter moves with the day", () => {
    let today = "2026-11-30";
    const host = peopleHost({ today: () => today });
    host.setFilters({ hiredFrom: "today", hiredOp: "relative" });
    expect(keysOf(host)).toEqual(["p4"]);
    today = "2026-11-02";
    expect(keysOf(host)).toEqual(["p1"]);
  });
});

describe("order", () => {
  const host = memoryTableHost({
    columns: [
      { id: "text", label: "Text", type: "string" },
      { id: "flag", label: "Flag", type: "boolean" },
    ],
    rows: ["item 10", "Item 2", "éclair", "zoo", "", "Éclair", "echo", null].map((text, at) => ({
      id: `${at}`,
      text,
      flag: at % 2 === 0,
    })),
  });
  const texts = () => keysOf(host).map((key) => host.findRow(key)?.cells.text);

  test("texts stand as people order them, empty ones last both ways", () => {
    host.setSort({ key: "text", dir: "asc" });
    expect(texts()).toEqual(["echo", "Éclair", "éclair", "Item 2", "item 10", "zoo", "", null]);
    host.setSort({ key: "text", dir: "desc" });
    expect(texts()).toEqual(["zoo", "item 10", "Item 2", "éclair", "Éclair", "echo", "", null]);
  });

  test("equal cells stay as they stood", () => {
    host.setSort({ key: "flag", dir: "asc" });
    expect(keysOf(host)).toEqual(["1", "3", "5", "7", "0", "2", "4", "6"]);
    host.setSort({ key: "flag", dir: "desc" });
    expect(keysOf(host)).toEqual(["0", "2", "4", "6", "1", "3", "5", "7"]);
  });

  test("groups come first, and each keeps the sort", () => {
    const people = peopleHost({ view: { sort: { key: "salary", dir: "desc" }, groupBy: "team" } });
    expect(keysOf(people)).toEqual(["p3", "p1", "p6", "p2", "p5", "p4"]);
    people.setSort({ key: "team", dir: "desc" });
    expect(people.groups().map((group) => group.value)).toEqual(["sales", "ops", "core"]);
  });
});

test("aggregates leave out what is empty", () => {
  const host = peopleHost();
  const totals = (operation: string, column = "salary") => {
    host.setAggregations({ [column]: operation });
    return host.totals()[column];
  };
  expect(["sum", "avg", "min", "max", "median", "count"].map((operation) => totals(operation))).toEqual([
    375_000, 75_000, 60_000, 95_000, 70_000, 5,
  ]);
  expect([totals("min", "hired"), totals("max", "hired"), totals("unique", "team")]).toEqual([
    "2024-06-01",
    "2026-11-30",
    3,
  ]);
  host.setFilters({ team: "core" });
  expect(totals("median")).toBe(87_500);
  host.setFilters({ nameOp: "empty" });
  expect(totals("sum")).toBe(null);
});

test("search looks for numbers and days too, and into named columns only when some are named", () => {
  const host = peopleHost();
  host.setSearch("9500");
  expect(keysOf(host)).toEqual(["p3"]);
  host.setSearch("2026-1");
  expect(keysOf(host)).toEqual(["p1", "p3", "p4"]);
  host.setSearch("(.*");
  expect(keysOf(host)).toEqual([]);
  const named = peopleHost({ searchColumns: ["team"] });
  named.setSearch("o");
  expect(keysOf(named)).toEqual(["p1", "p2", "p3", "p5", "p6"]);
});

test("a page past the end is the last one", () => {
  const host = peopleHost();
  host.setPage({ page: 3, limit: 2 });
  host.deleteRow("p6", { signal: new AbortController().signal });
  host.deleteRow("p5", { signal: new AbortController().signal });
  expect(host.view()).toMatchObject({ page: 2, totalRows: 4 });
});

test("staged edits are seen, not saved, and saved or dropped as the reader says", () => {
  const host = peopleHost({
    refuse: ({ rowKey, cells }) => (rowKey === "p2" && cells.salary === 2 ? "locked" : undefined),
  });
  const signal = new AbortController().signal;
  host.stageCells([{ rowKey: "p1", column: "salary", value: 1 }], { signal });
  host.stageCells([{ rowKey: "p1", column: "name", value: "A" }], { signal });
  expect(host.staged()).toEqual([
    { rowKey: "p1", column: "salary", value: 1 },
    { rowKey: "p1", column: "name", value: "A" },
  ]);
  expect(() => host.stageCells([{ rowKey: "p2", column: "salary", value: 2 }], { signal })).toThrow("locked");
  host.discardStaged();
  expect([host.staged(), host.findRow("p1")?.cells.name]).toEqual([[], "Ana Ruiz"]);
});

test("keys: numbered without one, never given twice, refused when taken", () => {
  const signal = new AbortController().signal;
  const host = memoryTableHost({
    columns: [{ id: "a", label: "A", type: "number" }],
    rows: [{ a: 1 }, { a: 2 }],
  });
  expect(host.allRows().map((row) => row.rowKey)).toEqual(["1", "2"]);
  expect(host.addRow({ a: 3 }, { signal })).toBe("3");
  host.deleteRow("3", { signal });
  expect(host.addRow({ a: 4 }, { signal })).toBe("4");
  expect(() => peopleHost().addRow({ id: "p1" }, { signal })).toThrow('there is a row "p1" already');
  expect(() => memoryTableHost({ columns: [], rows: [{ id: 1 }, { id: "1" }] })).toThrow(
    'two rows have the same "id"',
  );
});

test("CSV marks what a spreadsheet would run, and quotes what it must", async () => {
  const files: { text: string }[] = [];
  const { run } = bench(
    {},
    {
      columns: [
        { id: "id", label: "Id", type: "string" },
        { id: "note", label: "A, note", type: "string" },
        { id: "sum", label: "Sum", type: "number" },
      ],
      filters: [],
      rows: [{ id: "1", note: '=cmd|"x"', sum: -5 }],
      onExport: (file) => files.push(file),
    },
  );
  await run("export.run", { format: "csv" });
  await run("export.run", { format: "json" });
  expect(files.map((file) => file.text)).toEqual([
    'Id,"A, note",Sum\r\n1,"\'=cmd|""x""",-5\r\n',
    '[{"id":"1","note":"=cmd|\\"x\\"","sum":-5}]',
  ]);
});

test("rows that were handed out stay as they were", () => {
  const host = peopleHost();
  const [before] = host.allRows();
  host.applyCells("p1", { salary: 1 }, { signal: new AbortController().signal });
  expect(before?.cells.salary).toBe(80_000);
});

test("100,000 rows are found, ordered and paged without being looked through again", () => {
  let looks = 0;
  const rows = Array.from({ length: 100_000 }, (_, at) =>
    Object.defineProperty({ id: `r${at}`, number: 0 }, "number", {
      enumerable: true,
      get: () => {
        looks += 1;
        return (at * 7919) % 100_003;
      },
    }),
  );
  const host = memoryTableHost({ columns: [{ id: "number", label: "Number", type: "number" }], rows });
  host.setFilters({ numberMin: "50000", numberOp: "gte" });
  host.setSort({ key: "number", dir: "desc" });
  const page = () => host.rows({ scope: "page", offset: 0, limit: 10, columns: ["id"] });
  const first = page();
  expect(first.rows).toHaveLength(10);
  expect(host.rows({ scope: "full", offset: 0, limit: 1, columns: ["number"] }).rows[0]?.cells.number).toBe(
    100_002,
  );
  const looked = looks;
  host.setPage({ page: 4_000, limit: 10 });
  expect(page().rows).toHaveLength(10);
  host.view();
  expect(looks - looked).toBe(0);
});
