import type { MemoryTableHost } from "../../../../../src/table/index.ts";
import type { Json, JsonObject } from "../../../../../src/turn/json.ts";
import type { OpenApproval } from "../room/table-room.ts";

/** A cell that is not as it is saved: staged, or proposed by an agent that waits for a person. */
export interface Mark {
  kind: "staged" | "proposed";
  before: Json;
  after: Json;
}

/** Marked cells, by row and column, and rows that are proposed to be deleted. */
export interface Marks {
  cells: Map<string, Map<string, Mark>>;
  leaving: ReadonlySet<string>;
}

export function marksOf(host: MemoryTableHost, approval: OpenApproval | null): Marks {
  const cells: Marks["cells"] = new Map();
  const mark = (rowKey: string, column: string, one: Mark) => {
    const row = cells.get(rowKey) ?? new Map<string, Mark>();
    cells.set(rowKey, row.set(column, one));
  };
  const staged = host.staged();
  const saved = savedRows(host, new Set(staged.map(({ rowKey }) => rowKey)));
  for (const { rowKey, column, value } of staged) {
    mark(rowKey, column, { kind: "staged", before: saved.get(rowKey)?.[column] ?? null, after: value });
  }
  const leaving = new Set<string>();
  const subject = approval?.request.subject;
  if (subject?.type === "rows") {
    for (const { rowKey, column, before = null, after = null } of subject.proposals) {
      if (column !== undefined) mark(rowKey, column, { kind: "proposed", before, after });
      else if (approval?.request.capability === "rows.delete") leaving.add(rowKey);
    }
  }
  return { cells, leaving };
}

function savedRows(host: MemoryTableHost, keys: ReadonlySet<string>): Map<string, JsonObject> {
  if (keys.size === 0) return new Map();
  return new Map(
    host
      .allRows()
      .filter(({ rowKey }) => keys.has(rowKey))
      .map(({ rowKey, cells }) => [rowKey, cells]),
  );
}
