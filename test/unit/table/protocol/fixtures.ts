import type { JsonObject } from "../../../../src/turn/json.ts";

/** A full hello as a stock client writes it, small. */
export function hello(over: JsonObject = {}): JsonObject {
  return {
    schemaVersion: "adapttable.agent.v1",
    kind: "hello",
    tableId: "people",
    context: { contract: contract(), selection: selection() },
    manifest: manifest(),
    catalog: [{ key: "view.setSort", summary: "Sort by one column", kind: "view", idempotent: true }],
    contractVersion: "v1",
    selectionVersion: "s1",
    view: { revision: 3, page: 1, limit: 10, search: "" },
    ...over,
  };
}

export function turn(over: JsonObject = {}): JsonObject {
  return {
    schemaVersion: "adapttable.agent.v1",
    kind: "turn",
    tableId: "people",
    viewRevision: 3,
    contractVersion: "v1",
    selectionVersion: "s1",
    view: { revision: 3, page: 1, limit: 10, search: "" },
    message: "highest salary first",
    turnId: "t1",
    phaseId: 0,
    ...over,
  };
}

export function contract(over: JsonObject = {}): JsonObject {
  return {
    tableId: "people",
    version: "c1",
    capabilities: [{ key: "view.setSort", summary: "Sort by one column" }],
    columns: [
      { id: "name", label: "Name", type: "string", readable: true, writable: false, sortable: true },
      { id: "salary", label: "Salary", type: "number", readable: true, writable: true, sortable: true },
    ],
    filters: [
      {
        key: "salary",
        label: "Salary",
        type: "numberRange",
        operators: ["gte", "lte", "between"],
        defaultOperator: "gte",
        valueKeys: ["salaryMin", "salaryMax", "salaryOp"],
      },
    ],
    rowAddressing: { scope: "visible", key: "rowKey" },
    limits: { pageMax: 100, readMax: 50 },
    policy: { write: "allow", approval: "writes", commit: "stage" },
    source: {
      fullDataset: true,
      grouping: false,
      selectAcrossPages: false,
      exportScope: "page",
      totalCount: "exact",
    },
    ...over,
  };
}

function selection(): JsonObject {
  return {
    profile: "full",
    version: "s1",
    selected: ["view.setSort"],
    deferred: [{ key: "rows.read", reason: "hard-limit", kind: "guide" }],
    contractBytes: 400,
    viewBytes: 60,
    estimatedTokens: 120,
    estimated: true,
  };
}

export function manifest(over: JsonObject = {}): JsonObject {
  return {
    schemaVersion: "adapttable.agent.v1",
    tableId: "people",
    viewRevision: 3,
    capabilities: ["view.setSort"],
    columns: [
      { id: "name", label: "Name", type: "string", readable: true, writable: false, sortable: true },
      { id: "salary", label: "Salary", type: "number", readable: true, writable: true, sortable: true },
    ],
    rowAddressing: { scope: "visible", key: "rowKey" },
    limits: { pageMax: 100, readMax: 50 },
    policy: { write: "allow", approval: "writes", commit: "stage" },
    source: {
      fullDataset: true,
      grouping: false,
      selectAcrossPages: false,
      exportScope: "page",
      totalCount: "exact",
    },
    ...over,
  };
}

/** `value` without one of its fields. */
export function without(value: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = value;
  return rest;
}
