import * as fc from "fast-check";
import jsonPatch, { type Operation } from "fast-json-patch";
import { expect, test } from "vitest";
import type { Effect, Tool } from "../../../src/sandtable/domain/types.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { runTool } from "../../../src/sandtable/world/run-tool.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";
import { contextOf } from "../expr/context.ts";
import { arg, cel, field, having, literal, param, set, tables, tool } from "./domain.ts";

const text = (name: string) => param(name, "string", { optional: true });
const value = { ...param("value", "object", { optional: true }) };
const rows = (effect: "loads" | "bookings") => ({ table: effect, key: arg("id") });
const params = [text("id"), text("word"), value, param("n", "number", { optional: true })];
const update = (table: "loads" | "bookings", parts: Partial<Effect & { kind: "update" }>): Effect => ({
  kind: "update",
  rows: rows(table),
  set: [],
  append: [],
  remove: [],
  ...parts,
});
const effects: Effect[] = [
  update("loads", { set: [set("status", arg("word")), set("origin.zip.code", arg("n"))] }),
  update("loads", { set: [set("notes", arg("value"))], append: [set("tags", arg("word"))] }),
  update("loads", {
    append: [set("notes", arg("value")), set("notes", arg("word"))],
    remove: [set("tags", arg("word"))],
  }),
  update("loads", { set: [set("booking.margin", cel("row('loads', args.id).ceiling - args.n"))] }),
  {
    kind: "update",
    rows: { table: "loads", where: having(field("status", "eq", arg("word"))) },
    set: [set("origin.state.x", arg("value"))],
    append: [],
    remove: [set("tags", literal("hot"))],
  },
  {
    kind: "create",
    table: "bookings",
    set: [set("load_id", arg("id")), set("size", cel("size(rows('bookings'))"))],
  },
  { kind: "create", table: "bookings", key: arg("id"), set: [set("value", arg("value"))] },
  { kind: "delete", rows: rows("bookings") },
  { kind: "delete", rows: rows("loads") },
  { kind: "delete", rows: { table: "bookings", where: having(field("size", "gt", arg("n"))) } },
];

const anyTool: fc.Arbitrary<Tool> = fc
  .record({
    effects: fc.array(fc.constantFrom(...effects), { minLength: 1, maxLength: 4 }),
    respond: fc.option(fc.constantFrom("size(rows('loads'))", "row('loads', args.id).ceiling"), {
      nil: undefined,
    }),
  })
  .map(({ effects: chosen, respond }) =>
    tool("act", params, {
      kind: "write",
      effects: chosen,
      ...(respond !== undefined && { respond: cel(respond) }),
    }),
  );
const anyArgs = fc.record(
  {
    id: fc.constantFrom("L-1", "L-2", "L-3", "L-9", "B-1", "B-2", "B-3"),
    word: fc.constantFrom("available", "booked", "hot", "urgent", "new/one~x"),
    n: fc.integer({ min: -2, max: 3 }),
    // As it comes out of storage, which knows no -0.
    value: fc
      .dictionary(fc.constantFrom("a", "b/c", "constructor"), fc.jsonValue())
      .map((value): Record<string, Json> => JSON.parse(JSON.stringify(value))),
  },
  { requiredKeys: ["id"] },
) as fc.Arbitrary<JsonObject>;

/** The operations that undo `changes`, from what each says stood there. */
function takenBack(changes: Operation[]): Operation[] {
  return changes
    .flatMap((change, at): Operation[] => {
      const { op, path } = change;
      if (op === "add") return [{ op: "remove", path }];
      if (op !== "replace" && op !== "remove") return [];
      const tested = changes[at - 1];
      if (tested?.op !== "test" || tested.path !== path) throw new Error(`no test before ${op} ${path}`);
      return [{ op: op === "replace" ? "replace" : "add", path, value: tested.value }];
    })
    .reverse();
}

test("whatever is called, a failure leaves the world byte for byte, and the changes tell the whole story both ways", {
  timeout: 30_000,
}, () => {
  let succeeded = 0;
  let failed = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyTool, anyArgs), { maxLength: 12 }), (calls) => {
      const world = new MemoryWorld();
      plantWorld(world, tables, []);
      const start = world.toJson();
      const changes: ReturnType<typeof runTool>["changes"] = [];
      const results: { live: Json; recorded: string }[] = [];
      for (const [one, args] of calls) {
        const before = JSON.stringify([
          world.toJson(),
          world.peekNumber("bookings", 1),
          world.peekNumber("loads", 1),
        ]);
        const outcome = runTool([one], "act", args, { ...contextOf(), world }, tables);
        changes.push(...outcome.changes);
        if (outcome.ok) {
          succeeded += 1;
          results.push({ live: outcome.result, recorded: JSON.stringify(outcome.result) });
        } else {
          failed += 1;
          expect(outcome.changes).toEqual([]);
          expect(
            JSON.stringify([world.toJson(), world.peekNumber("bookings", 1), world.peekNumber("loads", 1)]),
          ).toBe(before);
        }
      }
      expect(jsonPatch.applyPatch(structuredClone(start), changes, true).newDocument).toEqual(world.toJson());
      expect(jsonPatch.applyPatch(world.toJson(), takenBack(changes), true).newDocument).toEqual(start);
      for (const { live, recorded } of results) expect(JSON.stringify(live)).toBe(recorded);
      for (const table of tables) {
        for (const row of world.scan(table.name))
          expect(world.get(table.name, String(row[table.key]))).toBe(row);
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(succeeded, failed)).toBeGreaterThan(100);
});
