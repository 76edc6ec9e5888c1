import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TablePolicy } from "../../../../src/table/protocol/contract.ts";
import type { ApprovalDecision } from "../../../../src/table/session/session-types.ts";
import type { JsonObject } from "../../../../src/turn/json.ts";
import { bench, secret } from "./people.ts";

const rowKey = fc.constantFrom("p1", "p2", "p3", "p4", "p9", "7", "8");
const column = fc.constantFrom(
  "id",
  "name",
  "team",
  "salary",
  "active",
  "hired",
  "tags",
  "badge",
  "Badge",
  "wage",
);
const position = fc.integer({ min: 0, max: 7 });
const reference = fc.oneof(
  fc.record({ rowKey }),
  fc.record({ position, scope: fc.constantFrom("visible", "page", "full") }),
);
const value = fc.constantFrom("x", "core", 5, -1, true, null, "2026-01-01", "SECR");

/** Calls of every kind, most of them in order, some not. */
const call: fc.Arbitrary<{ key: string; args: JsonObject }> = fc.oneof(
  fc.record({
    key: fc.constant("view.setSort"),
    args: fc.record({ key: column, dir: fc.constantFrom("asc", "desc") }),
  }),
  fc.record({
    key: fc.constant("view.setFilters"),
    args: fc.record({
      filters: fc.oneof(
        fc.constant({}),
        fc.record({ key: column, op: fc.constantFrom("eq", "gt", "contains", "empty"), value }),
        fc.dictionary(fc.constantFrom("team", "salaryMin", "badge", "badgeOp", "nameOp"), value),
      ),
    }),
  }),
  fc.record({
    key: fc.constant("view.setSearch"),
    args: fc.record({ query: fc.constantFrom("", "a", "SECR") }),
  }),
  fc.record({ key: fc.constant("view.setGroupBy"), args: fc.record({ key: column }) }),
  fc.record({
    key: fc.constant("view.setAggregations"),
    args: fc.record({ set: fc.dictionary(column, fc.constantFrom("count", "min", "max", "sum")) }),
  }),
  fc.record({
    key: fc.constant("view.setPage"),
    args: fc.record({ page: position, limit: fc.constantFrom(2, 10) }),
  }),
  fc.record({ key: fc.constant("view.hideColumn"), args: fc.record({ key: column, hidden: fc.boolean() }) }),
  fc.record({
    key: fc.constant("view.pinColumn"),
    args: fc.record({ key: column, side: fc.constantFrom("start", null) }),
  }),
  fc.record({ key: fc.constant("view.setColumnOrder"), args: fc.record({ key: column, index: position }) }),
  fc.record({
    key: fc.constant("view.pinRow"),
    args: fc.record({ rowKey, side: fc.constantFrom("top", "bottom", null) }),
  }),
  fc.record({
    key: fc.constant("view.setSelection"),
    args: fc.record({ ids: fc.array(rowKey, { maxLength: 3 }) }),
  }),
  fc.record({ key: fc.constant("view.undo"), args: fc.constant({}) }),
  fc.record({ key: fc.constant("views.apply"), args: fc.constant({ viewId: "paid" }) }),
  fc.record({ key: fc.constant("view.describe"), args: fc.constant({}) }),
  fc.record({ key: fc.constant("columns.describe"), args: fc.constant({}) }),
  fc.record({ key: fc.constant("export.run"), args: fc.constant({ format: "csv" }) }),
  fc.record({
    key: fc.constant("rows.read"),
    args: fc.record({
      limit: position,
      columns: fc.array(column, { maxLength: 4 }),
      scope: fc.constantFrom("page", "full"),
    }),
  }),
  fc.record({ key: fc.constant("rows.resolve"), args: reference }),
  fc.record({
    key: fc.constant("edit.cells"),
    args: fc.record({
      edits: fc.array(
        fc
          .tuple(reference, column, value)
          .map(([row, name, given]) => ({ ...row, column: name, value: given })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  }),
  fc.record({
    key: fc.constant("rows.add"),
    args: fc.record({ rows: fc.array(fc.dictionary(column, value), { maxLength: 2 }) }),
  }),
  fc.record({
    key: fc.constant("rows.delete"),
    args: fc.record({ rows: fc.array(reference, { maxLength: 2 }) }),
  }),
  fc.record({ key: fc.constant("rows.reorder"), args: fc.record({ fromKey: rowKey, toKey: rowKey }) }),
  fc.record({
    key: fc.constantFrom("rowAction.burn", "bulkAction.burn", "view.explode"),
    args: fc.record({ rowKey }),
  }),
);

/** A call, whose identity may have been used before, at a revision that may be another. */
const order = fc.record({
  call,
  id: fc.integer({ min: 0, max: 11 }).map((id) => `call-${id}`),
  stale: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  aborted: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});
const policy: fc.Arbitrary<TablePolicy> = fc.record({
  write: fc.constantFrom("deny", "allow"),
  approval: fc.constantFrom("writes", "destructive", "never"),
  commit: fc.constantFrom("stage", "immediate"),
});
const decision: fc.Arbitrary<ApprovalDecision> = fc.constantFrom<ApprovalDecision>(
  true,
  false,
  null,
  { approved: [] },
  { approved: [0] },
  { approved: [0, 1] },
  { approved: true, always: true },
);

test("no sequence of calls writes what policy or the reader denies, or shows an unreadable value", async () => {
  await fc.assert(
    fc.asyncProperty(
      policy,
      decision,
      fc.array(order, { minLength: 1, maxLength: 14 }),
      async (given, answer, orders) => {
        let asked = 0;
        const burnt: string[] = [];
        const burn = (scope: "row" | "bulk") => ({
          key: "burn",
          label: "Burn",
          scope,
          kind: "destructive" as const,
          run: (keys: string[]) => {
            burnt.push(...keys);
          },
        });
        const { run, session, host } = bench(
          {
            policy: given,
            alwaysAllow: true,
            approve: () => {
              asked += 1;
              return answer;
            },
          },
          { actions: [burn("row"), burn("bulk")] },
        );
        const heard: unknown[] = [];
        session.subscribe((event) => heard.push(event));
        const saved = () => JSON.stringify(host.allRows());
        for (const { call: wanted, id, stale, aborted } of orders) {
          const [before, askedBefore, burntBefore] = [saved(), asked, burnt.length];
          const result = await run(wanted.key, wanted.args, {
            id,
            ...(stale ? { revision: session.view().revision + 1 } : {}),
            ...(aborted ? { signal: AbortSignal.abort() } : {}),
          });
          const wrote = saved() !== before || burnt.length > burntBefore;
          const definition = session.catalog().find((entry) => entry.key === wanted.key);
          if (wrote) {
            expect(given).toMatchObject({ write: "allow", commit: "immediate" });
            expect(["write", "destructive"]).toContain(definition?.kind);
            expect([stale, aborted]).toEqual([false, false]);
            const needed =
              given.approval === "writes" ||
              (given.approval === "destructive" && definition?.kind === "destructive");
            if (needed) {
              expect(asked).toBe(askedBefore + 1);
              expect([
                true,
                { approved: [0] },
                { approved: [0, 1] },
                { approved: true, always: true },
              ]).toContainEqual(answer);
            }
          }

          expect(
            JSON.stringify([result, session.view(), session.context(), session.manifest()]),
          ).not.toContain(secret);
        }
        expect(JSON.stringify([heard, session.context(), session.manifest()])).not.toContain(secret);
      },
    ),
    { numRuns: 150 },
  );
}, 30_000);

test("one identity writes once, whatever comes between and however often it comes again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (ids, replayLimit) => {
        const { run, host } = bench({ replayLimit });
        const results = await Promise.all(
          ids.map((id, at) => {
            const send = () => run("rows.add", { rows: [{ name: `added ${id}` }] }, { id: `${id}` });
            // Some overlap, some come after the others are done.
            return at % 3 === 0 ? send() : new Promise((resolve) => setTimeout(resolve, at % 4)).then(send);
          }),
        );
        const added = host
          .allRows()
          .map((row) => row.cells.name)
          .filter((name) => String(name).startsWith("added"));
        expect(new Set(added).size).toBe(added.length);
        for (const result of results) {
          if (!result.ok) expect(["replay-expired", "revision-mismatch"]).toContain(result.error?.code);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 30_000);

const viewCall = call.filter(({ key }) => key.startsWith("view.set") || /pin|hide|apply/.test(key));

test("undo puts back every view, one change at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(viewCall, { minLength: 1, maxLength: 10 }), async (calls) => {
      const { run, session, host } = bench();
      const views: string[] = [];
      for (const [at, { key, args }] of calls.entries()) {
        const before = JSON.stringify(host.view());
        await run(key, args, { id: `${at}` });
        if (session.receipt(`${at}`)?.undoable) views.push(before);
        else expect(JSON.stringify(host.view())).toBe(before);
      }
      for (const before of views.reverse()) {
        expect((await session.undo()).ok).toBe(true);
        expect(JSON.parse(JSON.stringify(host.view()))).toEqual(JSON.parse(before));
      }
      expect((await session.undo()).error?.code).toBe("nothing-to-undo");
    }),
    { numRuns: 150 },
  );
}, 30_000);
