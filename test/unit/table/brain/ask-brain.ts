import type { BrainReply, BrainRound } from "../../../../src/table/brains/brain.ts";
import { embeddedBrain } from "../../../../src/table/brains/embedded/index.ts";
import type { TableView } from "../../../../src/table/protocol/contract.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { loadTable } from "../../../eval/table/table-file.ts";

const view: TableView = {
  revision: 7,
  page: 1,
  limit: 10,
  search: "",
  pagination: {
    page: 1,
    pageSize: 10,
    pageSizeOptions: [5, 10, 25, 50],
    totalRows: 24,
    totalPages: 3,
    hasNext: true,
    hasPrevious: false,
    canJump: true,
  },
};

/** The embedded brain's reply to one round about the table of people, with what differs from a plain one. */
export function askBrain(message: string, change: Partial<BrainRound> = {}): Promise<BrainReply> {
  const { contract, catalog, today } = loadTable("people");
  const round: BrainRound = {
    contract,
    catalog,
    view,
    message,
    conversation: [],
    phaseId: 0,
    toolResults: [],
    pendingCalls: [],
    today,
    ...change,
  };
  return embeddedBrain().answer(round, { signal: new AbortController().signal, onText: () => undefined });
}

/** A `read` answer of rows with the given cells. */
export function readAnswer(rows: Record<string, JsonObject>, offset = 0, limit = 50) {
  const listed = Object.entries(rows).map(([rowKey, cells]) => ({ rowKey, cells }));
  return {
    id: `t:0:${offset}`,
    result: {
      source: "table-rows",
      untrusted: true,
      revision: 7,
      rows: { rows: listed, offset, limit, redacted: [] },
    },
  };
}

/** A person's cells. */
export function person(name: string, team = "Core", salary = 80_000): JsonObject {
  return { name, team, role: "Engineer", salary, startDate: "2020-01-01", remote: true, location: "Berlin" };
}
