import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Operator, operators, type Value, type Where } from "../../../src/sandtable/domain/types.ts";
import { deepEqual } from "../../../src/sandtable/expr/equal.ts";
import { getPath, setPath } from "../../../src/sandtable/expr/path.ts";
import { evaluateValue } from "../../../src/sandtable/expr/value.ts";
import { explainMismatch, matches, remainingWhere, testValue } from "../../../src/sandtable/expr/where.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";
import { contextOf } from "./context.ts";

const ctx = contextOf({ args: { load_id: "L-1", rate: 1400, none: null } });
const literal = (value: Json): Value => ({ kind: "literal", value });
const where = (path: string, op: Operator, value: Json): Where => [
  [{ path: path.split("."), op, value: literal(value) }],
];

describe("an operator", () => {
  const row: Json = {
    n: 5,
    text: "Dallas, TX",
    list: ["van", 2, { a: 1 }],
    nil: null,
    yes: true,
    day: "2026-10-18",
    o: { b: [1], a: 0 },
  };
  test.each<[string, Operator, Json, boolean]>([
    ["n", "eq", 5, true],
    ["n", "eq", 5.0, true],
    ["n", "eq", "5", false],
    ["nil", "eq", null, true],
    ["gone", "eq", null, false],
    ["o", "eq", { a: 0, b: [1] }, true],
    ["o", "eq", { a: 0 }, false],
    ["list", "eq", ["van", 2, { a: 1 }], true],
    ["list", "eq", ["van", { a: 1 }, 2], false],
    ["text", "eq", "dallas, tx", false],
    ["n", "ne", 6, true],
    ["n", "ne", 5, false],
    ["gone", "ne", 5, true],
    ["nil", "ne", null, false],
    ["n", "gt", 4.5, true],
    ["n", "gt", 5, false],
    ["n", "gte", 5, true],
    ["n", "lt", 5, false],
    ["n", "lte", 5, true],
    ["n", "lt", "9", false],
    ["day", "lt", "2026-10-19", true],
    ["day", "gte", "2026-10-18", true],
    ["gone", "lt", 9, false],
    ["nil", "lte", 9, false],
    ["yes", "gt", false, false],
    ["n", "in", [1, 5], true],
    ["n", "in", ["5"], false],
    ["n", "in", 5, false],
    ["gone", "in", [null], false],
    ["nil", "in", [null], true],
    ["n", "not_in", [1, 5], false],
    ["gone", "not_in", [1], true],
    ["n", "not_in", 5, true],
    ["text", "contains", "dallas", true],
    ["text", "contains", "Austin", false],
    ["list", "contains", "van", true],
    ["list", "contains", "VAN", false],
    ["list", "contains", { a: 1 }, true],
    ["n", "contains", "5", false],
    ["gone", "contains", "x", false],
    ["list", "not_contains", 3, true],
    ["text", "not_contains", "TX", false],
    ["gone", "not_contains", "x", true],
    ["nil", "not_contains", "x", true],
    ["text", "starts_with", "DAL", true],
    ["text", "ends_with", "tx", true],
    ["text", "ends_with", "dallas", false],
    ["n", "starts_with", "5", false],
    ["n", "exists", true, true],
    ["gone", "exists", true, false],
    ["gone", "exists", false, true],
    ["nil", "exists", true, false],
    ["nil", "exists", false, true],
    ["n", "exists", false, false],
    ["o.b.0", "eq", 1, true],
    ["o.b.1", "exists", false, true],
    ["n.x", "ne", 1, true],
    ["constructor", "exists", true, false],
    ["o.__proto__", "exists", true, false],
  ])("%s %s %j is %s", (path, op, value, expected) => {
    expect(matches(row, where(path, op, value), ctx)).toBe(expected);
  });

  test("any looks for one element that meets a whole condition", () => {
    const stops: Json = {
      stops: [
        { city: "Waco", n: 1 },
        { city: "Dallas", n: 2 },
      ],
    };
    const any = (city: string, n: number): Where => [
      [
        {
          path: ["stops"],
          op: "any",
          where: [[...where("city", "eq", city).flat(), ...where("n", "eq", n).flat()]],
        },
      ],
    ];
    expect(matches(stops, any("Dallas", 2), ctx)).toBe(true);
    expect(matches(stops, any("Dallas", 1), ctx)).toBe(false);
    expect(matches({ stops: "Dallas" }, any("Dallas", 2), ctx)).toBe(false);
    expect(matches({}, any("Dallas", 2), ctx)).toBe(false);
  });

  test("a bare value is tested by an empty path", () => {
    expect(matches(1400, [[{ path: [], op: "lt", value: literal(1600) }]], ctx)).toBe(true);
    expect(matches(1700, [[{ path: [], op: "lt", value: literal(1600) }]], ctx)).toBe(false);
  });
});

describe("a condition", () => {
  const open = where("status", "eq", "open").flat();
  test("needs all tests of one alternative", () => {
    const either: Where = [[...open, ...where("n", "gt", 3).flat()], where("id", "eq", "x").flat()];
    expect(matches({ status: "open", n: 4 }, either, ctx)).toBe(true);
    expect(matches({ status: "open", n: 3 }, either, ctx)).toBe(false);
    expect(matches({ id: "x" }, either, ctx)).toBe(true);
    expect(matches({}, [[]], ctx)).toBe(true);
    expect(matches({}, [], ctx)).toBe(false);
  });

  test("compares with arguments and leaves out tests of omitted ones", () => {
    const by = (name: string): Where => [
      [{ path: ["id"], op: "eq", value: { kind: "arg", path: [name] } }, ...open],
    ];
    expect(matches({ id: "L-1", status: "open" }, by("load_id"), ctx)).toBe(true);
    expect(matches({ id: "L-2", status: "open" }, by("load_id"), ctx)).toBe(false);
    expect(matches({ id: "L-2", status: "open" }, by("omitted"), ctx)).toBe(true);
    expect(matches({ id: "L-2", status: "shut" }, by("omitted"), ctx)).toBe(false);
    expect(matches({ id: null, status: "open" }, by("none"), ctx)).toBe(true);
  });

  const omitted = (path: string): Where[number] => [
    { path: path.split("."), op: "eq", value: { kind: "arg", path: ["omitted"] } },
  ];
  const given = (path: string): Where[number] => [
    { path: path.split("."), op: "eq", value: { kind: "arg", path: ["load_id"] } },
  ];
  const any = (where: Where): Where => [[{ path: ["stops"], op: "any", where }]];

  test("an any that lost its tests falls away, on a list of whatever length and on none", () => {
    for (const subject of [{ stops: [] }, { stops: [{ state: "TX" }] }, {}, { stops: null }]) {
      expect(matches(subject, any([omitted("state")]), ctx)).toBe(true);
      expect(matches(subject, any(any([omitted("state")])), ctx)).toBe(true);
      expect(explainMismatch(subject, any([omitted("state")]), ctx)).toBe("");
    }
    expect(matches({ status: "shut", stops: [] }, [[...any([omitted("state")]).flat(), ...open]], ctx)).toBe(
      false,
    );
    expect(matches({ status: "open", stops: [] }, [[...any([omitted("state")]).flat(), ...open]], ctx)).toBe(
      true,
    );
  });

  test("an any keeps the tests that are left", () => {
    const both = any([[...omitted("state"), ...given("id")]]);
    expect(matches({ stops: [{ id: "L-1" }] }, both, ctx)).toBe(true);
    expect(matches({ stops: [{ id: "L-2" }] }, both, ctx)).toBe(false);
    expect(matches({ stops: [] }, both, ctx)).toBe(false);
  });

  test("an any written without tests asks for an element", () => {
    expect(matches({ stops: [] }, any([[]]), ctx)).toBe(false);
    expect(matches({ stops: [1] }, any([[]]), ctx)).toBe(true);
  });

  test("of alternatives the one that lost its tests falls away, and the others decide", () => {
    const either: Where = [omitted("from"), given("to")];
    expect(matches({ from: "x", to: "L-1" }, either, ctx)).toBe(true);
    expect(matches({ from: "x", to: "L-2" }, either, ctx)).toBe(false);
    expect(explainMismatch({ to: "L-2" }, either, ctx)).toBe("to was L-2, expected L-1");
    expect(matches({ stops: [] }, any(either), ctx)).toBe(false);
    expect(matches({ stops: [{ to: "L-1" }] }, any(either), ctx)).toBe(true);
    expect(matches({}, [omitted("from"), omitted("to")], ctx)).toBe(true);
    expect(matches({}, [omitted("from"), []], ctx)).toBe(true);
  });

  test("a list or object of nothing but omitted arguments falls away; one argument is enough to keep it", () => {
    const arg = (name: string): Value => ({ kind: "arg", path: [name] });
    const oneOf = (...items: Value[]): Where => [
      [{ path: ["id"], op: "in", value: { kind: "list", items } }],
    ];
    expect(matches({ id: "L-2" }, oneOf(arg("omitted"), arg("gone")), ctx)).toBe(true);
    expect(matches({ id: "L-2" }, oneOf(arg("omitted"), arg("load_id")), ctx)).toBe(false);
    expect(matches({ id: "L-1" }, oneOf(arg("omitted"), arg("load_id")), ctx)).toBe(true);
    expect(matches({ id: "L-1" }, oneOf(), ctx)).toBe(false);
    const object = (name: string): Value => ({
      kind: "object",
      entries: [{ name: "city", value: arg(name) }],
    });
    const holds = (value: Value): Where => [[{ path: ["stops"], op: "contains", value }]];
    expect(matches({ stops: [] }, holds(object("omitted")), ctx)).toBe(true);
    expect(matches({ stops: [] }, holds(object("load_id")), ctx)).toBe(false);
  });

  test("what is left of one is null once all of it fell away", () => {
    expect(remainingWhere([omitted("id")], ctx)).toBeNull();
    expect(remainingWhere(any([omitted("id")]), ctx)).toBeNull();
    expect(remainingWhere([[]], ctx)).toEqual([[]]);
    expect(remainingWhere([], ctx)).toEqual([]);
    expect(remainingWhere([omitted("id"), given("id")], ctx)).toEqual([
      [{ path: ["id"], op: "eq", value: "L-1" }],
    ]);
  });

  test("compares with CEL", () => {
    const cel: Where = [[{ path: ["rate"], op: "lte", value: { kind: "cel", source: "args.rate + 100" } }]];
    expect(matches({ rate: 1500 }, cel, ctx)).toBe(true);
    expect(matches({ rate: 1501 }, cel, ctx)).toBe(false);
    expect(() =>
      matches({}, [[{ path: [], op: "eq", value: { kind: "cel", source: "args.x" } }]], ctx),
    ).toThrow('there is no "x"');
  });
});

describe("explainMismatch", () => {
  test.each<[Json, Where, string]>([
    [{ rate: 1600 }, where("rate", "lte", 1375), "rate was 1600, expected at most 1375"],
    [{}, where("rate", "gt", 5), "rate was missing, expected more than 5"],
    [{ status: "booked" }, where("status", "eq", "available"), "status was booked, expected available"],
    [
      { status: "sold out" },
      where("status", "in", ["a", "b c"]),
      'status was "sold out", expected one of a, "b c"',
    ],
    [{ a: { b: null } }, where("a.b", "exists", true), "a.b was null, expected a value"],
    [{ a: 1 }, where("a", "exists", false), "a was 1, expected no value"],
    [5, [[{ path: [], op: "lt", value: literal(4) }]], "the value was 5, expected less than 4"],
    [{ rate: 1 }, where("rate", "eq", 1), ""],
    [{}, [], "nothing can match"],
    [
      { tags: [{ n: 1 }] },
      [[{ path: ["tags"], op: "any", where: where("n", "eq", 2) }]],
      "no element of tags matches (n was 1, expected 2)",
    ],
    [{}, [[{ path: ["tags"], op: "any", where: [[]] }]], "tags was missing, expected a list"],
    [
      { a: 1, b: 1 },
      [
        [...where("a", "eq", 2).flat(), ...where("b", "eq", 2).flat()],
        [...where("a", "eq", 1).flat(), ...where("b", "eq", 3).flat()],
      ],
      "b was 1, expected 3",
    ],
  ])("%j", (subject, condition, expected) => expect(explainMismatch(subject, condition, ctx)).toBe(expected));
});

describe("on any JSON", () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  const anyOperator = fc.constantFrom(...operators);

  test("operators are total, and not_x is the opposite of x", () => {
    const opposite: [Operator, Operator][] = [
      ["eq", "ne"],
      ["in", "not_in"],
      ["contains", "not_contains"],
    ];
    fc.assert(
      fc.property(fc.option(json, { nil: undefined }), anyOperator, json, (actual, op, expected) => {
        expect(typeof testValue(actual, op, expected)).toBe("boolean");
        for (const [one, other] of opposite)
          expect(testValue(actual, one, expected)).toBe(!testValue(actual, other, expected));
      }),
    );
  });

  test("a condition is met exactly when there is nothing to explain", () => {
    const field = fc.record({
      path: fc.array(fc.constantFrom("a", "b", "0", "__proto__", "length")),
      op: anyOperator,
      value: json.map(literal),
    });
    fc.assert(
      fc.property(
        json,
        fc.array(fc.array(field, { maxLength: 3 }), { maxLength: 3 }),
        (subject, condition) => {
          expect(explainMismatch(subject, condition, ctx) === "").toBe(matches(subject, condition, ctx));
        },
      ),
    );
  });

  test("equality is that of the JSON with sorted keys", () => {
    const sorted = (value: Json): Json => {
      if (value === null || typeof value !== "object") return value === 0 ? 0 : value;
      if (Array.isArray(value)) return value.map(sorted);
      return Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, inner]) => [name, sorted(inner)]);
    };
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(deepEqual(a, structuredClone(a))).toBe(true);
        expect(deepEqual(a, b)).toBe(
          JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)) && Array.isArray(a) === Array.isArray(b),
        );
      }),
    );
  });

  test("what is set at a path is found there, and nothing else of the object changes", () => {
    const names = fc.array(fc.constantFrom("a", "b", "__proto__", "constructor"), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), json), names, json, (object, path, value) => {
        const before: JsonObject = structuredClone(object);
        const changed: JsonObject = structuredClone(object);
        if (setPath(changed, path, value) === null) expect(getPath(changed, path)).toEqual(value);
        else expect(getPath(before, path)).toBeUndefined();
        for (const name of Object.keys(before))
          if (name !== path[0]) expect(changed[name]).toEqual(before[name]);
        expect(({} as JsonObject).a).toBeUndefined();
      }),
    );
  });
});

describe("evaluateValue", () => {
  test("leaves out what depends on an omitted argument", () => {
    const arg = (...path: string[]): Value => ({ kind: "arg", path });
    const value: Value = {
      kind: "object",
      entries: [
        { name: "id", value: arg("load_id") },
        { name: "note", value: arg("note") },
        { name: "list", value: { kind: "list", items: [arg("note"), arg("rate"), literal(null)] } },
        { name: "__proto__", value: { kind: "cel", source: "args.rate * 2" } },
      ],
    };
    expect(JSON.stringify(evaluateValue(value, ctx))).toBe(
      '{"id":"L-1","list":[1400,null],"__proto__":2800}',
    );
    expect(evaluateValue(arg("note"), ctx)).toBeUndefined();
    expect(evaluateValue(arg("load_id", "0"), ctx)).toBeUndefined();
  });
});
