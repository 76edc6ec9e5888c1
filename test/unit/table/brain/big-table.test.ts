import { describe, expect, it } from "vitest";
import {
  createAgentHttpClient,
  createTableSession,
  embeddedBrain,
  localBackend,
  type MemoryTableHost,
  memoryTableHost,
  type TableSession,
} from "../../../../src/table/index.ts";
import type { AskUser } from "../../../../src/table/protocol/messages.ts";

const cities = ["Berlin", "Lisbon", "London", "Paris"];
const count = 10_000;

/** Ten thousand people of whom a few have names of their own, far behind what one turn can read. */
function standing(
  view: Record<string, unknown> = {},
  { nameFilter = false } = {},
): { host: MemoryTableHost; session: TableSession } {
  const named: Record<number, string> = {
    6000: "Bena Marsh",
    6500: "Rubens Vale",
    7500: "Tom Rubens",
    7000: "Benedikt Stone",
    7001: "Ben Okafor",
    8000: "Clara Voss",
    8500: "Max Berg",
    9000: "Max Ruiz",
  };
  const host = memoryTableHost({
    tableId: "people",
    columns: [
      { id: "name", label: "Name", type: "string", writable: true },
      { id: "city", label: "City", type: "string", writable: true },
      { id: "salary", label: "Salary", type: "number", writable: true },
    ],
    rows: Array.from({ length: count }, (_, at) => ({
      id: `e${at}`,
      name: named[at] ?? `Pat Number${at}`,
      city: cities[at % cities.length] ?? "",
      salary: 50_000 + at,
    })),
    rowKey: "id",
    filters: [
      {
        key: "city",
        label: "City",
        type: "select",
        options: cities.map((value) => ({ value, label: value })),
      },
      ...(nameFilter ? [{ key: "name", label: "Name", type: "text" as const }] : []),
    ],
    view,
    pageSizes: [10, 25],
    today: () => "2026-11-18",
  });
  const session = createTableSession(host, {
    policy: { write: "allow", approval: "writes", commit: "immediate" },
    approve: () => true,
    limits: { readMax: 500 },
  });
  return { host, session };
}

function say(
  session: TableSession,
  message: string,
  { returnResults = true, answer }: { returnResults?: boolean; answer?: string } = {},
) {
  const asked: AskUser[] = [];
  const client = createAgentHttpClient({
    endpoint: "https://table.example/agent",
    fetch: localBackend(embeddedBrain(), { today: () => "2026-11-18" }),
  });
  const turn = client.send(session, message, {
    returnResults,
    askUser: async (question) => {
      asked.push(question);
      const option = question.options?.find(({ label }) => label === answer);
      return option === undefined ? { text: answer ?? "never mind" } : { optionId: option.id };
    },
  });
  return turn.then((report) => ({ ...report, asked }));
}

describe("a row named in a table of ten thousand", () => {
  it("is found by a search that is put back, with sort, filter and page as they were", async () => {
    const view = { sort: { key: "name", dir: "desc" }, filters: { city: "Lisbon" }, page: 3 };
    const { host, session } = standing(view);
    const before = host.view();
    const { text, keys } = await say(session, "raise Ben to 90k");
    expect(keys).toEqual(["view.setSearch", "rows.read", "view.setSearch", "view.setPage", "edit.cells"]);
    expect(host.findRow("e7001")?.cells.salary).toBe(90_000);
    expect(host.findRow("e7000")?.cells.salary).toBe(57_000);
    expect(host.view()).toEqual(before);
    expect(text).toBe(
      'Asking to change Salary of Ben Okafor (57,001 to 90,000). I looked for "Ben" and put the table back as it was.',
    );
  });

  it("is found with a search set that does not show it, which stays set", async () => {
    const { host, session } = standing({ search: "Number12" });
    await say(session, "delete Clara Voss");
    expect(host.findRow("e8000")).toBeUndefined();
    expect(host.view().search).toBe("Number12");
  });

  it("may be one of several: each is looked for in one plan", async () => {
    const { host, session } = standing();
    const { keys } = await say(session, "raise Ben to 90k and delete Clara");
    expect(keys).toEqual([
      "view.setSearch",
      "rows.read",
      "view.setSearch",
      "rows.read",
      "view.setSearch",
      "edit.cells",
      "rows.delete",
    ]);
    expect([host.findRow("e7001")?.cells.salary, host.findRow("e8000")]).toEqual([90_000, undefined]);
  });

  it("runs the view's part of the sentence once, after the search", async () => {
    const { host, session } = standing();
    await say(session, "only Berlin, highest salary first, and raise Pat Number4 to 99k");
    expect(host.view()).toMatchObject({
      filters: { city: "Berlin" },
      sort: { key: "salary", dir: "desc" },
      search: "",
    });
    expect(host.findRow("e4")?.cells.salary).toBe(99_000);
  });

  it("is asked about when several fit", async () => {
    const { host, session } = standing();
    const { asked } = await say(session, "raise Max to 90k", { answer: "Max Ruiz" });
    expect(asked.map(({ options }) => options?.map(({ label }) => label))).toEqual([
      ["Max Berg", "Max Ruiz"],
    ]);
    expect(host.findRow("e9000")?.cells.salary).toBe(90_000);
    expect(host.findRow("e8500")?.cells.salary).toBe(58_500);
  });

  it("is changed twice with one search where the second change does not name it", async () => {
    const { host, session } = standing();
    const { keys } = await say(session, "move Clara to Paris and set the salary to 100k");
    expect(keys).toEqual(["view.setSearch", "rows.read", "view.setSearch", "edit.cells"]);
    expect(host.findRow("e8000")?.cells).toMatchObject({ city: "Paris", salary: 100_000 });
  });

  it("can be pinned", async () => {
    const { host, session } = standing();
    await say(session, "pin Clara to the top");
    expect(host.view().pinnedRows).toMatchObject({ top: ["e8000"] });
  });

  it("is not there: all rows were looked through", async () => {
    const { host, session } = standing();
    const { text, keys } = await say(session, "raise Zoltan to 90k");
    expect(keys).toEqual(["view.setSearch", "rows.read", "view.setSearch"]);
    expect(text).toContain('There is no row for "Zoltan".');
    expect(host.view().search).toBe("");
  });

  it("is not guessed of more than were read", async () => {
    const { session } = standing();
    const { text, keys } = await say(session, "raise Pat to 90k");
    expect(keys).not.toContain("edit.cells");
    expect(text).toContain('At least 200 rows contain "Pat". Say the whole name, or filter the table first.');
  });

  it("leaves the view alone for a client that tells no results, and claims nothing", async () => {
    const { host, session } = standing({ page: 2 });
    const before = host.view();
    const { text } = await say(session, "raise Ben to 90k", { returnResults: false });
    expect(host.view()).toEqual(before);
    expect(host.findRow("e7001")?.cells.salary).toBe(57_001);
    expect(text).toContain("Nothing else is changed by that yet.");
  });

  it("is only looked for in what was read where the table has no search", async () => {
    const { host } = standing();
    const session = createTableSession(host, {
      policy: { write: "allow", approval: "writes", commit: "immediate" },
      approve: () => true,
      limits: { readMax: 500 },
      excludeCapabilities: ["view.setSearch"],
    });
    const { text, keys } = await say(session, "raise Ben to 90k");
    expect(keys).toEqual([]);
    expect(text).toBe('There is no row for "Ben" among the 500 rows I could read of 10000.');
  });
});

describe("a row named in a table whose naming column has a filter", () => {
  it("is found where a word begins with the name, and the filters are put back", async () => {
    const view = { filters: { city: "Lisbon" }, page: 3 };
    const { host, session } = standing(view, { nameFilter: true });
    const before = host.view();
    const { text, keys } = await say(session, "raise Ben to 90k");
    const read = ["view.setFilters", "rows.read"];
    expect(keys).toEqual([...read, ...read, "view.setFilters", "view.setPage", "edit.cells"]);
    expect(host.findRow("e7001")?.cells.salary).toBe(90_000);
    expect(host.view()).toEqual(before);
    expect(text).toBe(
      'Asking to change Salary of Ben Okafor (57,001 to 90,000). I looked for "Ben" and put the table back as it was.',
    );
  });

  it("is found by its second word", async () => {
    const { host, session } = standing({}, { nameFilter: true });
    await say(session, "raise Okafor to 90k");
    expect(host.findRow("e7001")?.cells.salary).toBe(90_000);
  });

  it("is looked for in the whole row where no name begins so, with what was found of the others", async () => {
    const { host, session } = standing({}, { nameFilter: true });
    const { text, keys } = await say(session, "raise Clara to 90k and delete Zoltan");
    expect(keys.filter((key) => key === "view.setSearch")).toHaveLength(3);
    expect(host.findRow("e8000")?.cells.salary).toBe(90_000);
    expect(text).toContain('There is no row for "Zoltan".');
    expect(host.view()).toMatchObject({ search: "", filters: {} });
  });

  it("is not guessed where the name is set to something else already: the search looks", async () => {
    const { host, session } = standing({ filters: { name: "a", nameOp: "contains" } }, { nameFilter: true });
    const { keys } = await say(session, "raise Ben to 90k");
    expect(keys).toEqual(["view.setSearch", "rows.read", "view.setSearch", "edit.cells"]);
    expect(host.view().filters).toEqual({ name: "a", nameOp: "contains" });
  });
});

describe("a count of ten thousand rows", () => {
  it("says of how many rows it is and changes no view", async () => {
    const { host, session } = standing();
    const before = host.view();
    const { text, keys } = await say(session, "how many in Berlin?");
    expect(keys).toEqual([]);
    expect(host.view()).toEqual(before);
    expect(text).toBe(
      "Based on the first 500 of 10,000 rows: 125 rows where City is Berlin. To have the table count all rows, show only those first and ask again.",
    );
  });

  it("of a sum by value becomes groups of the view, which count all rows", async () => {
    const { host, session } = standing();
    const { text, keys } = await say(session, "salary by city");
    expect(keys).toEqual(["view.setGroupBy", "view.setAggregations"]);
    expect(host.view().groupBy).toBe("city");
    expect(text).toMatch(/^Grouping by City; showing the \p{L}+ of Salary\.$/u);
  });

  it("is the table's own once it shows just those rows", async () => {
    const { session } = standing({ filters: { city: "Berlin" } });
    expect((await say(session, "how many in Berlin?")).text).toBe("2,500 rows where City is Berlin.");
    expect((await say(session, "how many in Paris?")).text).not.toContain("2,500");
  });
});
