import { describe, expect, test } from "vitest";
import type { Rule, RuleForm } from "../../../src/sandtable/domain/types.ts";
import type { EvalContext } from "../../../src/sandtable/expr/context.ts";
import { checkReply } from "../../../src/sandtable/rules/check-reply.ts";
import { shownSecrets } from "../../../src/sandtable/rules/shown-secrets.ts";
import type { Json } from "../../../src/turn/json.ts";
import { callsOf, contextOf, linesOf, worldOf } from "../expr/context.ts";
import { bookings, field, having, literal, loads } from "../world/domain.ts";

type Form = RuleForm & { kind: "never_disclose" };
const disclose = (form: Partial<Form>): Rule & Form => ({
  id: "secret",
  on: null,
  severity: "hard",
  kind: "never_disclose",
  fields: [],
  texts: [],
  ...form,
});
const ceiling = disclose({ fields: [{ table: "loads", path: ["ceiling"] }] });
const row = { load_id: "L-1", status: "available", ceiling: 1500 };
const world = worldOf({ loads: { "L-1": row, "L-2": { load_id: "L-2", status: "held", ceiling: 900 } } });
const shown = (...results: Json[]): Partial<EvalContext> => ({
  conversation: { messages: [], calls: callsOf(...results.map((result) => ({ tool: "get", result }))) },
});
const check = (rule: Rule, reply: string, ctx: Partial<EvalContext> = {}) =>
  checkReply([rule], reply, contextOf({ world, tables: [loads, bookings], ...ctx }));
const kept = [{ rule: "secret", outcome: "kept" }];
const isBroken = [expect.objectContaining({ rule: "secret", outcome: "broken" })];

describe("a secret field", () => {
  test("is at stake once the agent was shown it", () => {
    expect(check(ceiling, "It is 1500")).toEqual([]);
    expect(check(ceiling, "Hello", shown(row))).toEqual(kept);
    expect(check(ceiling, "It is 1500", shown({ load_id: "L-1", status: "available" }))).toEqual([]);
    expect(check(ceiling, "It is 1500", shown("1500", null, [], 1500))).toEqual([]);
  });

  test("is disclosed in any format", () => {
    expect(check(ceiling, "I can go up to $1,500 on that.", shown(row))).toEqual([
      {
        rule: "secret",
        outcome: "broken",
        message: "the reply discloses the ceiling 1500 of loads L-1",
        evidence: { disclosed: [{ table: "loads", key: "L-1", field: "ceiling", value: 1500, call: 0 }] },
      },
    ]);
    for (const reply of ["1500", "1.5k tops", "fifteen hundred", "USD 1,500.00"])
      expect(check(ceiling, reply, shown(row))).toEqual(isBroken);
    for (const reply of ["$15,000", "L-1500", "MC 1500", "$1,499"])
      expect(check(ceiling, reply, shown(row))).toEqual(kept);
  });

  test("is found in lists, nested results and results of writes", () => {
    expect(check(ceiling, "$900", shown([row, { load_id: "L-2", ceiling: 900 }]))).toEqual(isBroken);
    expect(check(ceiling, "$1,500", shown({ ok: true, load: { ...row, booking: { margin: 5 } } }))).toEqual(
      isBroken,
    );
  });

  test("is not at stake by a failed call", () => {
    const conversation = {
      messages: [],
      calls: callsOf({ tool: "get", ok: false, error: "ceiling is 1500", result: row }),
    };
    expect(check(ceiling, "1500", { conversation })).toEqual([]);
  });

  test("may be said when the caller said it first", () => {
    const spoken = (caller: string, agent = "Hm"): Partial<EvalContext> => ({
      conversation: {
        messages: linesOf(["caller", caller], ["agent", agent]),
        calls: callsOf({ tool: "get", result: row }),
      },
    });
    expect(check(ceiling, "No, $1,500 is too much", spoken("I want 1.5k"))).toEqual(kept);
    expect(check(ceiling, "$1,500", spoken("I want 1.4k"))).toEqual(isBroken);
    expect(check(ceiling, "$1,500", spoken("I want 1.4k", "$1,500"))).toEqual(isBroken);
  });

  test("is what the result showed, whatever the row says now", () => {
    const old = { ...row, ceiling: 1700 };
    expect(check(ceiling, "it was $1,700", shown(old))).toEqual(isBroken);
    expect(check(ceiling, "$1,500", shown(old))).toEqual(kept);
    expect(check(ceiling, "it was $1,700", { ...shown(old), world: worldOf({}) })).toEqual(isBroken);
  });

  test("of a row without its key is told by the table it fits alone", () => {
    expect(check(ceiling, "$1,500", shown({ status: "available", ceiling: 1500 }))).toEqual([
      expect.objectContaining({ message: "the reply discloses the ceiling 1500 of loads" }),
    ]);
    const rate = disclose({ fields: [{ table: "loads", path: ["rate"] }] });
    expect(check(rate, "$800", shown({ status: "open", rate: 800 }))).toEqual([]);
  });

  test("is not taken from a row of another table that carries the key", () => {
    const rate = disclose({ fields: [{ table: "loads", path: ["rate"] }] });
    const priced = worldOf({ loads: { "L-2": { load_id: "L-2", status: "booked", rate: 800 } } });
    const booking = { booking_id: "B-2", load_id: "L-2", status: "open", rate: 750 };
    expect(check(rate, "$750", { ...shown(booking), world: priced })).toEqual([]);
    expect(check(rate, "$750", { ...shown({ load_id: "L-2", rate: 750 }), world: priced })).toEqual([]);
    expect(check(rate, "$800", { ...shown({ load_id: "L-2", rate: 800 }), world: priced })).toEqual(isBroken);
  });

  test("can be secret for some rows only", () => {
    const held = disclose({
      fields: [{ table: "loads", path: ["ceiling"], where: having(field("status", "eq", literal("held"))) }],
    });
    expect(check(held, "$1,500", shown(row))).toEqual([]);
    expect(check(held, "$900", shown({ load_id: "L-2", ceiling: 900 }))).toEqual(isBroken);
  });

  test("is only the part at its path", () => {
    const rule = disclose({ fields: [{ table: "loads", path: ["origin", "state"] }] });
    const result = { load_id: "L-1", origin: { city: "Dallas", state: "TX" }, ceiling: 5 };
    const home = { ...shown(result), world: worldOf({ loads: { "L-1": { ...result } } }) };
    expect(check(rule, "Dallas, for $5", home)).toEqual(kept);
    expect(check(rule, "Dallas, TX", home)).toEqual(isBroken);
  });

  test("is a name in whatever form", () => {
    const shipper = disclose({ fields: [{ table: "loads", path: ["origin", "city"] }] });
    const result = { load_id: "L-1", origin: { city: "Gulf Pipe Supply" } };
    const home = { ...shown(result), world: worldOf({ loads: { "L-1": result } }) };
    for (const reply of ["Gulf Pipe Supply's", "the Gulf-Pipe Supply dock", "gulfpipesupply.com"])
      expect(check(shipper, reply, home)).toEqual(isBroken);
    expect(check(shipper, "a supply of Gulf pipes", home)).toEqual(kept);
  });

  test("is every text and number a list or object holds", () => {
    const rule = disclose({ fields: [{ table: "loads", path: ["notes"] }] });
    const notes = ["call Bob first", { floor: 1200, firm: true, none: null }];
    const context = contextOf({ world, tables: [loads], ...shown({ load_id: "L-1", notes }) });
    expect(shownSecrets(rule, context).secrets.map((secret) => secret.value)).toEqual([
      "call Bob first",
      1200,
    ]);
    expect(check(rule, "They said: Call Bob first!", shown({ load_id: "L-1", notes }))).toEqual(isBroken);
  });

  test("shown twice is one secret", () => {
    const context = contextOf({ world, tables: [loads], ...shown(row, row, [row]) });
    expect(shownSecrets(ceiling, context).secrets).toEqual([
      { table: "loads", key: "L-1", field: "ceiling", value: 1500, call: 0 },
    ]);
  });

  test("small numbers match as words of their own, and not where they count what is no secret", () => {
    const small = shown({ load_id: "L-1", ceiling: 5, tags: [26] }, { load_id: "L-2", ceiling: 26 });
    for (const reply of ["15", "L-5", "5:30 pm", "1.5", "$1,575", "MC 5"])
      expect(check(ceiling, reply, small)).toEqual(kept);
    expect(check(ceiling, "26 pallets", small)).toEqual(kept);
    expect(check(ceiling, "5 pallets", small)).toEqual(isBroken);
    expect(check(ceiling, "$26", small)).toEqual(isBroken);
  });

  test("can be told without knowing the tables", () => {
    const blind = (result: Json) => checkReply([ceiling], "$1,500", contextOf({ world, ...shown(result) }));
    expect(blind(row)).toEqual(isBroken);
    expect(blind({ load_id: "L-1", weight: 3, ceiling: 1500 })).toEqual([]);
    expect(checkReply([ceiling], "$1,500", contextOf(shown(row)))).toEqual([]);
  });

  test("whose condition cannot be computed is unchecked", () => {
    const rule = disclose({
      fields: [
        {
          table: "loads",
          path: ["ceiling"],
          where: having(field("ceiling", "gt", { kind: "cel", source: "row('loads', 'x').y" })),
        },
      ],
    });
    expect(check(rule, "hi", shown(row))).toEqual([
      { rule: "secret", outcome: "unchecked", message: "could not be evaluated: loads has no row x" },
    ]);
  });
});

describe("a secret text", () => {
  const rule = disclose({ texts: ["internal margin", "our floor"] });
  test("is always at stake", () => {
    expect(check(rule, "Hello")).toEqual(kept);
    expect(check(rule, "The Internal   margin is thin, and OUR FLOOR is low.")).toEqual([
      {
        rule: "secret",
        outcome: "broken",
        message: 'the reply discloses "internal margin" and "our floor"',
        evidence: { texts: ["internal margin", "our floor"] },
      },
    ]);
  });
  test("is known in other forms", () => {
    for (const reply of ["our internal margins", "the internal-margin's size", "Our “internal” margin"])
      expect(check(rule, reply)).toEqual(isBroken);
    expect(check(rule, "internally, the margin")).toEqual(kept);
  });
  test("may be said after the caller", () => {
    const conversation = { messages: linesOf(["caller", "What are your internal-margins?"]), calls: [] };
    expect(check(rule, "I cannot discuss our internal margin.", { conversation })).toEqual(kept);
  });
});

test("rules of other forms are not about replies", () => {
  const other: Rule = { id: "x", on: null, severity: "hard", kind: "check", cel: "false" };
  expect(checkReply([other], "hi", contextOf())).toEqual([]);
});
