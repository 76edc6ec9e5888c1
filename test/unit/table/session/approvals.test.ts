import { describe, expect, test } from "vitest";
import type { ApprovalDecision, ApprovalRequest } from "../../../../src/table/session/session-types.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, keysOf, saved } from "./people.ts";

const edits = (...values: number[]): JsonObject => ({
  edits: values.map((value, at) => ({ rowKey: `p${at + 1}`, column: "salary", value })),
});

describe("who is asked", () => {
  test.each([
    ["writes", ["edit.cells", "rows.delete"]],
    ["destructive", ["rows.delete"]],
    ["never", []],
  ] as const)("policy %s", async (approval, asked) => {
    const seen: string[] = [];
    const { run } = bench({
      policy: { approval },
      approve: ({ capability }) => {
        seen.push(capability);
        return true;
      },
    });
    await run("view.setSort", { key: "name" });
    await run("rows.read", { limit: 1 });
    await run("edit.cells", edits(1));
    await run("rows.delete", { rows: [{ rowKey: "p2" }] });
    expect(seen).toEqual(asked);
  });

  test("a capability may be set apart from the policy, a read too", async () => {
    const seen: string[] = [];
    const { run } = bench({
      policy: { approval: "writes" },
      capabilityApproval: { "edit.cells": "automatic", "view.setSort": "required", "rows.read": "required" },
      approve: ({ capability }) => {
        seen.push(capability);
        return false;
      },
    });
    expect((await run("edit.cells", edits(1))).result).toMatchObject({
      applied: true,
      approval: "not-required",
    });
    expect((await run("view.setSort", { key: "name" })).result).toMatchObject({
      ok: false,
      approval: "rejected",
    });
    expect((await run("rows.read", { limit: 1 })).result).toEqual({ applied: false, approval: "rejected" });
    expect(seen).toEqual(["view.setSort", "rows.read"]);
  });
});

describe("what is asked and answered", () => {
  test("rows are told one by one, an operation by its arguments", async () => {
    const seen: ApprovalRequest[] = [];
    const { run } = bench({
      policy: { approval: "writes" },
      presentation: { "rows.reorder": "widget" },
      approve: (request) => {
        seen.push(request);
        return true;
      },
    });
    await run("edit.cells", { edits: [{ rowKey: "p1", column: "badge", value: "x" }] }, { id: "a" });
    await run("rows.reorder", { fromKey: "p1", toKey: "p3" }, { id: "b" });
    expect(seen).toEqual([
      {
        id: "a",
        capability: "edit.cells",
        kind: "write",
        title: "Change 1 cell",
        subject: {
          type: "rows",
          proposals: [{ rowKey: "p1", column: "badge", after: "x" }],
          perItem: true,
          presentation: "table",
        },
        alwaysAllowed: false,
      },
      {
        id: "b",
        capability: "rows.reorder",
        kind: "write",
        title: "Move Ana Ruiz to the place of Cy Dow",
        subject: {
          type: "operation",
          capability: "rows.reorder",
          title: "Move Ana Ruiz to the place of Cy Dow",
          arguments: { fromKey: "p1", toKey: "p3" },
          presentation: "widget",
        },
        alwaysAllowed: false,
      },
    ]);
  });

  test.each([
    [{ approved: [1] }, "partial", "partial", [80_000, 2]],
    [{ approved: [0, 1] }, "approved", "executed", [1, 2]],
    [{ approved: [] }, "rejected", "rejected", [80_000, 70_000]],
    [true, "approved", "executed", [1, 2]],
    [{ approved: true, reason: "fine" }, "approved", "executed", [1, 2]],
    [false, "rejected", "rejected", [80_000, 70_000]],
    [null, "cancelled", "cancelled", [80_000, 70_000]],
  ] as [ApprovalDecision, string, string, number[]][])(
    "answer %j",
    async (decision, approval, status, salaries) => {
      const { run, session, host } = bench({ policy: { approval: "writes" }, approve: () => decision });
      const { result } = await run("edit.cells", edits(1, 2), { id: "a" });
      expect(result).toMatchObject({ approval, applied: status === "executed" || status === "partial" });
      expect(session.receipt("a")?.status).toBe(status);
      expect([saved(host, "p1", "salary"), saved(host, "p2", "salary")]).toEqual(salaries);
    },
  );

  test("positions approve single rows to add and to delete; [] declines an operation", async () => {
    const { run, host } = bench({
      policy: { approval: "writes" },
      approve: () => ({ approved: [1], reason: "one is enough" }),
    });
    const added = await run("rows.add", { rows: [{ name: "G" }, { name: "H" }] });
    expect(added.result).toMatchObject({
      applied: true,
      approval: "partial",
      approvalReason: "one is enough",
      results: [{ rowKey: "7", ok: true }],
    });
    expect(saved(host, "7", "name")).toBe("H");
    await run("rows.delete", { rows: [{ rowKey: "p1" }, { rowKey: "p2" }] });
    expect(keysOf(host)).toEqual(["p1", "p3", "p4", "p5", "p6", "7"]);
    const declining = bench({ policy: { approval: "writes" }, approve: () => ({ approved: [] }) });
    expect((await declining.run("rows.reorder", { fromKey: "p1", toKey: "p2" })).result).toEqual({
      ran: false,
      approval: "rejected",
    });
  });

  test("staged edits are approved too", async () => {
    const { run, host } = bench({
      policy: { approval: "writes", commit: "stage" },
      approve: () => ({ approved: [0] }),
    });
    expect((await run("edit.cells", edits(1, 2))).result).toMatchObject({
      approval: "partial",
      staged: true,
    });
    expect(host.staged()).toEqual([{ rowKey: "p1", column: "salary", value: 1 }]);
  });
});

describe("while it is open", () => {
  test("without anyone to ask it waits, and the same call may come again", async () => {
    const { run, session, host } = bench({ policy: { approval: "writes" } });
    const waiting = await run("edit.cells", edits(1), { id: "a" });
    expect(waiting).toMatchObject({ ok: true, result: { applied: false, approval: "pending" } });
    expect(session.receipt("a")).toMatchObject({
      status: "awaiting-approval",
      text: "Waiting for approval: Change 1 cell",
    });
    expect(saved(host, "p1", "salary")).toBe(80_000);
    session.setApprovalHandler(() => true);
    expect((await run("edit.cells", edits(1), { id: "a" })).result).toMatchObject({
      applied: true,
      approval: "approved",
    });
    expect(session.receipts()).toHaveLength(1);
    expect(saved(host, "p1", "salary")).toBe(1);
  });

  test("one question is open at a time, and one that waited is checked again before it is asked", async () => {
    const asked: string[] = [];
    const answers: ((decision: boolean) => void)[] = [];
    const { run } = bench({
      policy: { approval: "writes" },
      approve: ({ id }) => {
        asked.push(id);
        return new Promise((resolve) => answers.push(resolve));
      },
    });
    const first = run("edit.cells", edits(1), { id: "a" });
    const second = run("edit.cells", edits(2), { id: "b" });
    await expect.poll(() => asked).toEqual(["a"]);
    answers[0]?.(true);
    expect((await first).result).toMatchObject({ applied: true });
    // The first has changed rows, so what the second proposed is no longer what the reader would approve.
    expect((await second).error?.code).toBe("revision-mismatch");
    expect(asked).toEqual(["a"]);
  });

  test("a table that changes under an open question is not written to", async () => {
    const { run, host } = bench({
      policy: { approval: "writes" },
      approve: () => {
        host.setSort({ key: "salary", dir: "asc" });
        return true;
      },
    });
    expect((await run("edit.cells", edits(1), { id: "a" })).error?.code).toBe("revision-mismatch");
    expect(saved(host, "p1", "salary")).toBe(80_000);
  });

  test("giving up ends the question, and nothing is written when it is answered later", async () => {
    const control = new AbortController();
    const { run, session, host } = bench({
      policy: { approval: "writes" },
      approve: () => new Promise(() => undefined),
    });
    const open: (string | null)[] = [];
    session.subscribe((event) => {
      if (event.type === "approval") open.push(event.request?.id ?? null);
    });
    const waiting = run("edit.cells", edits(1), { id: "a", signal: control.signal });
    await expect.poll(() => open).toEqual(["a"]);
    control.abort();
    expect((await waiting).error?.code).toBe("cancelled");
    expect(open).toEqual(["a", null]);
    session.setApprovalHandler(() => true);
    expect((await run("edit.cells", edits(1), { id: "a" })).result).toMatchObject({ applied: true });
    expect(saved(host, "p1", "salary")).toBe(1);
  });

  test("given up between two rows: what was saved is told, and is never saved twice", async () => {
    const control = new AbortController();
    const { run, session, host } = bench(
      {},
      {
        refuse: () => {
          control.abort();
          return undefined;
        },
      },
    );
    const first = await run("edit.cells", edits(1, 2), { id: "a", signal: control.signal });
    expect(first).toMatchObject({
      ok: true,
      result: {
        applied: false,
        results: [
          { rowKey: "p1", ok: true },
          { rowKey: "p2", ok: false, error: "cancelled" },
        ],
      },
    });
    expect(session.receipt("a")).toMatchObject({
      status: "partial",
      text: "Changed 1 cell of 2 (cancelled)",
      changes: [{ label: "Salary of Ana Ruiz", before: "80,000", after: "1" }],
    });
    expect(await run("edit.cells", edits(1, 2), { id: "a" })).toEqual(first);
    expect(saved(host, "p2", "salary")).toBe(70_000);
  });
});

describe("always", () => {
  const run = () => undefined;
  const actions = [
    { key: "greet", label: "Greet", scope: "row" as const, kind: "write" as const, run },
    { key: "burn", label: "Burn", scope: "row" as const, kind: "destructive" as const, run },
  ];
  const asking = (alwaysAllow: boolean) => {
    const asked: [string, boolean][] = [];
    const made = bench(
      {
        policy: { approval: "writes" },
        alwaysAllow,
        approve: ({ capability, alwaysAllowed }) => {
          asked.push([capability, alwaysAllowed]);
          return { approved: true, always: true };
        },
      },
      { actions },
    );
    return { ...made, asked };
  };

  test("is kept for an operation until what is permitted changes", async () => {
    const { run, asked, host } = asking(true);
    await run("rowAction.greet", { rowKey: "p1" });
    host.setSort({ key: "name", dir: "asc" });
    host.setHiddenColumns(["team"]);
    expect((await run("rowAction.greet", { rowKey: "p1" })).result).toEqual({
      ran: true,
      approval: "approved",
    });
    expect(asked).toEqual([["rowAction.greet", true]]);
    host.updateColumn("team", { writable: false });
    await run("rowAction.greet", { rowKey: "p1" });
    expect(asked).toHaveLength(2);
  });

  test.each([
    ["rowAction.burn", { rowKey: "p1" }],
    ["edit.cells", { edits: [{ rowKey: "p1", column: "salary", value: 5 }] }],
  ])("is never kept for %s", async (key, args) => {
    const { run, asked } = asking(true);
    await run(key, args);
    await run(key, args);
    expect(asked).toEqual([
      [key, false],
      [key, false],
    ]);
  });

  test("is not kept unless the session permits it", async () => {
    const { run, asked } = asking(false);
    await run("rowAction.greet", { rowKey: "p1" });
    await run("rowAction.greet", { rowKey: "p1" });
    expect(asked).toEqual([
      ["rowAction.greet", false],
      ["rowAction.greet", false],
    ]);
  });
});
