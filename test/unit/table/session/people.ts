import type { ExecuteResult } from "../../../../src/table/client/session-port.ts";
import type { MemoryTableHost, MemoryTableOptions } from "../../../../src/table/session/memory-host.ts";
import { memoryTableHost } from "../../../../src/table/session/memory-host.ts";
import type { TableSession, TableSessionOptions } from "../../../../src/table/session/session-types.ts";
import { createTableSession } from "../../../../src/table/session/table-session.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";

/** What the unreadable column holds: it must never come out. */
export const secret = "SECRET-";

const rows: JsonObject[] = [
  ["p1", "Ana Ruiz", "core", 80_000, true, "2026-11-02", ["lead"]],
  ["p2", "Bo Li", "ops", 70_000, false, "2025-01-15", []],
  ["p3", "Cy Dow", "core", 95_000, true, "2026-10-20", ["mentor", "lead"]],
  ["p4", "Di Fox", "sales", 60_000, true, "2026-11-30", ["mentor"]],
  ["p5", "Ed Ost", "ops", 70_000, false, "2024-06-01", []],
  ["p6", "Flo Nye", "core", null, true, null, []],
].map(([id, name, team, salary, active, hired, tags]) => ({
  id: id as string,
  name: name as string,
  team: team as string,
  salary: salary as Json,
  active: active as boolean,
  hired: hired as Json,
  tags: tags as Json,
  badge: `${secret}${id}`,
}));

/** A Monday; its ISO week runs to 2026-12-06. */
const today = "2026-11-30";

export function peopleHost(options: Partial<MemoryTableOptions> = {}): MemoryTableHost {
  return memoryTableHost({
    tableId: "people",
    today: () => today,
    pageSizes: [2, 10],
    columns: [
      { id: "id", label: "Id", type: "string" },
      { id: "name", label: "Name", type: "string", writable: true, description: "Full name" },
      { id: "team", label: "Team", type: "string", writable: true, examples: ["core", 7] },
      { id: "salary", label: "Salary", type: "number", writable: true, examples: [70_000], sampled: true },
      { id: "active", label: "Active", type: "boolean", writable: true },
      { id: "hired", label: "Start date", type: "date", writable: true, nullable: true },
      { id: "tags", label: "Tags", type: "list", sortable: false },
      {
        id: "badge",
        label: "Badge",
        type: "string",
        readable: false,
        writable: true,
        examples: [`${secret}p1`],
      },
    ],
    filters: [
      { key: "name", label: "Name", type: "text" },
      {
        key: "team",
        label: "Team",
        type: "select",
        options: [
          { value: "core", label: "Core" },
          { value: "ops", label: "Operations" },
          { value: "sales", label: "Sales" },
        ],
      },
      { key: "salary", label: "Salary", type: "numberRange" },
      { key: "active", label: "Active", type: "boolean" },
      { key: "hired", label: "Start date", type: "dateRange" },
      {
        key: "tags",
        label: "Tags",
        type: "multiSelect",
        options: [
          { value: "lead", label: "Lead" },
          { value: "mentor", label: "Mentor" },
        ],
      },
      { key: "badge", label: "Badge", type: "text" },
    ],
    savedViews: [
      {
        id: "paid",
        label: "Best paid",
        view: { sort: { key: "salary", dir: "desc" }, filters: { team: "core" } },
      },
    ],
    rows,
    ...options,
  });
}

export interface Bench {
  host: MemoryTableHost;
  session: TableSession;
  /** Executes at the revision of the moment, with a fresh key unless given. */
  run(
    key: string,
    args?: JsonObject,
    more?: { id?: string; revision?: number; signal?: AbortSignal },
  ): Promise<ExecuteResult>;
}

/** A people table that lets an agent write at once and asks nobody, unless said otherwise. */
export function bench(
  options: TableSessionOptions = {},
  hostOptions: Partial<MemoryTableOptions> = {},
): Bench {
  const host = peopleHost(hostOptions);
  const session = createTableSession(host, {
    ...options,
    policy: { write: "allow", approval: "never", commit: "immediate", ...options.policy },
  });
  let calls = 0;
  return {
    host,
    session,
    run(key, args = {}, more = {}) {
      calls += 1;
      return session.execute({
        key,
        args,
        expectedRevision: more.revision ?? session.view().revision,
        idempotencyKey: more.id ?? `call-${calls}`,
        signal: more.signal ?? new AbortController().signal,
      });
    },
  };
}

/** Keys of all rows that match, in order. */
export function keysOf(host: MemoryTableHost): string[] {
  return host.rows({ scope: "full", offset: 0, limit: 1_000, columns: [] }).rows.map((row) => row.rowKey);
}

/** A cell as it is saved. */
export function saved(host: MemoryTableHost, rowKey: string, column: string): Json | undefined {
  return host.allRows().find((row) => row.rowKey === rowKey)?.cells[column];
}
