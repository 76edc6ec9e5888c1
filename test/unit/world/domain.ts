import type {
  FieldTest,
  NamedParam,
  Operator,
  Table,
  Tool,
  Value,
  Where,
} from "../../../src/sandtable/domain/types.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";

/** Short ways to write compiled parts of a domain. */
export const literal = (value: Json): Value => ({ kind: "literal", value });
export const arg = (...path: string[]): Value => ({ kind: "arg", path });
export const cel = (source: string): Value => ({ kind: "cel", source });
export const field = (path: string, op: Operator, value: Value): FieldTest => ({
  path: path.split("."),
  op,
  value,
});
export const having = (...tests: FieldTest[]): Where => [tests];
export const set = (path: string, value: Value) => ({ path: path.split("."), value });

export const param = (
  name: string,
  type: NamedParam["type"],
  more: Partial<NamedParam> = {},
): NamedParam => ({
  name,
  type,
  optional: false,
  ...more,
});

export const loads: Table = {
  name: "loads",
  key: "load_id",
  noun: "Load",
  newKey: { pattern: "L-{n}", start: 2001 },
  fields: ["load_id", "status", "ceiling", "origin", "notes", "tags", "rate", "booking"],
  rows: [
    {
      load_id: "L-1",
      status: "available",
      ceiling: 1500,
      origin: { city: "Dallas", state: "TX" },
      tags: ["hot", "urgent"],
    },
    { load_id: "L-2", status: "booked", ceiling: 900, origin: { city: "Waco", state: "TX" }, rate: 800 },
    { load_id: "L-3", status: "available", ceiling: 1200, origin: { city: "Tulsa", state: "OK" } },
  ],
};
export const bookings: Table = {
  name: "bookings",
  key: "booking_id",
  noun: "Booking",
  newKey: { pattern: "B-{n}", start: 1 },
  fields: ["booking_id", "load_id", "mc_number", "status", "rate"],
  rows: [{ booking_id: "B-2", load_id: "L-2", mc_number: "100101", status: "open" }],
};
export const tables = [loads, bookings];

export const tool = (
  name: string,
  params: NamedParam[],
  action: Tool["action"],
  guards: Tool["guards"] = [],
): Tool => ({
  name,
  description: name,
  params,
  guards,
  action,
});

/** The row of a key, as JSON. */
export const rowOf = (world: JsonObject, table: string, key: string): Json | undefined => {
  const rows = world[table];
  return rows !== null && typeof rows === "object" && !Array.isArray(rows) ? rows[key] : undefined;
};
