import type {
  DescribeRequest,
  ExecuteOrder,
  ExecuteResult,
  Guide,
  TableSessionPort,
} from "../../../../src/table/client/session-port.ts";
import type { TableContract, TablePolicy } from "../../../../src/table/protocol/contract.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";

/** A table session of which a test sees every call, and may move everything. */
export interface FakeSession extends TableSessionPort {
  tableId: string;
  revision: number;
  rules: TablePolicy;
  /** Capability keys offered, with what each does. */
  offered: Record<string, "read" | "view" | "write" | "destructive">;
  /** Profiles and asked keys of the contexts that were built. */
  contexts: { profile: string; asked: string[] }[];
  executed: ExecuteOrder[];
  described: DescribeRequest[];
  /** What a call comes to; unless given it succeeds, and all but reads raise the revision. */
  respond: (order: ExecuteOrder) => Partial<ExecuteResult> | Promise<Partial<ExecuteResult>>;
}

export function fakeSession(over: Partial<FakeSession> = {}): FakeSession {
  const session: FakeSession = {
    tableId: "people",
    revision: 3,
    rules: { write: "allow", approval: "writes", commit: "stage" },
    policy: () => session.rules,
    offered: {
      "edit.cells": "write",
      "rows.delete": "destructive",
      "rows.read": "read",
      "view.setFilters": "view",
      "view.setSort": "view",
    },
    contexts: [],
    executed: [],
    described: [],
    respond: () => ({}),
    context(options = {}) {
      const { profile = "full", asked = [] } = options;
      session.contexts.push({ profile, asked });
      return {
        contract: contract(session),
        selection: {
          profile,
          version: `s:${profile}:${asked.join()}`,
          selected: asked,
          deferred: [],
          contractBytes: 1,
          viewBytes: 1,
          estimatedTokens: 1,
          estimated: true,
        },
      };
    },
    manifest() {
      const { columns, rowAddressing, limits, policy, source } = contract(session);
      return {
        schemaVersion: "adapttable.agent.v1",
        tableId: session.tableId,
        viewRevision: session.revision,
        capabilities: Object.keys(session.offered),
        columns,
        rowAddressing,
        limits,
        policy,
        source,
      };
    },
    catalog: () => Object.entries(session.offered).map(([key, kind]) => ({ key, summary: key, kind })),
    view: () => ({ revision: session.revision, page: 1, limit: 10, search: "" }),
    describe(request) {
      session.described.push(request);
      const keys = request.keys ?? [];
      return {
        guides: keys.filter((key) => key in session.offered).map(guide),
        unavailable: keys.filter((key) => !(key in session.offered)),
      };
    },
    async execute(order) {
      session.executed.push(order);
      const { idempotencyKey, expectedRevision } = order;
      if (order.signal.aborted) return refusal(order, session.revision, "cancelled");
      if (!(order.key in session.offered)) return refusal(order, session.revision, "not-wired");
      if (expectedRevision !== session.revision) return refusal(order, session.revision, "revision-mismatch");
      const answer = await session.respond(order);
      if (answer.ok === false) return { ok: false, revision: session.revision, idempotencyKey, ...answer };
      if (session.offered[order.key] !== "read") session.revision++;
      return { ok: true, revision: session.revision, idempotencyKey, result: { ok: true }, ...answer };
    },
    ...over,
  };
  return session;
}

function refusal({ idempotencyKey, key }: ExecuteOrder, revision: number, code: string): ExecuteResult {
  return { ok: false, revision, idempotencyKey, error: { code, message: `${key}: ${code}` } };
}

export function guide(key: string): Guide {
  return { schemaVersion: "adapttable.agent.v1", key, guide: `How to ${key}.`, input: {}, output: {} };
}

function contract({ tableId, offered, rules: policy }: FakeSession): TableContract {
  return {
    tableId,
    version: "c1",
    capabilities: Object.keys(offered).map((key) => ({ key, summary: key })),
    columns: [
      { id: "name", label: "Name", type: "string", readable: true, writable: false, sortable: true },
      { id: "salary", label: "Salary", type: "number", readable: true, writable: true, sortable: true },
    ],
    filters: [],
    rowAddressing: { scope: "visible", key: "rowKey" },
    limits: { pageMax: 100, readMax: 50 },
    policy,
    source: {
      fullDataset: true,
      grouping: false,
      selectAcrossPages: false,
      exportScope: "page",
      totalCount: "exact",
    },
  };
}

/** Keys and arguments of what was executed. */
export function ran(session: FakeSession): [string, JsonObject][] {
  return session.executed.map(({ key, args }) => [key, args]);
}
