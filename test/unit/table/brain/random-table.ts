import * as fc from "fast-check";
import type { TableColumn, TableContract, TableFilter } from "../../../../src/table/protocol/contract.ts";

const keys = [
  "view.setPage",
  "view.setSort",
  "view.setSearch",
  "view.setFilters",
  "view.setGroupBy",
  "view.setAggregations",
  "view.pinColumn",
  "view.hideColumn",
  "view.setColumnOrder",
  "view.pinRow",
  "view.setSelection",
  "views.apply",
  "rows.read",
  "export.run",
  "edit.cells",
  "rows.add",
  "rows.delete",
  "rows.reorder",
  "rowAction.archive",
  "bulkAction.close",
];
const names = [
  "name",
  "team",
  "salary",
  "Start date",
  "remote",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "Größe",
  "名前",
  "status",
  "total",
  "due date",
  "it's",
  'say "hi"',
  "a-b",
  "Order",
  "",
  " ",
  "🙂",
  "notes",
  "number",
  "date",
  "the",
  "and",
];
const operators: Record<string, string[]> = {
  text: ["eq", "neq", "contains", "notContains", "startsWith", "empty", "notEmpty"],
  numberRange: ["eq", "gt", "gte", "lt", "lte", "between"],
  dateRange: ["before", "after", "on", "gte", "lte", "between", "relative", "empty"],
  select: ["eq"],
  multiSelect: ["in"],
  boolean: ["eq"],
};
const suffixes: Record<string, string[]> = {
  text: ["", "Op"],
  numberRange: ["Min", "Max", "Op"],
  dateRange: ["From", "To", "Op"],
};

const column: fc.Arbitrary<TableColumn> = fc.record({
  id: fc.constantFrom(...names.filter((name) => name.trim() !== "")),
  label: fc.constantFrom(...names),
  type: fc.constantFrom("string", "number", "boolean", "date", "money"),
  readable: fc.boolean(),
  writable: fc.boolean(),
  sortable: fc.boolean(),
});

function filterOf(type: string, { id, label }: TableColumn, values: string[], some: number): TableFilter {
  const offered = operators[type] ?? ["eq"];
  return {
    key: id,
    label,
    type,
    operators: offered.slice(0, Math.max(1, offered.length - some)),
    defaultOperator: offered[0] ?? "eq",
    valueKeys: (suffixes[type] ?? [""]).map((suffix) => `${id}${suffix}`),
    ...(type === "select" || type === "multiSelect"
      ? { options: values.map((value) => ({ value, label: value })) }
      : {}),
  };
}

/** Contracts of any shape a host may send: names of prototypes, equal labels, no capability at all. */
export const contracts: fc.Arbitrary<TableContract> = fc
  .record({
    columns: fc.uniqueArray(column, { selector: ({ id }) => id, maxLength: 8 }),
    types: fc.array(fc.constantFrom(...Object.keys(operators)), { minLength: 8, maxLength: 8 }),
    values: fc.uniqueArray(
      fc.constantFrom("Core", "Sales", "New", "open", "New York", "__proto__", "constructor"),
      { maxLength: 5 },
    ),
    some: fc.integer({ min: 0, max: 5 }),
    filtered: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    capabilities: fc.subarray(keys),
    write: fc.constantFrom("deny" as const, "allow" as const),
    commit: fc.constantFrom("stage" as const, "immediate" as const),
    approval: fc.constantFrom("writes" as const, "destructive" as const, "never" as const),
    fullDataset: fc.boolean(),
    readMax: fc.integer({ min: 1, max: 50 }),
    grouping: fc.constantFrom("client", false as const),
  })
  .map(
    ({
      columns,
      types,
      values,
      some,
      filtered,
      capabilities,
      write,
      commit,
      approval,
      fullDataset,
      readMax,
      grouping,
    }) => ({
      tableId: "things",
      version: "1",
      capabilities: capabilities.map((key) => ({ key, summary: key })),
      columns,
      filters: columns.flatMap((one, index) =>
        filtered[index] && one.readable ? [filterOf(types[index] ?? "text", one, values, some)] : [],
      ),
      aggregations: {
        columns: columns.slice(0, 2).map(({ id }) => ({ id, operations: [{ id: "sum", label: "Sum" }] })),
        active: [],
      },
      rowAddressing: { scope: "page" as const, key: "rowKey" as const },
      limits: { pageMax: 50, readMax },
      policy: { write, approval, commit },
      source: { fullDataset, grouping, selectAcrossPages: false, exportScope: "page", totalCount: null },
    }),
  );

const words = (
  "only show the Core team Sales New York open sort by salary highest first last next page 5 80k over under between and or not but , . ? : \" ' how many who earns most average total " +
  "raise Ana to 90k set status of make remote delete add new row archive close select hide pin move column top group per export csv undo clear filters search for last month this week since 2024 before Friday " +
  "constructor __proto__ toString name team date due Größe 名前 it's everyone give 5% more by Zoë 1,000 $20 T-12 empty contains starts with is which what when where count rows it them"
).split(" ");

const templates = [
  "sort by C descending",
  "only V",
  "C over N",
  "C is V",
  "group by C and show the sum of C",
  "set R's C to V",
  "set C of R to N",
  "give everyone in V N% more",
  "raise R to N",
  "make R C",
  "hide C",
  "pin C and hide C",
  "move C after C",
  "delete R",
  "delete all where C is V",
  "add R with C N",
  "how many rows per C",
  "which rows have C under N",
  "what is the C of R",
  "who has the highest C",
  "archive R",
  "close all V",
  "select R and close them",
  "move R above R",
  "pin R to the top",
  "show only C and C columns",
  "C in the last 30 days",
  "without C",
  "not V",
  "remove the C filter",
  "clear the C of R",
  "C contains V",
  "N per page",
  "average C",
  "export as csv",
  "C between N and N",
  "next page and sort by C",
];
const filled = fc
  .tuple(fc.constantFrom(...templates), fc.array(fc.nat(99), { minLength: 6, maxLength: 6 }))
  .map(([template, picks]) => {
    let at = 0;
    const pick = (from: readonly string[]) => from[(picks[at++ % picks.length] ?? 0) % from.length] ?? "";
    const values = [
      "Core",
      "Sales",
      "New",
      "open",
      "New York",
      "Core or Sales",
      "yes",
      "tomorrow",
      "__proto__",
      "'x'",
    ];
    const rows = ["Ana", "it", "row 2", "the first row", "Core", "everyone", "R-1", "constructor"];
    const numbers = ["5", "80k", "0", "-3", "1e9", "3.5", "12,000"];
    return template.replace(/\b[CVNR]\b/g, (slot) =>
      pick(slot === "C" ? names : slot === "V" ? values : slot === "N" ? numbers : rows),
    );
  });

/** Sentences made of words that mean something to the interpreter, in any order, with some that mean nothing. */
export const sentences: fc.Arbitrary<string> = fc.oneof(
  filled,
  fc.tuple(filled, filled).map((said) => said.join(" and ")),
  fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((said) => said.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 })), { maxLength: 10 })
    .map((said) => said.join(" ")),
);
