import { describe, expect, test } from "vitest";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { bookings, loads, rowOf, tables } from "./domain.ts";

describe("plantWorld", () => {
  const planted = (given: Parameters<typeof plantWorld>[2]) => {
    const world = new MemoryWorld();
    plantWorld(world, tables, given);
    return world;
  };

  test("holds the base rows in file order", () => {
    const world = planted([]);
    expect([...world.scan("loads")]).toEqual(loads.rows);
    expect([...world.scan("bookings")]).toEqual(bookings.rows);
    expect([...world.scan("nothing")]).toEqual([]);
  });

  test("merges what is given into a row, object by object, and replaces lists", () => {
    const world = planted([
      {
        table: "loads",
        key: "L-1",
        row: { ceiling: 1, origin: { city: "Waco" }, tags: ["new"], rate: null },
      },
    ]);
    expect(world.get("loads", "L-1")).toEqual({
      load_id: "L-1",
      status: "available",
      ceiling: 1,
      origin: { city: "Waco", state: "TX" },
      tags: ["new"],
      rate: null,
    });
    expect([...world.scan("loads")].map((row) => row.load_id)).toEqual(["L-1", "L-2", "L-3"]);
    expect(loads.rows[0]).toMatchObject({
      ceiling: 1500,
      origin: { city: "Dallas" },
      tags: ["hot", "urgent"],
    });
  });

  test("adds a row with its key, last", () => {
    const world = planted([{ table: "loads", key: "L-0", row: { status: "held" } }]);
    expect([...world.scan("loads")].at(-1)).toEqual({ load_id: "L-0", status: "held" });
  });

  test("removes a row given as null, and minds no row that is not there", () => {
    const world = planted([
      { table: "loads", key: "L-2", row: null },
      { table: "loads", key: "L-99", row: null },
    ]);
    expect(world.get("loads", "L-2")).toBeUndefined();
    expect(rowOf(world.toJson(), "loads", "L-99")).toBeUndefined();
    expect([...world.scan("loads")]).toHaveLength(2);
  });
});
