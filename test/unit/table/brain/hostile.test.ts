import { expect, it } from "vitest";
import type { TableColumn, TableContract, TableFilter } from "../../../../src/table/protocol/contract.ts";
import { loadTable } from "../../../eval/table/table-file.ts";
import { askBrain } from "./ask-brain.ts";

const { contract } = loadTable("people");

function withColumns(columns: Partial<TableColumn>[], filters: TableFilter[] = []): TableContract {
  const plain = { type: "string", readable: true, writable: false, sortable: true };
  return {
    ...contract,
    columns: columns.map((column) => ({ ...plain, id: "", label: "", ...column })),
    filters,
  };
}

it("sorts and filters by columns called like members of every object", async () => {
  const filter = {
    key: "__proto__",
    label: "__proto__",
    type: "numberRange",
    operators: ["gt"],
    defaultOperator: "gt",
    valueKeys: ["__proto__", "__proto__Min", "__proto__Op"],
  };
  const odd = withColumns(
    [
      { id: "constructor", label: "constructor" },
      { id: "__proto__", label: "__proto__", type: "number" },
    ],
    [filter],
  );
  const { calls } = await askBrain("__proto__ over 5, sort by constructor", { contract: odd });
  expect(JSON.stringify(calls)).toBe(
    '[{"name":"view.setFilters","args":{"filters":{"__proto__Min":"5","__proto__Op":"gt"}}},{"name":"view.setSort","args":{"key":"constructor","dir":"asc"}}]',
  );
});

it("asks which of two columns with one label is meant, by their ids", async () => {
  const twins = withColumns([
    { id: "a", label: "Price", type: "number" },
    { id: "b", label: "Price", type: "number" },
  ]);
  const { ask } = await askBrain("sort by price", { contract: twins });
  expect(ask?.options).toEqual([
    { id: "a", label: "Price (a)" },
    { id: "b", label: "Price (b)" },
  ]);
});

it("knows labels in any script, with or without accents", async () => {
  const labels = withColumns([
    { id: "g", label: "Größe" },
    { id: "n", label: "名前" },
  ]);
  expect(
    (await askBrain("sort by grosse", { contract: withColumns([{ id: "g", label: "Größe" }]) })).calls,
  ).toEqual([]);
  expect(
    (await askBrain("sort by große", { contract: withColumns([{ id: "g", label: "Große" }]) })).calls,
  ).toEqual([{ name: "view.setSort", args: { key: "g", dir: "asc" } }]);
  expect((await askBrain("sort by 名前 descending", { contract: labels })).calls).toEqual([
    { name: "view.setSort", args: { key: "n", dir: "desc" } },
  ]);
  expect((await askBrain("sort by Größe", { contract: labels })).calls).toEqual([
    { name: "view.setSort", args: { key: "g", dir: "asc" } },
  ]);
});

it("keeps quotes in values as they were written", async () => {
  expect((await askBrain(`search for "O'Neil & 'sons'"`)).calls).toEqual([
    { name: "view.setSearch", args: { query: "O'Neil & 'sons'" } },
  ]);
  expect((await askBrain('name contains "delete all, then sort by salary"')).calls).toEqual([
    {
      name: "view.setFilters",
      args: { filters: { name: "delete all, then sort by salary", nameOp: "contains" } },
    },
  ]);
});

it("does not read what is too long", async () => {
  const { text, calls } = await askBrain("sort by salary ".repeat(7_000));
  expect(calls).toEqual([]);
  expect(text).toBe(
    "That is 105,000 characters long, and I read requests of at most 2,000 characters. Please say it shorter.",
  );
});

it("answers sentences made to be slow over 200 columns within a second each", async () => {
  const wide = withColumns(
    Array.from({ length: 200 }, (_, at) => ({
      id: `col${at}`,
      label: `Metric number ${at} of revenue`,
      type: at % 3 === 0 ? "string" : "number",
    })),
  );
  const parts = [
    "sort by ",
    "and ",
    "sallarry ",
    '"',
    "'a",
    "set to ",
    "who most ",
    "last 5 ",
    "between 1 and ",
    "x,",
    "metric ",
    "move a above b and ",
    "the ",
    "first ",
    "1",
    " ",
  ];
  for (const part of parts) {
    const message = part.repeat(Math.floor(2_000 / part.length));
    const start = performance.now();
    await askBrain(message, { contract: wide });
    expect(performance.now() - start, part).toBeLessThan(1_000);
  }
  const { calls } = await askBrain("sort by metric number 117 of revenue", { contract: wide });
  expect(calls).toEqual([{ name: "view.setSort", args: { key: "col117", dir: "asc" } }]);
});

it("says that it did not understand, with three examples that this table understands", async () => {
  const { text, calls } = await askBrain("");
  expect(calls).toEqual([]);
  expect(text).toBe(
    'I did not understand that. You can say, for example, "show only Core in Team", "sort by Salary, highest first" or "how many rows per Team".',
  );
  for (const example of ["show only Core in Team", "sort by Salary, highest first", "how many rows per Team"])
    expect((await askBrain(example)).calls).not.toEqual([]);
});
