import { describe, expect, test } from "vitest";
import type { Bound, Rule, RuleForm, RuleHead } from "../../../src/sandtable/domain/types.ts";
import type { EvalContext } from "../../../src/sandtable/expr/context.ts";
import { checkCall } from "../../../src/sandtable/rules/check-call.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { callsOf, contextOf, linesOf, worldOf } from "../expr/context.ts";
import { arg, cel, field, having, literal } from "../world/domain.ts";

const world = worldOf({
  loads: { "L-1002": { load_id: "L-1002", ceiling: 1500, terms: { equipment: "van", deadline: null } } },
});
const rule = (form: RuleForm, head: Partial<RuleHead> = {}): Rule => ({
  id: "r",
  on: ["book_load"],
  severity: "hard",
  ...head,
  ...form,
});
const check = (one: Rule, args: JsonObject, ctx: Partial<EvalContext> = {}, tool = "book_load") => {
  const outcomes = checkCall([one], { tool, args }, contextOf({ world, ...ctx }));
  expect(outcomes.length).toBeLessThan(2);
  return outcomes[0];
};
const kept = { rule: "r", outcome: "kept" };
const calls = (...records: Parameters<typeof callsOf>) => ({
  conversation: { messages: [], calls: callsOf(...records) },
});

describe("which rules apply", () => {
  const never = rule({ kind: "check", cel: "false" });
  test("those on the tool, those on every tool", () => {
    expect(check(never, {})).toMatchObject({ rule: "r", outcome: "broken" });
    expect(check(never, {}, {}, "get_load")).toBeUndefined();
    expect(check({ ...never, on: null }, {}, {}, "get_load")).toMatchObject({ outcome: "broken" });
    expect(check({ ...never, on: ["a", "book_load"] }, {})).toMatchObject({ outcome: "broken" });
  });
  test("only calls whose arguments match `when`", () => {
    const when = having(field("rate", "gt", literal(1000)));
    expect(check({ ...never, when }, { rate: 1000 })).toBeUndefined();
    expect(check({ ...never, when }, {})).toBeUndefined();
    expect(check({ ...never, when }, { rate: 1001 })).toMatchObject({ outcome: "broken" });
  });
  test("a `when` that cannot be computed is told, not passed over", () => {
    const when = having(field("rate", "gt", cel("row('loads', 'L-9').ceiling")));
    expect(check({ ...never, when }, { rate: 1 })).toEqual({
      rule: "r",
      outcome: "unchecked",
      message: "could not be evaluated: loads has no row L-9",
    });
  });
  test("all of them, in order", () => {
    const outcomes = checkCall(
      [
        never,
        rule({ kind: "check", cel: "true" }, { id: "s" }),
        rule({ kind: "never_disclose", fields: [], texts: ["x"] }, { on: null }),
      ],
      { tool: "book_load", args: {} },
      contextOf(),
    );
    expect(outcomes.map(({ rule: id, outcome }) => [id, outcome])).toEqual([
      ["r", "broken"],
      ["s", "kept"],
    ]);
  });
});

describe("requires", () => {
  const verified = rule({
    kind: "requires",
    tools: ["verify_carrier"],
    same: [{ argument: ["mc_number"], earlier: ["mc_number"] }],
  });
  const args = { mc_number: "100202", load_id: "L-1002" };

  test("is kept by an earlier successful call for the same", () => {
    expect(check(verified, args, calls({ tool: "verify_carrier", args: { mc_number: "100202" } }))).toEqual(
      kept,
    );
  });
  test("is broken without one", () => {
    expect(check(verified, args)).toEqual({
      rule: "r",
      outcome: "broken",
      message:
        "book_load for mc_number 100202 without an earlier successful verify_carrier for the same mc_number",
      evidence: { requires: ["verify_carrier"], arguments: { mc_number: "100202" } },
    });
  });
  test("is broken by one for another, or one that failed", () => {
    const other = calls(
      { tool: "verify_carrier", args: { mc_number: "100101" } },
      { tool: "get_load", args: { mc_number: "100202" } },
    );
    expect(check(verified, args, other)?.message).toBe(
      "book_load for mc_number 100202 without an earlier successful verify_carrier for the same mc_number (the last was verify_carrier for mc_number 100101)",
    );
    const failed = calls({ tool: "verify_carrier", args: { mc_number: "100202" }, ok: false, error: "no" });
    expect(check(verified, args, failed)?.message).toBe(
      "book_load for mc_number 100202 without an earlier successful verify_carrier for the same mc_number (verify_carrier had failed)",
    );
  });
  test("joins by value, under another name and in nested arguments", () => {
    const joined = rule({
      kind: "requires",
      tools: ["verify", "check"],
      same: [{ argument: ["carrier", "mc"], earlier: ["mc_number"] }],
    });
    expect(
      check(joined, { carrier: { mc: "7" } }, calls({ tool: "check", args: { mc_number: "7" } })),
    ).toEqual(kept);
    expect(
      check(joined, { carrier: { mc: "7" } }, calls({ tool: "check", args: { mc_number: 7 } })),
    ).toMatchObject({
      outcome: "broken",
      message:
        "book_load for carrier.mc 7 without an earlier successful verify or check for the same carrier.mc (the last was check for mc_number 7)",
    });
  });
  test("without a join needs any successful call", () => {
    const any = rule({ kind: "requires", tools: ["verify_carrier"], same: [] });
    expect(check(any, args, calls({ tool: "verify_carrier" }))).toEqual(kept);
    expect(check(any, args)?.message).toBe("book_load without an earlier successful verify_carrier");
  });
  test("looks at what the earlier call asked and got", () => {
    const active = rule({
      kind: "requires",
      tools: ["verify_carrier"],
      same: [{ argument: ["mc_number"], earlier: ["mc_number"] }],
      args: having(field("deep", "eq", literal(true))),
      result: having(field("insurance_status", "eq", literal("active"))),
    });
    const record = (deep: boolean, insurance_status: string) => ({
      tool: "verify_carrier",
      args: { mc_number: "100202", deep },
      result: { insurance_status },
    });
    expect(check(active, args, calls(record(true, "active"), record(true, "expired")))).toEqual(kept);
    expect(check(active, args, calls(record(true, "expired")))).toEqual({
      rule: "r",
      outcome: "broken",
      message:
        "book_load for mc_number 100202 after a verify_carrier that does not qualify: insurance_status was expired, expected active",
      evidence: {
        requires: ["verify_carrier"],
        arguments: { mc_number: "100202" },
        nearest: 0,
        lack: "insurance_status was expired, expected active",
      },
    });
    expect(check(active, args, calls(record(false, "active")))?.message).toContain(
      "deep was false, expected true",
    );
  });
  test("compares with this call's arguments in its conditions", () => {
    const quoted = rule({
      kind: "requires",
      tools: ["quote"],
      same: [],
      result: having(field("rate", "gte", arg("rate"))),
    });
    expect(check(quoted, { rate: 1400 }, calls({ tool: "quote", result: { rate: 1400 } }))).toEqual(kept);
    expect(check(quoted, { rate: 1401 }, calls({ tool: "quote", result: { rate: 1400 } }))).toMatchObject({
      outcome: "broken",
    });
  });
  test("a call without the joined argument cannot be compared, but cannot do without any earlier call", () => {
    expect(check(verified, {}, calls({ tool: "verify_carrier", args: { mc_number: "7" } }))).toMatchObject({
      outcome: "unchecked",
      message: "book_load has no mc_number to compare with the earlier calls",
    });
    expect(check(verified, {})).toMatchObject({
      outcome: "broken",
      message: "book_load without an earlier successful verify_carrier",
    });
  });
});

describe("bound", () => {
  const row = (path: string, key = arg("load_id")): Bound["limit"] => ({
    kind: "row",
    table: "loads",
    key,
    path: path.split("."),
  });
  const bound = (bounds: Bound[], argument = ["rate"]) => rule({ kind: "bound", argument, bounds });
  const under = bound([{ op: "lte", limit: row("ceiling") }]);

  test("against a field of a row", () => {
    expect(check(under, { load_id: "L-1002", rate: 1500 })).toEqual(kept);
    expect(check(under, { load_id: "L-1002", rate: 1600 })).toEqual({
      rule: "r",
      outcome: "broken",
      message: "rate 1600 is above the ceiling 1500 of loads L-1002",
      evidence: { argument: "rate", value: 1600, lte: 1500, table: "loads", key: "L-1002", field: "ceiling" },
    });
  });
  test.each<[Bound["op"], number, string | null]>([
    ["lte", 11, "rate 11 is above 10"],
    ["lte", 10, null],
    ["lt", 10, "rate 10 is not below 10"],
    ["lt", 9, null],
    ["gte", 9, "rate 9 is below 10"],
    ["gte", 10, null],
    ["gt", 10, "rate 10 is not above 10"],
    ["gt", 11, null],
    ["eq", 9, "rate 9 is not 10"],
    ["eq", 10, null],
    ["ne", 10, "rate 10 must not be 10"],
    ["ne", 9, null],
  ])("%s of a value, with %d", (op, rate, message) => {
    const outcome = check(bound([{ op, limit: { kind: "value", value: literal(10) } }]), { rate });
    expect(outcome?.message ?? null).toBe(message);
    expect(outcome?.outcome).toBe(message === null ? "kept" : "broken");
  });
  test("the first limit that is passed is told", () => {
    const value = (n: number): Bound["limit"] => ({ kind: "value", value: literal(n) });
    const range = bound([
      { op: "gte", limit: value(100) },
      { op: "lte", limit: value(200) },
    ]);
    expect(check(range, { rate: 150 })).toEqual(kept);
    expect(check(range, { rate: 250 })?.message).toBe("rate 250 is above 200");
    expect(check(range, { rate: 50 })?.message).toBe("rate 50 is below 100");
  });
  test("of text, nested fields and computed limits", () => {
    expect(
      check(bound([{ op: "eq", limit: row("terms.equipment") }], ["equipment"]), {
        load_id: "L-1002",
        equipment: "reefer",
      })?.message,
    ).toBe("equipment reefer is not the terms.equipment van of loads L-1002");
    const computed = bound([
      { op: "lte", limit: { kind: "value", value: cel("row('loads', args.load_id).ceiling * 1.1") } },
    ]);
    expect(check(computed, { load_id: "L-1002", rate: 1650 })).toEqual(kept);
    expect(check(computed, { load_id: "L-1002", rate: 1651 })?.message).toBe("rate 1651 is above 1650");
  });
  test.each<[Rule, JsonObject, string]>([
    [under, { load_id: "L-9", rate: 1 }, "loads has no row L-9"],
    [under, { rate: 1 }, "the call does not say which row of loads to compare with"],
    [under, { load_id: true, rate: 1 }, "true is not a key of loads"],
    [under, { load_id: "L-1002" }, "book_load has no rate to compare"],
    [
      under,
      { load_id: "L-1002", rate: "1" },
      "rate 1 and the ceiling 1500 of loads L-1002 cannot be compared",
    ],
    [
      bound([{ op: "lte", limit: row("terms.deadline") }]),
      { load_id: "L-1002", rate: 1 },
      "loads L-1002 has no terms.deadline",
    ],
    [
      bound([{ op: "lte", limit: { kind: "value", value: arg("max") } }]),
      { rate: 1 },
      "the limit is an argument the call left out",
    ],
    [
      bound([{ op: "lte", limit: { kind: "value", value: cel("row('loads', 'L-9').ceiling") } }]),
      { rate: 1 },
      "could not be evaluated: loads has no row L-9",
    ],
  ])("is unchecked where there is nothing to compare (%#)", (one, args, message) => {
    expect(check(one, args)).toMatchObject({ outcome: "unchecked", message });
  });
});

describe("check", () => {
  const under = rule({ kind: "check", cel: "args.rate <= row('loads', args.load_id).ceiling" });
  test("is kept when true, broken when false", () => {
    expect(check(under, { load_id: "L-1002", rate: 1500 })).toEqual(kept);
    expect(check(under, { load_id: "L-1002", rate: 1501 })).toEqual({
      rule: "r",
      outcome: "broken",
      message:
        "book_load for load_id L-1002 and rate 1501 does not meet: args.rate <= row('loads', args.load_id).ceiling",
      evidence: {
        condition: "args.rate <= row('loads', args.load_id).ceiling",
        arguments: { load_id: "L-1002", rate: 1501 },
      },
    });
  });
  test("a breach leads with the rule's description when it has one", () => {
    const described: Rule = { ...under, description: "Never pay more than the ceiling.\n" };
    expect(check(described, { load_id: "L-1002", rate: 1501 })).toEqual({
      rule: "r",
      outcome: "broken",
      message: "Never pay more than the ceiling: not kept by book_load for load_id L-1002 and rate 1501",
      evidence: {
        condition: "args.rate <= row('loads', args.load_id).ceiling",
        arguments: { load_id: "L-1002", rate: 1501 },
      },
    });
  });
  test("is unchecked otherwise", () => {
    expect(check(under, { load_id: "L-9", rate: 1 })).toEqual({
      rule: "r",
      outcome: "unchecked",
      message: "could not be evaluated: loads has no row L-9",
    });
    expect(check(rule({ kind: "check", cel: "1" }), {})).toMatchObject({
      outcome: "unchecked",
      message: "the condition is neither true nor false",
    });
  });
  test("sees the call, earlier calls and the conversation", () => {
    const all = rule({
      kind: "check",
      cel: "tool == 'book_load' && calls.exists(c, c.tool == 'get_load' && c.ok) && says(said, 'book it')",
    });
    const conversation = { messages: linesOf(["caller", "Book it"]), calls: callsOf({ tool: "get_load" }) };
    expect(check(all, {}, { conversation })).toEqual(kept);
    expect(check(all, {})).toMatchObject({ outcome: "broken" });
  });
});

describe("limit", () => {
  const once = rule({ kind: "limit", times: 1, per: [["load_id"]], counting: "successful" });
  const booked = (load_id: string, ok = true) => ({ tool: "book_load", args: { load_id }, ok });
  test("counts earlier calls of the tool, apart for each value", () => {
    expect(check(once, { load_id: "a" })).toEqual(kept);
    expect(
      check(once, { load_id: "a" }, calls(booked("b"), { tool: "get_load", args: { load_id: "a" } })),
    ).toEqual(kept);
    expect(check(once, { load_id: "a" }, calls(booked("b"), booked("a")))).toEqual({
      rule: "r",
      outcome: "broken",
      message: "book_load for load_id a after 1 successful call; at most 1 allowed",
      evidence: { times: 1, earlier: [1], arguments: { load_id: "a" } },
    });
  });
  test("counts failed ones only where told to", () => {
    expect(check(once, { load_id: "a" }, calls(booked("a", false)))).toEqual(kept);
    const all = rule({ kind: "limit", times: 2, per: [], counting: "all" });
    expect(check(all, { load_id: "a" }, calls(booked("a", false)))).toEqual(kept);
    expect(check(all, { load_id: "a" }, calls(booked("a", false), booked("b")))?.message).toBe(
      "book_load after 2 calls; at most 2 allowed",
    );
  });
  test("counts only calls the rule applies to", () => {
    const large = rule(
      { kind: "limit", times: 1, per: [], counting: "successful" },
      { on: ["book_load", "hold"], when: having(field("rate", "gt", literal(1000))) },
    );
    const past = calls({ tool: "hold", args: { rate: 900 } }, { tool: "book_load", args: { rate: 1200 } });
    expect(check(large, { rate: 1100 }, past)?.message).toBe(
      "book_load after 1 successful call; at most 1 allowed",
    );
    expect(check(large, { rate: 1100 }, calls({ tool: "hold", args: { rate: 900 } }))).toEqual(kept);
  });
  test("of none allows no call, and takes omitted arguments for one value", () => {
    expect(check(rule({ kind: "limit", times: 0, per: [], counting: "all" }), {})).toMatchObject({
      outcome: "broken",
    });
    expect(check(once, {}, calls({ tool: "book_load" }))).toMatchObject({ outcome: "broken" });
  });
});

describe("confirmed", () => {
  const sure = rule({ kind: "confirmed", states: [["load_id"], ["rate"]] });
  const args = { load_id: "L-1002", rate: 1375 };
  const spoken = (...lines: Parameters<typeof linesOf>) => ({
    conversation: { messages: linesOf(...lines), calls: [] },
  });
  const proposal: ["agent", string] = ["agent", "L-1002 pays $1,375. Shall I book it?"];

  test("is kept by a yes to what was stated", () => {
    expect(check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Yes, book it."]))).toEqual(kept);
    expect(
      check(
        sure,
        args,
        spoken(
          ["caller", "Hi"],
          ["agent", "It is L-1002."],
          ["agent", "It pays 1.375k."],
          ["caller", "Deal."],
        ),
      ),
    ).toEqual(kept);
  });
  test("is broken by anything but a yes", () => {
    expect(check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "What equipment?"]))).toEqual({
      rule: "r",
      outcome: "broken",
      message: 'book_load without the caller\'s yes; the caller last said "What equipment?"',
      evidence: { caller: "What equipment?" },
    });
    expect(
      check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Yes but only if it is 1,600"])),
    ).toMatchObject({ outcome: "broken" });
    expect(check(sure, args, spoken(["caller", "Yes"], proposal, ["caller", "No"]))).toMatchObject({
      outcome: "broken",
    });
  });
  test("is broken when a value was not stated just before", () => {
    const late = spoken(
      ["caller", "Hi"],
      proposal,
      ["caller", "Hm"],
      ["agent", "So, $1,300 for L-1002?"],
      ["caller", "Yes"],
    );
    expect(check(sure, args, late)).toEqual({
      rule: "r",
      outcome: "broken",
      message: "book_load with rate 1375, which the caller was not told before saying yes",
      evidence: { caller: "Yes", agent: "So, $1,300 for L-1002?", unsaid: ["rate"] },
    });
    expect(
      check(sure, args, spoken(["caller", "Hi"], ["agent", "Shall I?"], ["caller", "Yes"]))?.message,
    ).toBe("book_load with load_id L-1002 and rate 1375, which the caller was not told before saying yes");
  });
  test("is broken by a yes to nothing", () => {
    expect(check(sure, args, spoken(["caller", "Yes, book L-1002 at 1375"]))?.message).toBe(
      "book_load without asking the caller first; the caller's yes answers nothing the agent said",
    );
    expect(check(sure, args)?.message).toBe("book_load before the caller said anything");
    expect(check(rule({ kind: "confirmed", states: [] }), {}, spoken(["caller", "Yes"]))).toMatchObject({
      outcome: "broken",
    });
  });
  test("goes by a scripted caller's act before its words", () => {
    expect(check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Hm.", "accept"]))).toEqual(kept);
    expect(check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Hm.", "confirm"]))).toEqual(kept);
    expect(
      check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Sure, yes.", "refuse"])),
    ).toMatchObject({ outcome: "broken" });
    expect(
      check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Sure, yes.", "insist"])),
    ).toMatchObject({ outcome: "broken" });
    expect(
      check(sure, args, spoken(["caller", "Hi"], proposal, ["caller", "Sure, yes.", "continue"])),
    ).toEqual(kept);
  });
  test("takes other words for a yes", () => {
    const roger = rule({ kind: "confirmed", states: [], words: ["roger"] });
    expect(check(roger, {}, spoken(["caller", "Hi"], proposal, ["caller", "Roger that"]))).toEqual(kept);
    expect(check(roger, {}, spoken(["caller", "Hi"], proposal, ["caller", "Yes"]))).toMatchObject({
      outcome: "broken",
    });
  });
  test("asks for all a list or object holds, not for flags or what was left out", () => {
    const stops = rule({ kind: "confirmed", states: [["stops"], ["firm"], ["note"]] });
    const lines = spoken(
      ["caller", "Hi"],
      ["agent", "Waco at 9:30 am, then Dallas. Book it?"],
      ["caller", "Yes"],
    );
    expect(
      check(stops, { stops: [{ city: "Waco", at: "9:30 AM" }, { city: "Dallas" }], firm: true }, lines),
    ).toEqual(kept);
    expect(check(stops, { stops: [{ city: "Austin" }] }, lines)).toMatchObject({ outcome: "broken" });
  });
});
