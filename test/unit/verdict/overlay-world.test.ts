import fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "../../../src/sandtable/domain/types.ts";
import { BaseRows, OverlayWorld, taskWorld } from "../../../src/sandtable/verdict/overlay-world.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";

function table(name: string, keys: string[]): Table {
  return {
    name,
    key: "id",
    noun: name,
    newKey: { pattern: "{n}", start: 1 },
    fields: ["id", "v"],
    rows: keys.map((id) => ({ id, v: { from: "base" } })),
  };
}
const tables = [table("loads", ["a", "b", "c"]), table("carriers", ["a"])];
const key = fc.constantFrom("a", "b", "c", "d", "__proto__");
const name = fc.constantFrom("loads", "carriers");
const row = fc.record({ v: fc.record({ n: fc.nat(3) }) });
const change = fc.oneof(
  fc.record({ op: fc.constant("put" as const), table: name, key, row }),
  fc.record({ op: fc.constant("remove" as const), table: name, key }),
);
const given = fc.array(fc.record({ table: name, key, row: fc.option(row) }), { maxLength: 5 });

test("an overlay cannot be told from a world that holds all rows", () => {
  fc.assert(
    fc.property(given, fc.array(change, { maxLength: 12 }), (rows, changes) => {
      const memory = new MemoryWorld();
      plantWorld(memory, tables, rows);
      const overlay = taskWorld(new BaseRows(tables), { given: rows });
      for (const one of changes) {
        for (const world of [memory, overlay])
          if (one.op === "put") world.put(one.table, one.key, { id: one.key, ...one.row });
          else world.remove(one.table, one.key);
      }
      for (const { name: each } of tables) {
        expect([...overlay.scan(each)]).toEqual([...memory.scan(each)]);
        for (const id of ["a", "b", "c", "d", "__proto__"])
          expect(overlay.get(each, id)).toEqual(memory.get(each, id));
      }
    }),
    { numRuns: 300 },
  );
});

test("changes stay in the overlay they were made in", () => {
  const base = new BaseRows(tables);
  const one = new OverlayWorld(base);
  one.put("loads", "a", { id: "a", v: 1 });
  one.remove("loads", "b");
  const other = new OverlayWorld(base);
  expect(one.get("loads", "b")).toBeUndefined();
  expect(other.get("loads", "a")).toEqual({ id: "a", v: { from: "base" } });
  expect([...other.scan("loads")]).toHaveLength(3);
});

test("a table that does not exist is empty", () => {
  const world = new OverlayWorld(new BaseRows(tables));
  expect(world.get("nothing", "a")).toBeUndefined();
  expect([...world.scan("nothing")]).toEqual([]);
});

test("numbers for generated keys count for each table", () => {
  const world = new OverlayWorld(new BaseRows(tables));
  expect(world.peekNumber("loads", 2001)).toBe(2001);
  expect([world.nextNumber("loads", 2001), world.nextNumber("loads", 2001)]).toEqual([2001, 2002]);
  expect(world.nextNumber("carriers", 1)).toBe(1);
  expect(world.peekNumber("loads", 2001)).toBe(2003);
});
