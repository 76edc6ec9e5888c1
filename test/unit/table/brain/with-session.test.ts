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
import { loadRequests, type TableRequest } from "../../../eval/table/requests.ts";
import { type EvalTable, loadTable } from "../../../eval/table/table-file.ts";

/** One of the tables as a host in memory, under a session that lets everything through its contract permits. */
function standing(
  table: EvalTable,
  view: Record<string, unknown> = {},
): { host: MemoryTableHost; session: TableSession } {
  const { contract, rows, today } = table;
  const offered = new Set(contract.capabilities.map(({ key }) => key));
  const ran: string[] = [];
  const host = memoryTableHost({
    tableId: contract.tableId,
    columns: contract.columns.map(({ pinnable, hideable, visible, ...column }) => ({
      ...column,
      nullable: true,
    })),
    rows: rows.map(({ rowKey, cells }) => ({ ...cells, rowKey })),
    rowKey: "rowKey",
    filters: contract.filters.map(({ key, label, type, options }) => ({
      key,
      label,
      type,
      ...(options === undefined ? {} : { options }),
    })),
    view,
    pageSizes: table.view.pageSizeOptions,
    today: () => today,
    actions: [
      {
        key: "archive",
        label: "Archive",
        scope: "row" as const,
        kind: "write" as const,
        run: (keys: string[]) => void ran.push(...keys),
      },
      {
        key: "escalate",
        label: "Escalate",
        scope: "row" as const,
        kind: "write" as const,
        run: (keys: string[]) => void ran.push(...keys),
      },
      {
        key: "close",
        label: "Close",
        scope: "bulk" as const,
        kind: "write" as const,
        run: (keys: string[]) => void ran.push(...keys),
      },
    ].filter(({ key, scope }) => offered.has(`${scope}Action.${key}`)),
    savedViews: ["late-orders", "big-accounts", "my-queue", "sla-risk"].map((id) => ({
      id,
      label: id,
      view: {},
    })),
  });
  const session = createTableSession(host, {
    policy: contract.policy,
    approve: () => true,
    limits: { readMax: contract.limits.readMax },
    excludeCapabilities: optional.filter((key) => !offered.has(key)),
  });
  return { host, session };
}

/** What the memory host always has and a table may not offer. */
const optional = [
  "view.setGroupBy",
  "view.setAggregations",
  "view.setSelection",
  "views.apply",
  "export.run",
  "edit.cells",
  "rows.add",
  "rows.delete",
  "rows.reorder",
  "view.pinRow",
  "view.setColumnOrder",
];

/** The view a request starts from, as a memory table has it. */
function startOf({ view }: TableRequest): Record<string, unknown> {
  const { sortBy, sortDir, pinnedColumns, ...rest } = view;
  const pinned =
    pinnedColumns === undefined ? {} : { pinnedColumns: { start: [], end: [], ...Object(pinnedColumns) } };
  return {
    ...rest,
    ...pinned,
    ...(typeof sortBy === "string" ? { sort: { key: sortBy, dir: sortDir } } : {}),
  };
}

function ask(
  session: TableSession,
  today: string,
  message: string,
  answer: string | undefined,
  conversation: string[] = [],
) {
  const client = createAgentHttpClient({
    endpoint: "https://table.example/agent",
    fetch: localBackend(embeddedBrain(), { today: () => today }),
  });
  return client.send(session, message, {
    conversation: conversation.map((text) => ({ role: "user" as const, text })),
    askUser: async ({ options = [] }) => {
      const option = options.find(({ label }) => label === answer);
      return option === undefined ? { text: answer ?? "never mind" } : { optionId: option.id };
    },
  });
}

describe.each(["people", "orders", "support"] as const)("the table of %s under its session", (name) => {
  it("runs every plan that the brain makes of the requests", async () => {
    const refused: string[] = [];
    let ran = 0;
    for (const request of loadRequests("seen").filter(
      ({ table }, index) => table === name && index % 2 === 0,
    )) {
      const table = loadTable(name, request.contract);
      const { session } = standing(table, startOf(request));
      const { results, keys, unresolved } = await ask(
        session,
        table.today,
        request.say,
        request.answer,
        request.conversation,
      );
      ran += results.length;
      results.forEach(({ ok, error }, index) => {
        // The table alone knows how many pages are left once a filter is set.
        if (!ok && !error?.message.includes("past the last page"))
          refused.push(`${request.id} ${request.say}: ${keys[index]} ${error?.message}`);
      });
      if (unresolved !== undefined) refused.push(`${request.id} ${request.say}: ${unresolved.code}`);
      session.close();
    }
    expect(refused).toEqual([]);
    expect(ran).toBeGreaterThan(30);
  }, 60_000);
});

it("filters, sorts and raises Ana in one sentence, through client, backend and session", async () => {
  const table = loadTable("people");
  const { host, session } = standing(table);
  const report = await ask(
    session,
    table.today,
    "only the Core team, highest salary first, and raise Ana to 90k",
    undefined,
  );
  expect(report.keys).toEqual(["view.setFilters", "view.setSort", "edit.cells"]);
  expect(host.view()).toMatchObject({
    filters: { team: ["Core"] },
    sort: { key: "salary", dir: "desc" },
    totalRows: 6,
  });
  expect(host.findRow("e1")?.cells.salary).toBe(90_000);
  expect(report.text).toBe(
    "Sorting by Salary, highest first; showing rows where Team is Core; asking to change Salary of Ana Lopez (82,000 to 90,000).",
  );
});
