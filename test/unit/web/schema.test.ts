import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../../src/turn/json.ts";
import { checkValue, choicesOf, kindOf, resolveSchema, startingValue } from "../../../web/src/ui/schema.ts";

const order = z.toJSONSchema(
  z.object({
    id: z.string().min(1),
    amount: z.number().positive().max(100),
    count: z.int().min(1).default(2),
    speed: z.enum(["slow", "fast"]),
    note: z.string().nullable(),
    tags: z.array(z.string()).min(1),
    gift: z.boolean().optional(),
    to: z.object({ city: z.string() }),
    extra: z.record(z.string(), z.json()).optional(),
  }),
  { io: "input" },
) as JsonObject;

describe("a form from a schema", () => {
  test("begins with defaults and what is required, left empty", () => {
    expect(startingValue(order, order)).toEqual({
      id: "",
      amount: "",
      count: 2,
      speed: "slow",
      note: null,
      tags: [],
      to: { city: "" },
    });
  });

  test("finds what is missing, of the wrong type or out of bounds, each at its place", () => {
    const value = { id: "", amount: "12x", count: 1.5, speed: "slow", note: null, tags: [], to: {} };
    expect(checkValue(value, order, order)).toEqual([
      { path: "id", message: "Needed." },
      { path: "amount", message: "Expected a number." },
      { path: "count", message: "Expected a whole number." },
      { path: "tags", message: "At least 1." },
      { path: "to.city", message: "Needed." },
    ]);
    const amounts = [0, 101, 100].map((amount) => checkValue({ ...good, amount }, order, order));
    expect(amounts).toEqual([
      [{ path: "amount", message: "More than 0." }],
      [{ path: "amount", message: "At most 100." }],
      [],
    ]);
  });

  test("takes a value that fits", () => {
    expect(checkValue(good, order, order)).toEqual([]);
  });

  test("follows references, also one that goes round, and drops null from a choice", () => {
    const root: JsonObject = {
      $defs: { name: { type: "string", maxLength: 3 }, loop: { $ref: "#/$defs/loop" } },
      properties: { a: { $ref: "#/$defs/name" } },
    };
    expect(resolveSchema({ $ref: "#/$defs/name", title: "Name" }, root)).toEqual({
      schema: { type: "string", maxLength: 3, title: "Name" },
      nullable: false,
    });
    expect(kindOf(resolveSchema({ $ref: "#/$defs/loop" }, root).schema)).toBe("json");
    expect(resolveSchema({ anyOf: [{ type: "integer" }, { type: "null" }] }, root)).toEqual({
      schema: { type: "integer" },
      nullable: true,
    });
    expect(resolveSchema({ type: ["string", "null"] }, root)).toEqual({
      schema: { type: "string" },
      nullable: true,
    });
  });

  test("shows as JSON what no simpler control would tell the truth about", () => {
    const kinds = [
      {},
      { type: "object" },
      { anyOf: [{ type: "string" }, { type: "number" }] },
      { type: "array" },
    ];
    expect(kinds.map(kindOf)).toEqual(["json", "json", "json", "json"]);
    expect(choicesOf({ oneOf: [{ const: 1 }, { const: "two" }] })).toEqual([1, "two"]);
  });
});

const good = { id: "o1", amount: 5, count: 1, speed: "fast", note: null, tags: ["x"], to: { city: "Rome" } };
