import { describe, expect, test } from "vitest";
import type { NamedParam, Table } from "../../../src/sandtable/domain/types.ts";
import {
  CelError,
  CelPrograms,
  type CelScope,
  checkCel,
  evaluateCel,
} from "../../../src/sandtable/expr/cel.ts";
import type { Json } from "../../../src/turn/json.ts";
import { callsOf, contextOf, linesOf, worldOf } from "./context.ts";

const world = worldOf({
  loads: {
    "L-1": {
      load_id: "L-1",
      ceiling: 1500,
      origin: { city: "Dallas" },
      tags: ["hot"],
      due: "2026-10-20T08:00:00Z",
    },
    "L-2": { load_id: "L-2", ceiling: 900, origin: { city: "Waco" }, tags: [], due: "2026-10-19T08:00:00Z" },
  },
});
const ctx = contextOf({
  world,
  args: { load_id: "L-1", rate: 1600, stops: [{ city: "Waco" }], stop: { city: "Waco" }, firm: true },
  tool: "book_load",
  reply: "It pays $1,375. OK?",
  conversation: {
    messages: linesOf(["caller", "Hi"], ["agent", "Hello"], ["caller", "I want L-1", "insist"]),
    calls: callsOf(
      { tool: "verify_carrier", args: { mc: "100101" }, result: { status: "active" } },
      { tool: "verify_carrier", args: { mc: "7" }, ok: false, error: "no" },
    ),
  },
});

const param = (name: string, type: NamedParam["type"], more: Partial<NamedParam> = {}): NamedParam => ({
  name,
  type,
  optional: false,
  ...more,
});
const city = { name: "city", type: "string", optional: false } as const;
const params: NamedParam[] = [
  param("load_id", "string"),
  param("rate", "number"),
  param("count", "integer"),
  param("firm", "boolean"),
  param("note", "string", { optional: true }),
  param("stop", "object", { properties: [city] }),
  param("stops", "list", { items: { type: "object", optional: false, properties: [city] } }),
  param("extra", "object"),
];
const table: Table = {
  name: "loads",
  key: "load_id",
  noun: "Load",
  newKey: { pattern: "L-{n}", start: 1 },
  fields: ["load_id", "ceiling", "origin", "tags", "due"],
  rows: [],
};
const scope: CelScope = { kind: "rule", params, tables: [table] };

describe("evaluateCel", () => {
  test.each<[string, Json]>([
    ["args.rate * 2", 3200],
    ["2 * args.rate - 1", 3199],
    ["args.rate + 1.5", 1601.5],
    ["args.rate / 400", 4],
    ["400 / args.rate", 0.25],
    ["args.rate % 7", 4],
    ["7 / 2", 3],
    ["-args.rate", -1600],
    ["row('loads', args.load_id).ceiling * 1.1", 1650],
    ["row('loads', args.load_id).ceiling * 2 + 1", 3001],
    ["args.rate + 1 <= row('loads', args.load_id).ceiling", false],
    ["args.rate == 1600 && 1600 == args.rate && args.rate != 1601", true],
    ["args.rate in [1600, 2]", true],
    ["row('loads', 'L-9')", null],
    ["row('loads', 'L-9') == null", true],
    ["row('loads', 'L-1') != null", true],
    ["has_row('loads', 'L-1')", true],
    ["has_row('loads', 'L-9')", false],
    ["row('loads', 'L-1').origin.city", "Dallas"],
    ["rows('loads').filter(l, l.ceiling > 1000).map(l, l.load_id)", ["L-1"]],
    ["rows('loads').exists(l, 'hot' in l.tags)", true],
    ["size(rows('loads'))", 2],
    ["has(args.note)", false],
    ["has(args.rate)", true],
    ["args.stops[0].city", "Waco"],
    ["tool", "book_load"],
    ["said", "I want L-1"],
    ["turn", 2],
    ["messages.map(m, m.role)", ["caller", "agent", "caller"]],
    ["messages[2].act", "insist"],
    ["messages[0].act == null", true],
    ["calls.filter(c, c.ok).map(c, c.args.mc)", ["100101"]],
    ["calls.exists(c, c.tool == 'verify_carrier' && c.ok && c.result.status == 'active')", true],
    ["calls[1].error", "no"],
    ["calls[1].turn == 1", true],
    ["says(reply, '1375')", true],
    ["amounts(reply)", [1375]],
    ["amounts(reply).exists(a, a >= 1300)", true],
    ["now", "2026-10-18T21:05:00Z"],
    ["now + duration('90m')", "2026-10-18T22:35:00Z"],
    ["timestamp(row('loads', 'L-1').due) - now", "125700s"],
    ["timestamp(row('loads', 'L-1').due) < now + duration('48h')", true],
    ["string(now)", "2026-10-18T21:05:00Z"],
    ["{'a': [1, 2.5], 'b': null}", { a: [1, 2.5], b: null }],
    ["args.firm ? 'firm' : 'open'", "firm"],
    ["string(args.rate)", "1600"],
  ])("%s", (source, expected) => expect(evaluateCel(source, ctx)).toEqual(expected));

  test.each([
    ["row('loads', 'L-9').ceiling", "loads has no row L-9"],
    ["row('loads', 'L-1').price", 'there is no "price"'],
    ["args.note", 'there is no "note"'],
    ["row('loads', 'L-9')['ceiling']", "loads has no row L-9"],
    ["row('loads', 'L-9').origin.city", "loads has no row L-9"],
    ["!has_row('loads', 'L-9') && args.note == 'x'", 'there is no "note"'],
    ["1 / 0", "division by zero"],
    ["1.0 / 0.0", "the result is not a number (division by zero?)"],
    ["args.rate + 'x'", "no such overload: dyn<double> + string"],
    ["row('loads', null)", "the key of a row must be text"],
    ["nothing", "unknown variable: nothing"],
    ["1 +", "the expression ends too early"],
    ["b'abc'", "the result is not text, a number, true or false, null, a list or an object"],
    [
      "said.matches('(a+)+b')",
      "matches() is not available; use contains(), startsWith(), endsWith() or says()",
    ],
    ["cel.bind(x, 'a', x + x)", "cel.bind() is not available; write the value out"],
    [
      `${"[1].all(x, ".repeat(4)}true${")".repeat(4)}`,
      "more than 3 of all(), exists(), exists_one(), filter() and map() inside one another",
    ],
    [`[1]${".map(x, x)".repeat(17)}`, "more than 16 of all(), exists(), exists_one(), filter() and map()"],
    [`['x']${`.map(a, ${Array(30).fill("a").join("+")})`.repeat(6)}`, "grows too large"],
    [`[1]${".map(a, [a, a, a, a, a, a, a, a])".repeat(12)}`, "the result is too large"],
    [`'${"x".repeat(4000)}'`, "longer than 4000 characters"],
    [`${"(".repeat(60)}1${")".repeat(60)}`, "exceeded maxDepth (50)"],
  ])("%s fails: %s", (source, message) => {
    let thrown: unknown;
    try {
      evaluateCel(source, ctx);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CelError);
    expect((thrown as CelError).message).toBe(message);
  });

  test("keys that JavaScript objects are born with are data like any other", () => {
    const args = JSON.parse('{"o":{"constructor":"x","__proto__":{"a":1}},"constructor":5,"toString":"t"}');
    const odd = contextOf({ args });
    expect(evaluateCel("args.constructor", odd)).toBe(5);
    expect(evaluateCel("args.o.constructor", odd)).toBe("x");
    expect(evaluateCel("args.o['__proto__'].a", odd)).toBe(1);
    expect(JSON.stringify(evaluateCel("args", odd))).toBe(JSON.stringify(args));
    expect(evaluateCel("has(args.o.hasOwnProperty)", odd)).toBe(false);
    expect(() => evaluateCel("args.valueOf", contextOf())).toThrow('there is no "valueOf"');
  });

  test("compiled programs see each context anew and hold none of it", () => {
    const programs = new CelPrograms();
    const at = (rate: number) =>
      evaluateCel("args.rate > size(calls)", contextOf({ args: { rate }, programs }));
    expect([at(1), at(0), at(2)]).toEqual([true, false, true]);
    expect(programs.evaluate("has(args.rate)", contextOf())).toBe(false);
  });

  test("an evaluation reads a table once, and a text once", () => {
    let scans = 0;
    const world = {
      get: () => undefined,
      scan: () => {
        scans += 1;
        return Array(1500).fill({ id: "x" });
      },
    };
    const many = contextOf({ world, reply: "the load is booked, ".repeat(2000) });
    expect(evaluateCel("size(rows('t').filter(a, size(rows('u')) == 1500))", many)).toBe(1500);
    expect(scans).toBe(2);
    const started = performance.now();
    expect(
      evaluateCel("rows('t').all(a, says(reply, 'booked the load') || amounts(reply) == [])", many),
    ).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each([
    "rows('t').all(a, rows('t').all(b, a.n == b.n))",
    "[rows('t')].exists(r, r.exists(a, r.exists(b, a.n > b.n)))",
    "[rows('t')].map(r, r.map(a, r.map(b, 1)))",
    "size(rows('t').filter(a, args.ids.exists_one(id, id == a.id))) > 0",
    "rows('t').all(a, a.id in args.ids)",
    "rows('t').all(a, rows('t').exists(b, b.gone == 1))",
    "[rows('t')].all(r, r.all(a, r.map(b, b.gone == 1 || true) != []))",
    "rows('t').all(a, says(reply + a.id, 'no') == false)",
    "rows('t').all(a, args.object.all(k, args.object.all(l, k == l || true)))",
    "[1].all(x, (rows('t').filter(a, args.ids.exists(i, i == a.id) || true)).size() > 0)",
  ])(
    "%s is stopped in time",
    (source) => {
      const rows = Array.from({ length: 10_000 }, (_, n) => ({ id: `L-${n}`, n: 0 }));
      const ids = rows.map((row) => row.id);
      const args = { ids, object: Object.fromEntries(ids.map((id) => [id, 1])) };
      const context = contextOf({
        args,
        reply: "x ".repeat(500),
        world: { get: () => undefined, scan: () => rows },
      });
      expect(() => evaluateCel(source, context)).toThrow("takes more than 20000000 steps");
    },
    30_000,
  );

  test("a table of 100,000 rows can be gone through several times", () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ id: `L-${n}`, n, tags: ["a", "b"] }));
    const context = contextOf({ args: { id: "L-99999" }, world: { get: () => undefined, scan: () => rows } });
    const source = "rows('t').exists(r, r.id == args.id && r.n > 5 && r.tags.exists(t, t == 'b'))";
    expect(evaluateCel(`${source} && ${source}`, context)).toBe(true);
    expect(evaluateCel("size(rows('t').filter(r, r.n % 2 == 0).map(r, r.id))", context)).toBe(50_000);
  });

  test("an error of the world is not taken for one of the expression, even where the engine would pass over it", () => {
    const failing = contextOf();
    failing.world = {
      get: () => {
        throw new TypeError("storage is gone");
      },
      scan: () => [],
    };
    for (const source of [
      "row('t', 'k') == null",
      "true || has_row('t', 'k')",
      "has_row('t', 'k') || true",
      "[1].exists(x, has_row('t', 'k') || x == 1)",
    ]) {
      if (source.startsWith("true")) expect(evaluateCel(source, failing)).toBe(true);
      else expect(() => evaluateCel(source, failing)).toThrow(new TypeError("storage is gone"));
    }
  });

  test("reads only what an expression asks for", () => {
    const hidden = contextOf();
    Object.defineProperty(hidden.conversation, "calls", {
      get: () => {
        throw new Error("calls were read");
      },
    });
    expect(evaluateCel("1 + 1", hidden)).toBe(2);
    expect(() => evaluateCel("size(calls)", hidden)).toThrow("calls were read");
  });
});

describe("checkCel", () => {
  test.each([
    "args.rate * 2",
    "args.rate * 2 + 1.5 <= row('loads', args.load_id).ceiling * 1.1",
    "row('loads', args.load_id).origin.city == args.stop.city",
    "args.stops.all(s, s.city != '')",
    "args.extra.anything == 1",
    "args.count % 2 == 0",
    "args.rate in [1, 2]",
    "has(args.note) && args.note.contains('x')",
    "calls.filter(c, c.ok).exists(c, c.args.anything == tool)",
    "messages.exists(m, m.role == 'caller' && says(m.text, said))",
    "timestamp(row('loads', 'x').due) < now + duration('48h')",
    "rows(tool).size() > 0",
    "rows('loads').map(l, l.origin).exists(o, o.city == 'x')",
    "args.stops.filter(args, args.city == 'x').size() == 1",
  ])("nothing is wrong with %s", (source) => expect(checkCel(source, scope)).toBeNull());

  test.each<[string, string, number, string?]>([
    ["args.rte > 1", 'unknown argument "rte"', 5, "rate"],
    ["has(args.nte)", 'unknown argument "nte"', 9, "note"],
    ["args['rte'] > 1", 'unknown argument "rte"', 5, "rate"],
    ["args.stop.citty", 'unknown argument "citty"', 10, "city"],
    ["args.stops[0].citty", 'unknown argument "citty"', 14, "city"],
    ["args.stops.exists(s, s.citty == 'x')", 'unknown argument "citty"', 23, "city"],
    ["row('lods', args.load_id)", 'unknown table "lods"', 4, "loads"],
    ["rows('zebras')", 'unknown table "zebras"', 5],
    ["has_row('load', 'x')", 'unknown table "load"', 8, "loads"],
    ["row('loads', 'x').celing > 1", 'table loads has no field "celing"', 18, "ceiling"],
    ["rows('loads').filter(l, l.celing > 1)", 'table loads has no field "celing"', 26, "ceiling"],
    ["rows('loads').filter(l, true)[0].celing", 'table loads has no field "celing"', 33, "ceiling"],
    ["calls.exists(c, c.tol == 'x')", 'a call has no field "tol"', 18, "tool"],
    ["messages.exists(m, m.rle == 'x')", 'a message has no field "rle"', 21, "role"],
    ["foo(1)", 'unknown function "foo"', 0],
    ["siz(calls)", 'unknown function "siz"', 0, "size"],
    ["said.contans('x')", 'unknown function "contans"', 0, "contains"],
    ["sad == 'x'", 'unknown variable "sad"', 0, "said"],
    ["reply == 'x'", 'unknown variable "reply"', 0],
    ["args.rate + 'x'", "cannot compute number + text", 0],
    ["args.load_id == 3", "cannot compute text == number", 0],
    ["says(1, 'x')", "says() cannot take (number, text); it is says(text, text)", 0],
    ["args.rate.foo", "cannot index type 'number'", 10],
    ["args.rate > 1 ? 1 : 'x'", "ternary branches must have the same type, got 'number' and 'text'", 0],
    ["args.rate >", "the expression ends too early", 11],
    [
      "said.matches('a')",
      "matches() is not available; use contains(), startsWith(), endsWith() or says()",
      0,
    ],
  ])("%s: %s at %i", (source, message, offset, suggestion) => {
    expect(checkCel(source, scope)).toEqual(
      suggestion === undefined ? { message, offset } : { message, offset, suggestion },
    );
  });

  test("a condition must be true or false, as far as that is known", () => {
    const bool: CelScope = { ...scope, expects: "bool" };
    expect(checkCel("args.rate", bool)).toEqual({
      message: "the result must be true or false, not number",
      offset: 0,
    });
    expect(checkCel("args.firm", bool)).toBeNull();
    expect(checkCel("row('loads', 'x').tags", bool)).toBeNull();
    expect(checkCel("rows('loads')", bool)?.message).toBe("the result must be true or false, not list");
    expect(checkCel("args.rate", { ...scope, expects: "any" })).toBeNull();
  });

  test("a caller sees the reply and the turn, and no arguments", () => {
    const caller: CelScope = { kind: "caller", params: [], tables: [table], expects: "bool" };
    expect(checkCel("turn > 2 && says(reply, 'x')", caller)).toBeNull();
    expect(checkCel("args.rate > 1", caller)?.message).toBe('unknown variable "args"');
    expect(checkCel("tool == 'x'", caller)?.message).toBe('unknown variable "tool"');
  });

  test("a tool without parameters has no arguments", () => {
    expect(checkCel("args.rate > 1", { kind: "tool", params: [], tables: [] })?.message).toBe(
      'unknown argument "rate"',
    );
  });
});
