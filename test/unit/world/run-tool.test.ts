import jsonPatch from "fast-json-patch";
import { describe, expect, test } from "vitest";
import type { Effect, Guard, Tool } from "../../../src/sandtable/domain/types.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { runTool, type ToolOutcome } from "../../../src/sandtable/world/run-tool.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { contextOf } from "../expr/context.ts";
import { arg, cel, field, having, literal, loads, param, rowOf, set, tables, tool } from "./domain.ts";

/** A planted world and a way to call tools in it. Every call is checked: a failure changes nothing, changes tell all. */
function room(tools: Tool[]) {
  const world = new MemoryWorld();
  plantWorld(world, tables, []);
  const call = (name: string, args: JsonObject = {}): ToolOutcome => {
    const before = world.toJson();
    const outcome = runTool(tools, name, args, { ...contextOf(), world }, tables);
    const patched = jsonPatch.applyPatch(structuredClone(before), outcome.changes).newDocument;
    expect(patched).toEqual(world.toJson());
    if (!outcome.ok) expect(outcome.changes).toEqual([]);
    return outcome;
  };
  return { world, call };
}

const loadId = param("load_id", "string");
const mc = param("mc_number", "string");
const rate = param("rate", "number", { optional: true });
const note = param("note", "string", { optional: true });
const byKey = { table: "loads", key: arg("load_id") };
const failing = (error: string): ToolOutcome => ({ ok: false, error, changes: [] });
const returning = (
  result: ToolOutcome extends infer O ? (O extends { result: infer R } ? R : never) : never,
): ToolOutcome => ({
  ok: true,
  result,
  changes: [],
});
const write = (name: string, params: Tool["params"], effects: Effect[], more: Partial<Tool> = {}): Tool => ({
  ...tool(name, params, { kind: "write", effects }),
  ...more,
});
const update = (parts: Partial<Effect & { kind: "update" }>): Effect => ({
  kind: "update",
  rows: byKey,
  set: [],
  append: [],
  remove: [],
  ...parts,
});

describe("a call", () => {
  const { call } = room([tool("ping", [], { kind: "respond", value: literal({ status: "transferred" }) })]);
  test("of an unknown tool fails", () => {
    expect(call("foo")).toEqual(failing('unknown tool "foo"'));
    expect(call("constructor")).toEqual(failing('unknown tool "constructor"'));
  });
  test("with wrong arguments fails", () =>
    expect(call("ping", { foo: 1 })).toEqual(failing('unknown argument "foo"')));
  test("can have a fixed response", () => expect(call("ping")).toEqual(returning({ status: "transferred" })));
});

describe("a lookup", () => {
  const { call, world } = room([
    tool("get", [loadId], { kind: "lookup", rows: byKey }),
    tool("short", [loadId], {
      kind: "lookup",
      rows: byKey,
      fields: ["status", "origin.city", "gone", "load_id"],
    }),
    tool("own", [loadId], { kind: "lookup", rows: byKey, error: "No load {load_id} ({nothing})" }),
    tool("maybe", [{ ...loadId, optional: true }], { kind: "lookup", rows: byKey }),
    tool("first", [param("state", "string")], {
      kind: "lookup",
      rows: { table: "loads", where: having(field("origin.state", "eq", arg("state"))) },
    }),
  ]);
  test("returns the row", () =>
    expect(call("get", { load_id: "L-1" })).toEqual(returning(loads.rows[0] ?? null)));
  test("returns the fields asked for, in their order", () => {
    const outcome = call("short", { load_id: "L-1" });
    expect(JSON.stringify(outcome)).toBe(
      '{"ok":true,"result":{"status":"available","origin":{"city":"Dallas"},"load_id":"L-1"},"changes":[]}',
    );
  });
  test("of no row fails in the table's words or its own", () => {
    expect(call("get", { load_id: "L-9" })).toEqual(failing("Load L-9 not found"));
    expect(call("own", { load_id: "L-9" })).toEqual(failing("No load L-9 ({nothing})"));
    expect(call("get", { load_id: "__proto__" })).toEqual(failing("Load __proto__ not found"));
    expect(call("maybe")).toEqual(failing('missing argument "load_id"'));
  });
  test("by a condition returns the first that matches", () => {
    expect(call("first", { state: "OK" })).toEqual(returning(loads.rows[2] ?? null));
    expect(call("first", { state: "NM" })).toEqual(failing("Load not found"));
  });
  test("returns a copy", () => {
    const outcome = call("get", { load_id: "L-1" });
    if (outcome.ok) (outcome.result as { origin: JsonObject }).origin.city = "changed";
    expect(world.get("loads", "L-1")).toEqual(loads.rows[0]);
  });
});

describe("a search", () => {
  const open = field("status", "eq", literal("available"));
  const filters = [param("state", "string", { optional: true }), param("min", "number", { optional: true })];
  const where = having(open, field("origin.state", "eq", arg("state")), field("ceiling", "gte", arg("min")));
  const { call, world } = room([
    tool("find", filters, { kind: "search", table: "loads", where, sort: [], fields: ["load_id"] }),
    tool("best", [], {
      kind: "search",
      table: "loads",
      sort: [{ path: ["ceiling"], descending: true }],
      limit: 2,
      fields: ["load_id"],
    }),
    tool("two", [], { kind: "search", table: "loads", sort: [], limit: 2, fields: ["load_id"] }),
    tool("states", [], {
      kind: "search",
      table: "loads",
      sort: [
        { path: ["origin", "state"], descending: false },
        { path: ["ceiling"], descending: false },
      ],
      fields: ["load_id"],
    }),
    tool("rated", [], {
      kind: "search",
      table: "loads",
      sort: [{ path: ["rate"], descending: true }],
      fields: ["load_id"],
    }),
  ]);
  const ids = (name: string, args?: JsonObject) => {
    const outcome = call(name, args);
    return outcome.ok ? (outcome.result as { load_id: string }[]).map((row) => row.load_id) : outcome.error;
  };
  test("leaves out conditions on omitted arguments", () => {
    expect(ids("find")).toEqual(["L-1", "L-3"]);
    expect(ids("find", { state: "OK" })).toEqual(["L-3"]);
    expect(ids("find", { min: 1300 })).toEqual(["L-1"]);
    expect(ids("find", { state: "OK", min: 1300 })).toEqual([]);
  });
  test("sorts and limits", () => {
    expect(ids("best")).toEqual(["L-1", "L-3"]);
    expect(ids("two")).toEqual(["L-1", "L-2"]);
    expect(ids("states")).toEqual(["L-3", "L-2", "L-1"]);
  });
  test("puts rows without the sorted field last, in insertion order", () => {
    world.put("loads", "L-4", { load_id: "L-4", rate: 900 });
    expect(ids("rated")).toEqual(["L-4", "L-2", "L-1", "L-3"]);
    world.remove("loads", "L-4");
  });
});

describe("guards", () => {
  const guard = (on: Guard["on"], check: Guard["test"], error: string): Guard => ({ on, test: check, error });
  const available = guard(
    "unless",
    {
      kind: "row",
      table: "loads",
      key: arg("load_id"),
      where: having(field("status", "eq", literal("available"))),
    },
    "Load {load_id} is not available",
  );
  const once = guard(
    "if",
    {
      kind: "rows",
      table: "bookings",
      where: having(field("mc_number", "eq", arg("mc_number")), field("status", "eq", literal("open"))),
    },
    "Carrier {mc_number} already has an open booking",
  );
  const plausible = guard(
    "if",
    { kind: "cel", source: "has(args.rate) && args.rate > row('loads', args.load_id).ceiling * 2" },
    "{rate} for {load_id} is not plausible",
  );
  const optional = guard(
    "unless",
    { kind: "row", table: "loads", key: arg("note"), where: [[]] },
    "no load {note}",
  );
  const odd = guard("if", { kind: "cel", source: "row('loads', args.load_id).origin" }, "never");
  const { call } = room([
    tool("book", [loadId, mc, rate, note], { kind: "respond", value: literal("booked") }, [
      available,
      once,
      plausible,
      optional,
    ]),
    tool("odd", [loadId], { kind: "respond", value: literal(null) }, [odd]),
  ]);
  test("let a call through when none stops it", () => {
    expect(call("book", { load_id: "L-1", mc_number: "7", rate: 1400 })).toEqual(returning("booked"));
    expect(call("book", { load_id: "L-1", mc_number: "7", note: "L-2" })).toEqual(returning("booked"));
  });
  test("stop it with the first error, in order", () => {
    expect(call("book", { load_id: "L-2", mc_number: "100101" })).toEqual(
      failing("Load L-2 is not available"),
    );
    expect(call("book", { load_id: "L-9", mc_number: "7" })).toEqual(failing("Load L-9 is not available"));
    expect(call("book", { load_id: "L-1", mc_number: "100101" })).toEqual(
      failing("Carrier 100101 already has an open booking"),
    );
    expect(call("book", { load_id: "L-1", mc_number: "7", rate: 3001 })).toEqual(
      failing("3001 for L-1 is not plausible"),
    );
    expect(call("book", { load_id: "L-1", mc_number: "7", note: "L-9" })).toEqual(failing("no load L-9"));
  });
  test("that cannot be computed fail the call", () => {
    expect(call("odd", { load_id: "L-9" })).toEqual(
      failing("odd could not be computed: loads has no row L-9"),
    );
    expect(call("odd", { load_id: "L-1" })).toEqual(
      failing("odd could not be computed: a guard's condition is neither true nor false"),
    );
  });
});

describe("a call that leaves out every argument a condition compares with", () => {
  const by = having(field("origin.state", "eq", arg("state")));
  const rows = { table: "loads", where: by };
  const state = [param("state", "string", { optional: true })];
  const held = { path: ["status"], value: literal("held") };
  const guard = (on: Guard["on"]): Guard => ({
    on,
    test: { kind: "rows", table: "loads", where: by },
    error: "stopped",
  });
  const pass = { kind: "respond", value: literal("passed") } as const;
  const tools = [
    tool("find", state, { kind: "search", table: "loads", where: by, sort: [], fields: ["load_id"] }),
    tool("get", state, { kind: "lookup", rows }),
    write("hold", state, [update({ rows, set: [held] })]),
    write("clear", state, [{ kind: "delete", rows }]),
    tool("if", state, pass, [guard("if")]),
    tool("unless", state, pass, [guard("unless")]),
  ];
  const ids = (outcome: ToolOutcome) =>
    outcome.ok ? (outcome.result as { load_id: string }[]).map((row) => row.load_id) : outcome.error;
  test("searches everything", () => {
    const { call } = room(tools);
    expect(ids(call("find"))).toEqual(["L-1", "L-2", "L-3"]);
    expect(ids(call("find", { state: "OK" }))).toEqual(["L-3"]);
  });
  test("finds no row, and writes to none", () => {
    const { call } = room(tools);
    expect(call("get")).toEqual(failing("Load not found"));
    expect(call("hold")).toEqual(returning([]));
    expect(call("clear")).toEqual(returning([]));
    expect(ids(call("hold", { state: "OK" }))).toEqual(["L-3"]);
    expect(ids(call("clear", { state: "TX" }))).toEqual(["L-1", "L-2"]);
  });
  test("is not stopped by a guard that has nothing left to ask", () => {
    const { call } = room(tools);
    for (const name of ["if", "unless"]) expect(call(name)).toEqual(returning("passed"));
    expect(call("if", { state: "OK" })).toEqual(failing("stopped"));
    expect(call("unless", { state: "NM" })).toEqual(failing("stopped"));
  });
});

describe("create", () => {
  const create = (parts: Partial<Effect & { kind: "create" }> = {}): Effect => ({
    kind: "create",
    table: "bookings",
    set: [set("load_id", arg("load_id")), set("rate", arg("rate")), set("at", cel("now"))],
    ...parts,
  });
  const tools = [
    write("book", [loadId, rate], [create()]),
    write("book_as", [loadId, rate, param("id", "string")], [create({ key: arg("id") })]),
    write("book_twice", [loadId, rate], [create(), create()]),
    write("book_and_fail", [loadId, rate], [create(), create({ key: literal("B-2") })]),
    write("rename", [loadId], [create({ set: [set("booking_id", arg("load_id"))] })]),
  ];
  test("generates keys, passes over taken ones, and returns the row", () => {
    const { call } = room(tools);
    const row = (id: string) => ({ booking_id: id, load_id: "L-1", at: "2026-10-18T21:05:00Z" });
    const outcome = call("book", { load_id: "L-1" });
    expect(outcome).toEqual({
      ok: true,
      result: row("B-1"),
      changes: [{ op: "add", path: "/bookings/B-1", value: row("B-1") }],
    });
    expect(call("book", { load_id: "L-1" })).toMatchObject({ result: row("B-3") });
    expect(call("book_twice", { load_id: "L-1", rate: 5 })).toMatchObject({
      result: { ...row("B-4"), rate: 5 },
    });
    expect(call("book", { load_id: "L-1" })).toMatchObject({ result: row("B-6") });
  });
  test("takes a given key, once", () => {
    const { call } = room(tools);
    expect(call("book_as", { load_id: "L-1", id: "X" })).toMatchObject({
      ok: true,
      result: { booking_id: "X" },
    });
    expect(call("book_as", { load_id: "L-1", id: "X" })).toEqual(failing("Booking X already exists"));
  });
  test("uses up no number when the call fails", () => {
    const { call, world } = room(tools);
    expect(call("book_and_fail", { load_id: "L-1" })).toEqual(failing("Booking B-2 already exists"));
    expect(world.peekNumber("bookings", 1)).toBe(1);
  });
  test("does not set the key as a field", () => {
    const { call } = room(tools);
    expect(call("rename", { load_id: "L-1" })).toEqual(
      failing("rename could not be computed: booking_id is the key of bookings and cannot be set"),
    );
  });
});

describe("update", () => {
  const tools = [
    write(
      "book",
      [loadId, rate, note],
      [
        update({
          set: [
            set("status", literal("booked")),
            set("rate", arg("rate")),
            set(
              "booking.margin",
              cel("row('loads', args.load_id).ceiling - (has(args.rate) ? args.rate : 0.0)"),
            ),
          ],
          append: [set("notes", arg("note"))],
          remove: [set("tags", literal("urgent"))],
        }),
      ],
    ),
    write(
      "release",
      [param("state", "string")],
      [
        update({
          rows: { table: "loads", where: having(field("origin.state", "eq", arg("state"))) },
          set: [set("status", literal("held")), set("origin.lot", literal({ n: 1 }))],
        }),
      ],
    ),
    write(
      "through_text",
      [loadId],
      [update({ set: [set("status", literal("x")), set("status.now", literal(1))] })],
    ),
    write(
      "append_text",
      [loadId],
      [update({ set: [set("ceiling", literal(1))], append: [set("status", literal(1))] })],
    ),
    write("remove_text", [loadId], [update({ remove: [set("status", literal(1))] })]),
    write("rekey", [loadId], [update({ set: [set("load_id.x", literal(1))] })]),
    write("nothing", [loadId], [update({})]),
  ];
  test("sets, appends and removes, and tells the changes", () => {
    const { call } = room(tools);
    const outcome = call("book", { load_id: "L-1", rate: 1400, note: "call first" });
    expect(outcome.ok && outcome.result).toEqual({
      load_id: "L-1",
      status: "booked",
      ceiling: 1500,
      origin: { city: "Dallas", state: "TX" },
      tags: ["hot"],
      rate: 1400,
      booking: { margin: 100 },
      notes: ["call first"],
    });
    expect(outcome.changes).toHaveLength(7);
    expect(outcome.changes).toEqual(
      expect.arrayContaining([
        { op: "test", path: "/loads/L-1/status", value: "available" },
        { op: "replace", path: "/loads/L-1/status", value: "booked" },
        { op: "add", path: "/loads/L-1/rate", value: 1400 },
        { op: "add", path: "/loads/L-1/booking", value: { margin: 100 } },
        { op: "add", path: "/loads/L-1/notes", value: ["call first"] },
        { op: "test", path: "/loads/L-1/tags/1", value: "urgent" },
        { op: "remove", path: "/loads/L-1/tags/1" },
      ]),
    );
    expect(call("book", { load_id: "L-1", note: "again" })).toMatchObject({
      result: { rate: 1400, booking: { margin: 1500 }, notes: ["call first", "again"] },
    });
  });
  test("by a condition touches every match in insertion order, none being no failure", () => {
    const { call } = room(tools);
    const outcome = call("release", { state: "TX" });
    expect(outcome.ok && (outcome.result as JsonObject[]).map((row) => row.load_id)).toEqual(["L-1", "L-2"]);
    expect(outcome.changes.map((change) => change.path).sort()).toEqual([
      "/loads/L-1/origin/lot",
      "/loads/L-1/status",
      "/loads/L-1/status",
      "/loads/L-2/origin/lot",
      "/loads/L-2/status",
      "/loads/L-2/status",
    ]);
    expect(call("release", { state: "NM" })).toEqual(returning([]));
  });
  test("fails as a whole", () => {
    const { call } = room(tools);
    expect(call("book", { load_id: "L-9" })).toEqual(failing("Load L-9 not found"));
    expect(call("through_text", { load_id: "L-1" })).toEqual(
      failing("through_text could not be computed: status of Load L-1 is not an object"),
    );
    expect(call("append_text", { load_id: "L-1" })).toEqual(
      failing("append_text could not be computed: status of Load L-1 is not a list"),
    );
    expect(call("remove_text", { load_id: "L-1" })).toEqual(
      failing("remove_text could not be computed: status of Load L-1 is not a list"),
    );
    expect(call("rekey", { load_id: "L-1" })).toEqual(
      failing("rekey could not be computed: load_id is the key of loads and cannot be set"),
    );
  });
  test("that changes nothing tells no changes", () => {
    const { call } = room(tools);
    expect(call("nothing", { load_id: "L-1" })).toEqual(returning(loads.rows[0] ?? null));
  });
  test("does not tie rows, results or the domain together", () => {
    const { call, world } = room(tools);
    const first = call("release", { state: "TX" });
    const recorded = structuredClone(first);
    const row = world.get("loads", "L-1");
    call("book", { load_id: "L-1", note: "later" });
    expect(first).toEqual(recorded);
    expect(row).toMatchObject({ status: "held" });
    expect(world.get("loads", "L-1")?.origin).not.toBe(world.get("loads", "L-2")?.origin);
    expect(loads.rows[0]).toMatchObject({ status: "available", tags: ["hot", "urgent"] });
  });
});

describe("delete", () => {
  const { call, world } = room([
    write(
      "cancel",
      [param("booking_id", "string")],
      [{ kind: "delete", rows: { table: "bookings", key: arg("booking_id") } }],
    ),
    write(
      "clear",
      [],
      [
        {
          kind: "delete",
          rows: { table: "loads", where: having(field("status", "eq", literal("available"))) },
        },
      ],
    ),
  ]);
  test("returns the row as it was", () => {
    const row = world.get("bookings", "B-2");
    expect(call("cancel", { booking_id: "B-2" })).toEqual({
      ok: true,
      result: row,
      changes: [
        { op: "test", path: "/bookings/B-2", value: row },
        { op: "remove", path: "/bookings/B-2" },
      ],
    });
    expect(call("cancel", { booking_id: "B-2" })).toEqual(failing("Booking B-2 not found"));
  });
  test("by a condition returns the rows", () => {
    const outcome = call("clear");
    expect(outcome.ok && outcome.result).toEqual([loads.rows[0], loads.rows[2]]);
    expect([...world.scan("loads")].map((row) => row.load_id)).toEqual(["L-2"]);
  });
});

describe("several effects", () => {
  const book: Effect[] = [
    update({ set: [set("status", literal("booked"))] }),
    {
      kind: "create",
      table: "bookings",
      set: [set("load_id", arg("load_id")), set("status", cel("row('loads', args.load_id).status"))],
    },
    update({
      rows: { table: "bookings", where: having(field("load_id", "eq", arg("load_id"))) },
      append: [set("log", cel("string(size(rows('bookings')))"))],
    }),
  ];
  const swap: Effect[] = [
    { kind: "delete", rows: byKey },
    { kind: "create", table: "loads", key: arg("load_id"), set: [set("status", literal("new"))] },
  ];
  const { call, world } = room([
    write("book", [loadId], book),
    {
      ...write("answer", [loadId], book),
      action: {
        kind: "write",
        effects: book,
        respond: cel("{'ok': true, 'bookings': size(rows('bookings'))}"),
      },
    },
    write("break", [loadId], [...book, { kind: "delete", rows: { table: "bookings", key: literal("B-9") } }]),
    {
      ...write("bad_answer", [loadId], book),
      action: { kind: "write", effects: book, respond: cel("row('bookings', 'B-9').rate") },
    },
    write("swap", [loadId], swap),
  ]);
  test("see each other's writes; the result is the first one's row as the call leaves it", () => {
    expect(call("book", { load_id: "L-1" })).toMatchObject({
      ok: true,
      result: { load_id: "L-1", status: "booked" },
    });
    expect(world.get("bookings", "B-1")).toEqual({
      booking_id: "B-1",
      load_id: "L-1",
      status: "booked",
      log: ["2"],
    });
  });
  test("can be answered by a value computed after them", () => {
    expect(call("answer", { load_id: "L-3" })).toMatchObject({ ok: true, result: { ok: true, bookings: 3 } });
  });
  test("come all or none", () => {
    expect(call("break", { load_id: "L-2" })).toEqual(failing("Booking B-9 not found"));
    expect(call("bad_answer", { load_id: "L-2" })).toEqual(
      failing("bad_answer could not be computed: bookings has no row B-9"),
    );
  });
  test("can replace a row, which keeps its place", () => {
    expect(call("swap", { load_id: "L-1" })).toMatchObject({
      ok: true,
      result: { load_id: "L-1", status: "new" },
    });
    expect([...world.scan("loads")].map((row) => row.load_id)).toEqual(["L-1", "L-2", "L-3"]);
    expect(rowOf(world.toJson(), "loads", "L-1")).toEqual({ load_id: "L-1", status: "new" });
  });
});

test("a key and a field with slashes and tildes are escaped in paths", () => {
  const { call, world } = room([
    write("put", [loadId], [update({ set: [{ path: ["a/b~c"], value: literal(1) }] })]),
  ]);
  world.put("loads", "x/y~z", { load_id: "x/y~z" });
  expect(call("put", { load_id: "x/y~z" }).changes).toEqual([
    { op: "add", path: "/loads/x~1y~0z/a~1b~0c", value: 1 },
  ]);
});

test("lookups and keyed writes never go through a table", () => {
  const tools = [
    tool("get", [loadId], { kind: "lookup", rows: byKey }),
    write("set", [loadId], [update({ set: [set("status", literal("x"))] })]),
    write("add", [], [{ kind: "create", table: "loads", set: [] }]),
    write("cut", [loadId], [{ kind: "delete", rows: byKey }]),
  ];
  const world = new MemoryWorld();
  plantWorld(world, tables, []);
  world.scan = () => {
    throw new Error("scanned");
  };
  for (const name of ["get", "set", "cut"]) {
    expect(runTool(tools, name, { load_id: "L-1" }, { ...contextOf(), world }, tables).ok).toBe(true);
  }
  expect(runTool(tools, "add", {}, { ...contextOf(), world }, tables)).toMatchObject({
    result: { load_id: "L-2001" },
  });
});
