import { expect, test } from "vitest";
import type { AgentTurn } from "../../../src/sandtable/caller/caller.ts";
import { matchTurn } from "../../../src/sandtable/caller/match-turn.ts";
import type { AgentTurnTest, FieldTest, Operator } from "../../../src/sandtable/domain/types.ts";
import type { EvalContext } from "../../../src/sandtable/expr/context.ts";
import type { CallRecord } from "../../../src/sandtable/trial/conversation.ts";

const ctx: EvalContext = {
  world: {
    get: (table, key) => (table === "loads" ? { load_id: key, rate: 1375 } : undefined),
    scan: () => [],
  },
  args: {},
  conversation: { messages: [{ role: "caller", turn: 1, text: "I want L-1002" }], calls: [] },
  clock: "2026-10-18T21:05:00Z",
};

function turn(reply: string, calls: Partial<CallRecord>[] = []): AgentTurn {
  return {
    reply,
    turn: 1,
    calls: calls.map((call, index) => ({ index, turn: 1, tool: "book_load", args: {}, ok: true, ...call })),
  };
}

function holds(test: AgentTurnTest | AgentTurnTest[], agent: AgentTurn): boolean {
  return matchTurn([test].flat(), agent, ctx, null).matched;
}

function is(op: Operator, value: number, path: string[] = []): FieldTest {
  return { path, op, value: { kind: "literal", value } };
}

test("said: any of the texts; not_said: none of them", () => {
  const agent = turn("Your insurance is EXPIRED.");
  expect(holds({ said: ["declined", "expired"] }, agent)).toBe(true);
  expect(holds({ said: ["declined"] }, agent)).toBe(false);
  expect(holds({ notSaid: ["declined", "sorry"] }, agent)).toBe(true);
  expect(holds({ notSaid: ["declined", "insurance"] }, agent)).toBe(false);
});

test.each([
  ["Shall I book it?", true],
  ["Shall I book it? I can.", true],
  ['He asked "why?"', true],
  ["I can book it.", false],
  ["", false],
  ["予約しますか？", true],
])("asked: %j is a question: %s", (reply, expected) => {
  expect(holds({ asked: true }, turn(reply))).toBe(expected);
});

test("asked with texts looks inside the questions only", () => {
  const agent = turn("Your rate is $1,375.50 today. Shall I book L-1002?");
  expect(holds({ asked: ["book"] }, agent)).toBe(true);
  expect(holds({ asked: ["rate"] }, agent)).toBe(false);
  expect(holds({ asked: ["rate", "L-1002"] }, agent)).toBe(true);
  expect(holds({ asked: ["1375.5"] }, turn("Is $1,375.50 fine?"))).toBe(true);
});

test("offered: an amount, or one that passes all tests", () => {
  expect(holds({ offered: true }, turn("I can do $1,375."))).toBe(true);
  expect(holds({ offered: true }, turn("I cannot."))).toBe(false);
  expect(holds({ offered: [is("gte", 1000), is("lt", 1600)] }, turn("$900, or $1,375?"))).toBe(true);
  expect(holds({ offered: [is("gte", 1000), is("lt", 1600)] }, turn("$900, or $1,700?"))).toBe(false);
});

test("offered: not what the agent names to refuse it", () => {
  const high: AgentTurnTest = { offered: [is("gte", 1600)] };
  expect(holds(high, turn("I can do $1,600."))).toBe(true);
  for (const reply of ["I can't do $1,600.", "$1,600 is too high.", "You want $1,600? My best is $1,375."])
    expect(holds(high, turn(reply))).toBe(false);
  expect(matchTurn([{ offered: true }], turn("$1,375, as I can't do $1,600."), ctx, null)).toEqual({
    matched: true,
    offer: 1375,
  });
  expect(matchTurn([{ offered: true }], turn("I can't do $1,600."), ctx, 1375)).toEqual({
    matched: false,
    offer: 1375,
  });
});

test("called: a call of this turn, its arguments, its outcome and its number", () => {
  const args = [[is("lte", 1375, ["rate"])]];
  const agent = turn("Done", [
    { args: { rate: 1600 }, ok: false, error: "no" },
    { args: { rate: 1300 }, ok: true, result: {} },
  ]);
  expect(holds({ called: [{ tool: "book_load" }] }, agent)).toBe(true);
  expect(holds({ called: [{ tool: "verify_carrier" }] }, agent)).toBe(false);
  expect(holds({ called: [{ tool: "verify_carrier" }, { tool: "book_load" }] }, agent)).toBe(true);
  expect(holds({ called: [{ tool: "book_load", args }] }, agent)).toBe(true);
  expect(holds({ called: [{ tool: "book_load", args, ok: false }] }, agent)).toBe(false);
  expect(holds({ called: [{ tool: "book_load", ok: false }] }, agent)).toBe(true);
  expect(holds({ called: [{ tool: "book_load", times: 2 }] }, agent)).toBe(true);
  expect(holds({ called: [{ tool: "book_load", times: 1 }] }, agent)).toBe(false);
  expect(holds({ called: [{ tool: "book_load" }] }, turn("Done"))).toBe(false);
});

test("cel sees the reply, the world and the conversation", () => {
  expect(
    holds({ cel: "says(reply, 'book') && row('loads', 'L-1').rate == 1375" }, turn("Shall I book?")),
  ).toBe(true);
  expect(holds({ cel: "says(said, 'L-1002') && turn == 1" }, turn("x"))).toBe(true);
  expect(holds({ cel: "reply == ''" }, turn("x"))).toBe(false);
});

test("all parts of a test must hold; of several tests, any", () => {
  const both: AgentTurnTest = { said: ["book"], asked: true };
  expect(holds(both, turn("Shall I book?"))).toBe(true);
  expect(holds(both, turn("I book."))).toBe(false);
  expect(holds([both, { said: ["I book"] }], turn("I book."))).toBe(true);
  expect(holds([], turn("anything"))).toBe(true);
});

test("the offer is the last amount accepted, else the last named, else the earlier one", () => {
  const agent = turn("$900, $1,200 or $1,700.");
  const low: AgentTurnTest = { offered: [is("lt", 1600)] };
  expect(matchTurn([low], agent, ctx, 5)).toEqual({ matched: true, offer: 1200 });
  expect(matchTurn([{ said: ["never"] }], agent, ctx, 5)).toEqual({ matched: false, offer: 1700 });
  expect(matchTurn([{ offered: true }], agent, ctx, 5)).toEqual({ matched: true, offer: 1700 });
  expect(matchTurn([], turn("none"), ctx, 5)).toEqual({ matched: true, offer: 5 });
});
