import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateArguments } from "../../../src/sandtable/world/validate-arguments.ts";
import { param, tool } from "./domain.ts";

const respond = { kind: "respond", value: { kind: "literal", value: null } } as const;
const city = param("city", "string", { minLength: 2 });
const book = tool(
  "book_load",
  [
    param("load_id", "string"),
    param("rate", "number", { minimum: 0, maximum: 10_000 }),
    param("count", "integer", { optional: true }),
    param("equipment", "string", { enum: ["van", "reefer"], optional: true }),
    param("grade", "number", { enum: [1, 2], optional: true }),
    param("note", "string", { maxLength: 5, optional: true }),
    param("firm", "boolean", { optional: true }),
    param("extra", "object", { optional: true }),
    param("stops", "list", {
      optional: true,
      minItems: 1,
      maxItems: 2,
      items: {
        type: "object",
        optional: false,
        properties: [city, param("at", "string", { optional: true })],
      },
    }),
    param("any", "list", { optional: true }),
    param("grid", "list", {
      optional: true,
      items: { type: "list", optional: false, items: { type: "number", optional: false } },
    }),
  ],
  respond,
);
const fine = { load_id: "L-1", rate: 1400 };

describe("validateArguments", () => {
  test.each<[string, unknown]>([
    ["the least there must be", fine],
    [
      "everything",
      {
        ...fine,
        count: 2,
        equipment: "van",
        grade: 2,
        note: "hello",
        firm: false,
        extra: { any: [1] },
        stops: [{ city: "Waco" }],
      },
    ],
    ["text as long as its characters, not its code units", { ...fine, note: "👍👍👍👍👍" }],
    ["lists in lists", { ...fine, grid: [[1, 2], []] }],
  ])("takes %s", (_, args) => expect(validateArguments(book, args)).toBeNull());

  test.each<[unknown, string]>([
    [{ ...fine, foo: 1 }, 'unknown argument "foo"'],
    [{ foo: 1 }, 'unknown argument "foo"'],
    [{ rate: 1 }, 'missing argument "load_id"'],
    [{ load_id: "L-1" }, 'missing argument "rate"'],
    [{ load_id: 1, rate: 1 }, 'argument "load_id" must be a string, not a number'],
    [{ load_id: "L-1", rate: "1400" }, 'argument "rate" must be a number, not a string'],
    [{ load_id: null, rate: 1 }, 'argument "load_id" must be a string, not null'],
    [{ ...fine, rate: -1 }, 'argument "rate" must be at least 0, not -1'],
    [{ ...fine, rate: 10_001 }, 'argument "rate" must be at most 10000, not 10001'],
    [JSON.parse('{"load_id":"L-1","rate":1e999}'), 'argument "rate" is too large a number'],
    [{ ...fine, count: Number.NEGATIVE_INFINITY }, 'argument "count" is too large a number'],
    [{ ...fine, grade: Number.POSITIVE_INFINITY }, 'argument "grade" is too large a number'],
    [JSON.parse('{"load_id":1e999,"rate":1}'), 'argument "load_id" is too large a number'],
    [
      { ...fine, extra: JSON.parse('{"a":[1,{"b":[-1e999]}]}') },
      'argument "extra.a[1].b[0]" is too large a number',
    ],
    [{ ...fine, grid: [[1, Number.POSITIVE_INFINITY]] }, 'argument "grid[0][1]" is too large a number'],
    [{ ...fine, any: [[], [Number.POSITIVE_INFINITY]] }, 'argument "any[1][0]" is too large a number'],
    [{ ...fine, count: 1.5 }, 'argument "count" must be a whole number, not 1.5'],
    [{ ...fine, count: "1" }, 'argument "count" must be a whole number, not a string'],
    [{ ...fine, equipment: "flatbed" }, 'argument "equipment" must be one of van, reefer, not flatbed'],
    [{ ...fine, equipment: ["van"] }, 'argument "equipment" must be one of van, reefer, not a list'],
    [{ ...fine, grade: "1" }, 'argument "grade" must be one of 1, 2, not a string'],
    [{ ...fine, note: "hello!" }, 'argument "note" must have at most 5 characters'],
    [{ ...fine, firm: "yes" }, 'argument "firm" must be true or false, not a string'],
    [{ ...fine, firm: null }, 'argument "firm" must be true or false, not null'],
    [{ ...fine, extra: [] }, 'argument "extra" must be an object, not a list'],
    [{ ...fine, stops: {} }, 'argument "stops" must be a list, not an object'],
    [{ ...fine, stops: [] }, 'argument "stops" must have at least 1 item'],
    [
      { ...fine, stops: [{ city: "aa" }, { city: "bb" }, { city: "cc" }] },
      'argument "stops" must have at most 2 items',
    ],
    [{ ...fine, stops: [{ city: 5 }] }, 'argument "stops[0].city" must be a string, not a number'],
    [
      { ...fine, stops: [{ city: "aa" }, { city: "x" }] },
      'argument "stops[1].city" must have at least 2 characters',
    ],
    [{ ...fine, stops: [{ city: "aa", foo: 1 }] }, 'unknown argument "stops[0].foo"'],
    [{ ...fine, stops: [{ at: "noon" }] }, 'missing argument "stops[0].city"'],
    [{ ...fine, stops: ["Waco"] }, 'argument "stops[0]" must be an object, not a string'],
    [{ ...fine, grid: [[1, true]] }, 'argument "grid[0][1]" must be a number, not a boolean'],
    [JSON.parse('{"load_id":"L-1","rate":1,"__proto__":{}}'), 'unknown argument "__proto__"'],
    [Object.create({ load_id: "L-1", rate: 1 }), 'missing argument "load_id"'],
    [null, "arguments must be an object, not null"],
    [[fine], "arguments must be an object, not a list"],
    ["{}", "arguments must be an object, not a string"],
    [undefined, "arguments must be an object, not nothing"],
  ])("%j: %s", (args, message) => expect(validateArguments(book, args)).toBe(message));

  test("never throws on garbage, and says something about it", () => {
    fc.assert(
      fc.property(fc.anything(), (garbage) => {
        expect(validateArguments(book, garbage)).toEqual(expect.any(String));
        const inside = validateArguments(book, { ...fine, extra: garbage });
        expect(
          inside === null || /^argument "extra(" must be an object|.* is too large a number$)/s.test(inside),
        ).toBe(true);
      }),
    );
  });
});
