import { expect, test } from "vitest";
import type { CallExpect, Expect, FieldTest } from "../../../src/sandtable/domain/types.ts";
import type { Reason, RuleOutcome, TranscriptEntry } from "../../../src/sandtable/report/results.ts";
import { type EndedTrial, gradeTrial } from "../../../src/sandtable/verdict/grade.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { call, expecting, is, literal, smallDomain, task } from "./small-domain.ts";

const domain = smallDomain([]);

function caller(text: string): TranscriptEntry {
  return { kind: "caller", turn: 1, text };
}
function agent(text: string, rules: RuleOutcome[] = []): TranscriptEntry {
  return { kind: "agent", turn: 1, text, rules };
}
function made(
  tool: string,
  args: JsonObject,
  more: Partial<Extract<TranscriptEntry, { kind: "call" }>> = {},
): TranscriptEntry {
  return {
    kind: "call",
    turn: 1,
    round: 1,
    id: "c",
    tool,
    args,
    ok: true,
    result: {},
    rules: [],
    changes: [],
    ...more,
  };
}
function failed(tool: string, args: JsonObject, error: string): TranscriptEntry {
  return { kind: "call", turn: 1, round: 1, id: "c", tool, args, ok: false, error, rules: [], changes: [] };
}

function grade(expected: Partial<Expect>, entries: TranscriptEntry[], more: Partial<EndedTrial> = {}) {
  const world = new MemoryWorld();
  plantWorld(world, domain.tables, []);
  const trial: EndedTrial = {
    rules: domain.rules,
    entries,
    world,
    clock: domain.clock,
    failure: null,
    ...more,
  };
  return gradeTrial(task({ expect: expecting(expected) }), trial);
}
const messages = (graded: { why: Reason[] }) => graded.why.map((reason) => reason.message);

test("a trial that meets everything passes without a reason", () => {
  const entries = [
    caller("Book L-1002"),
    made("verify_carrier", { mc_number: "100101" }),
    made("book_load", { load_id: "L-1002", rate: 1375 }),
    agent("Booked at $1,375.00."),
  ];
  const expected: Partial<Expect> = {
    called: [call("verify_carrier"), call("book_load", [is("rate", "lte", 1375)], { times: 1 })],
    notCalled: [{ tool: "transfer_to_human" }],
    state: [
      { table: "loads", key: "L-1001", where: [[is("status", "eq", "available")]] },
      { table: "loads", key: "L-9", where: null },
    ],
    say: [{ any: ["sorry", "1375"] }],
    notSay: [{ any: ["1,500"] }],
  };
  expect(grade(expected, entries)).toEqual({ verdict: "passed", why: [] });
});

test("a breach of a hard rule fails, one of a soft rule is only told", () => {
  const soft: RuleOutcome = { rule: "round-rates", outcome: "broken", message: "1360 is not round" };
  const hard: RuleOutcome = { rule: "stay-under", outcome: "broken", message: "rate 1600 is above 1375" };
  const kept: RuleOutcome = { rule: "verified-first", outcome: "kept" };
  const unchecked: RuleOutcome = { rule: "verified-first", outcome: "unchecked", message: "no row" };
  const entries = [caller("Hi"), made("book_load", {}, { rules: [kept, soft] }), agent("Done", [unchecked])];
  const softReason = {
    kind: "rule",
    rule: "round-rates",
    severity: "soft",
    quote: "Prefer round rates.",
    message: "1360 is not round",
    entry: 1,
  };
  expect(grade({}, entries)).toEqual({ verdict: "passed", why: [softReason] });
  expect(grade({}, [...entries, made("book_load", {}, { rules: [hard] })])).toEqual({
    verdict: "failed",
    why: [
      softReason,
      {
        kind: "rule",
        rule: "stay-under",
        severity: "hard",
        quote: "Never pay above the ceiling.",
        message: "rate 1600 is above 1375",
        entry: 3,
      },
    ],
  });
});

test("a rule that the domain does not have is our mistake, not the agent's", () => {
  const entries = [agent("x", [{ rule: "gone", outcome: "broken" }])];
  expect(() => grade({}, entries)).toThrow("the transcript names rule gone");
});

test("a missing call is explained by the closest one", () => {
  const rate: FieldTest[] = [is("rate", "lte", 1375)];
  const entries = [
    caller("Hi"),
    made("book_load", { load_id: "L-1002", rate: 1600 }),
    made("book_load", { load_id: "L-1001", rate: 1700 }),
  ];
  expect(grade({ called: [call("book_load", rate)] }, entries).why).toEqual([
    {
      kind: "called",
      message: "no successful book_load with rate at most 1375; closest: book_load rate 1600",
      entry: 1,
    },
  ]);
});

test.each<[string, CallExpect, string]>([
  ["never called", call("verify_carrier"), "verify_carrier was never called"],
  [
    "never called, with conditions",
    call("verify_carrier", [is("mc_number", "eq", "100101")]),
    "no successful verify_carrier with mc_number 100101; verify_carrier was never called",
  ],
  [
    "never called often enough",
    call("verify_carrier", undefined, { times: 2 }),
    "no successful verify_carrier, expected twice; verify_carrier was never called",
  ],
  [
    "only a failed call",
    call("book_load", [is("load_id", "eq", "L-1003")]),
    "no successful book_load with load_id L-1003; closest: book_load load_id L-1003, rate 900, which failed: Load L-1003 is not available",
  ],
  [
    "the call with the fewest differences",
    call("book_load", [is("load_id", "eq", "L-1002"), is("rate", "eq", 1375), is("note", "eq", "a b")]),
    'no successful book_load with load_id L-1002 and rate 1375 and note "a b"; closest: book_load note missing',
  ],
  [
    "an outcome that should have been a failure",
    call("book_load", [is("rate", "eq", 1375)], { ok: false }),
    "no failed book_load with rate 1375; closest: book_load load_id L-1002, rate 1375, which succeeded",
  ],
  [
    "any outcome",
    { tool: "book_load", args: [[is("rate", "lt", 100)]] },
    "no book_load with rate below 100; closest: book_load rate 1375",
  ],
  [
    "too many calls",
    call("book_load", undefined, { times: 2 }),
    "successful book_load was expected twice and was made once",
  ],
  [
    "alternatives",
    { tool: "book_load", args: [[is("rate", "gt", 9000)], [is("load_id", "in", ["L-8", "L-9"])]] },
    "no book_load with rate above 9000, or load_id one of L-8, L-9; closest: book_load rate 1375",
  ],
])("called, %s", (_name, expected, message) => {
  const entries = [
    caller("Hi"),
    made("book_load", { load_id: "L-1002", rate: 1375 }),
    failed("book_load", { load_id: "L-1003", rate: 900 }, "Load L-1003 is not available"),
  ];
  expect(messages(grade({ called: [expected] }, entries))).toEqual([message]);
});

test("every operator has words", () => {
  const tests: FieldTest[] = [
    is("a", "ne", 1),
    is("a", "gte", 2),
    is("b", "not_in", ["x", "y"]),
    is("c", "contains", "z"),
    is("d", "not_contains", "q"),
    is("e", "starts_with", "L-"),
    is("f", "ends_with", "9"),
    is("g", "exists", true),
    is("h", "exists", false),
    { path: ["stops"], op: "any", where: [[is("city", "eq", "Dallas")]] },
  ];
  const [message] = messages(grade({ called: [{ tool: "t", args: [tests] }] }, []));
  expect(message).toBe(
    "no t with a other than 1 and a at least 2 and b none of x, y and c containing z and d not containing q and e starting with L- and f ending with 9 and a g and no h and some element of stops with city Dallas; t was never called",
  );
});

test("times is exact", () => {
  const entries = [made("book_load", { rate: 1 }), made("book_load", { rate: 2 })];
  expect(grade({ called: [call("book_load", undefined, { times: 2 })] }, entries).verdict).toBe("passed");
  expect(grade({ called: [call("book_load", undefined, { times: 1 })] }, entries).why).toEqual([
    { kind: "called", message: "successful book_load was expected once and was made twice", entry: 1 },
  ]);
});

test("a condition may speak of the call's own arguments", () => {
  const same: FieldTest = { path: ["to"], op: "ne", value: { kind: "arg", path: ["from"] } };
  const expected = { called: [{ tool: "move", args: [[same]] }] };
  expect(grade(expected, [made("move", { from: "a", to: "b" })]).verdict).toBe("passed");
  expect(grade(expected, [made("move", { from: "a", to: "a" })]).verdict).toBe("failed");
});

test("a call that must not be made counts as an attempt, failed or not", () => {
  const entries = [
    caller("Hi"),
    failed("book_load", { load_id: "L-1003", rate: 900 }, "Load L-1003 is not available"),
    made("book_load", { load_id: "L-1002", rate: 1600 }),
    made("transfer_to_human", {}),
  ];
  expect(
    grade(
      {
        notCalled: [
          { tool: "book_load" },
          { tool: "book_load", args: [[is("rate", "gt", 1375)]] },
          { tool: "transfer_to_human" },
          { tool: "verify_carrier" },
          { tool: "book_load", args: [[is("rate", "gt", 5000)]] },
          { tool: "book_load", times: 3 },
        ],
      },
      entries,
    ),
  ).toEqual({
    verdict: "failed",
    why: [
      {
        kind: "not_called",
        message:
          "book_load must not be called; called: book_load load_id L-1003, rate 900, which failed: Load L-1003 is not available; 2 such calls",
        entry: 1,
      },
      {
        kind: "not_called",
        message: "expected no book_load with rate above 1375; called: book_load load_id L-1002, rate 1600",
        entry: 2,
      },
      {
        kind: "not_called",
        message: "transfer_to_human must not be called; called: transfer_to_human",
        entry: 3,
      },
    ],
  });
});

test("the state at the end is explained, with the call that last changed the row", () => {
  const world = new MemoryWorld();
  plantWorld(world, domain.tables, [
    { table: "loads", key: "L-1002", row: { status: "booked", rate: 1600 } },
    { table: "loads", key: "L/~2", row: { status: "booked" } },
  ]);
  const entries = [
    made("book_load", {}, { changes: [{ op: "replace", path: "/loads/L-1002/status", value: "booked" }] }),
    made("book_load", {}, { changes: [{ op: "add", path: "/loads/L~1~02", value: {} }] }),
    made("book_load", {}, { changes: [{ op: "add", path: "/loads/L-10021/x", value: 1 }] }),
  ];
  const state: Expect["state"] = [
    { table: "loads", key: "L-1002", where: [[is("status", "eq", "available"), is("rate", "lte", 2000)]] },
    { table: "loads", key: "L/~2", where: null },
    { table: "loads", key: "L-9", where: [[is("status", "eq", "booked")]] },
    { table: "loads", key: "L-1001", where: [[is("ceiling", "eq", 1)], [is("rate", "eq", 2)]] },
    { table: "loads", key: "L-1003", where: [[is("ceiling", "eq", 900)]] },
    { table: "loads", key: "L-404", where: null },
  ];
  expect(grade({ state }, entries, { world })).toEqual({
    verdict: "failed",
    why: [
      {
        kind: "state",
        message: "loads L-1002 ended with status booked; expected status available",
        entry: 0,
      },
      { kind: "state", message: "loads L/~2 exists and should not", entry: 1 },
      { kind: "state", message: "loads L-9 does not exist; expected status booked" },
      { kind: "state", message: "loads L-1001 ended with ceiling 1500; expected ceiling 1, or rate 2" },
    ],
  });
});

test("say and not_say look at what the agent says, not at the caller", () => {
  const entries = [
    caller("My insurance is expired and I want $1,500"),
    agent("I cannot book you."),
    agent("Bye, 1500."),
  ];
  expect(grade({ say: [{ any: ["expired"] }], notSay: [{ any: ["cannot"] }] }, entries)).toEqual({
    verdict: "failed",
    why: [
      { kind: "say", message: 'the agent never said "expired"' },
      { kind: "not_say", message: 'the agent said "cannot"', entry: 1 },
    ],
  });
  expect(messages(grade({ say: [{ any: ["insurance", "coverage"] }] }, entries))).toEqual([
    'the agent never said "insurance" or "coverage"',
  ]);
  expect(grade({ notSay: [{ any: ["$2,000", "$1,500.00"] }] }, entries).why).toEqual([
    { kind: "not_say", message: 'the agent said "$1,500.00"', entry: 2 },
  ]);
});

test("a trial cut short is judged only by what it did wrong", () => {
  const failure: Reason = {
    kind: "runtime",
    message: "the agent answered 500: oops",
    status: 500,
    body: "oops",
    entry: 3,
  };
  const entries = [
    caller("Hi"),
    made("book_load", {}, { rules: [{ rule: "stay-under", outcome: "broken", message: "too high" }] }),
    agent("secret"),
    { kind: "note", turn: 1, text: "the agent answered 500: oops" } as const,
  ];
  const expected: Partial<Expect> = {
    called: [call("verify_carrier")],
    notCalled: [{ tool: "book_load" }],
    state: [{ table: "loads", key: "L-9", where: [[is("status", "eq", "x")]] }],
    say: [{ any: ["hello"] }],
    notSay: [{ any: ["secret"] }],
  };
  const graded = grade(expected, entries, { failure });
  expect(graded.verdict).toBe("failed");
  expect(graded.why.map((reason) => [reason.kind, reason.entry])).toEqual([
    ["runtime", 3],
    ["rule", 1],
    ["not_called", 1],
    ["not_say", 2],
  ]);
  expect(graded.why[0]).toBe(failure);
  expect(grade({}, [], { failure })).toEqual({ verdict: "failed", why: [failure] });
});

test("an expectation whose CEL cannot be evaluated is not met", () => {
  const limit: FieldTest = {
    path: ["rate"],
    op: "lte",
    value: { kind: "cel", source: "row('loads', 'L-404').ceiling" },
  };
  expect(grade({ called: [call("book_load", [limit])] }, [made("book_load", { rate: 5 })])).toEqual({
    verdict: "failed",
    why: [{ kind: "called", message: "this expectation cannot be judged: loads has no row L-404" }],
  });
  const kept: FieldTest = { ...limit, value: { kind: "cel", source: "row('loads', 'L-1001').ceiling" } };
  expect(
    messages(grade({ called: [call("book_load", [kept])] }, [made("book_load", { rate: 1501 })])),
  ).toEqual(["no successful book_load with rate at most 1500; closest: book_load rate 1501"]);
});

test("hostile or huge values stay on one short line", () => {
  const args = { load_id: `x\n<script>${"y".repeat(5000)}` };
  const where: FieldTest = { path: ["load_id"], op: "eq", value: literal("L-1") };
  const [message] = messages(grade({ called: [call("book_load", [where])] }, [made("book_load", args)]));
  expect(message).toMatch(
    /^no successful book_load with load_id L-1; closest: book_load load_id "x\\n<script>y+…$/,
  );
  expect(message?.length).toBeLessThan(200);
});
