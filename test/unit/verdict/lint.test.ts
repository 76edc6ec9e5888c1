import { expect, test } from "vitest";
import type { CallerLine, Domain, ReferenceStep, Task } from "../../../src/sandtable/domain/types.ts";
import { type LintFinding, lintDomain } from "../../../src/sandtable/verdict/lint.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { call, expecting, is, scripted, smallDomain, task } from "./small-domain.ts";

const step = (tool: string, args: JsonObject): ReferenceStep => ({ kind: "call", tool, args });
const agent = (text: string): ReferenceStep => ({ kind: "agent", text });
const caller = (text: string): ReferenceStep => ({ kind: "caller", text });

const verify = step("verify_carrier", { mc_number: "100101" });
const book = (rate: number, load_id = "L-1002") => step("book_load", { load_id, mc_number: "100101", rate });

/** Findings about one task; what no task tries is left out. */
function taskFindings(more: Partial<Task>, domain: Partial<Domain> = {}): LintFinding[] {
  const one = task({ expect: expecting({ called: [call("get_load")] }), ...more });
  return lintDomain(smallDomain([one], domain)).filter((finding) => finding.task !== undefined);
}

const booking = task({
  id: "book",
  expect: expecting({
    called: [call("book_load", [is("rate", "lte", 1375)])],
    state: [{ table: "loads", key: "L-1002", where: [[is("status", "eq", "booked")]] }],
    say: [{ any: ["booked"] }],
  }),
  reference: [
    step("get_load", { load_id: "L-1002" }),
    agent("I can pay $1,300."),
    caller("Fine, book it."),
    verify,
    book(1300),
    agent("Booked."),
  ],
});
const handOver = task({
  id: "hand-over",
  expect: expecting({ called: [call("transfer_to_human")] }),
  reference: [step("transfer_to_human", {})],
});

test("a sound domain has no findings", () => {
  expect(lintDomain(smallDomain([booking, handOver]))).toEqual([]);
});

test("an agent that does nothing must not pass", () => {
  expect(
    taskFindings({ expect: expecting({ notCalled: [{ tool: "book_load" }] }), reference: [agent("No.")] }),
  ).toEqual([
    {
      severity: "error",
      task: "task",
      message:
        'an agent that does nothing passes this task (it calls no tool and answers "Okay."); expect something that only the right conduct brings about',
    },
  ]);
  const [finding] = taskFindings({
    expect: expecting({ notSay: [{ any: ["okay"] }] }),
    reference: [agent("No.")],
  });
  expect(finding?.message).toMatch(
    /^an agent that does nothing passes this task \(it calls no tool and says nothing\);/,
  );
});

test("a task without a reference is pointed out", () => {
  expect(taskFindings({})).toEqual([
    {
      severity: "warning",
      task: "task",
      message: "the task has no reference, so nothing shows that it can be passed",
    },
  ]);
});

test("a call of the reference that fails is an error, unless the task expects it to", () => {
  const reference = [verify, step("book_load", { load_id: "L-1003", mc_number: "100101", rate: 900 })];
  const failing = call("book_load", [is("load_id", "eq", "L-1003")], { ok: false });
  expect(taskFindings({ reference, expect: expecting({ called: [call("verify_carrier")] }) })).toEqual([
    {
      severity: "error",
      task: "task",
      tool: "book_load",
      message:
        "reference step 2 (book_load load_id L-1003, mc_number 100101, rate 900) fails: Load L-1003 is not available",
    },
  ]);
  expect(taskFindings({ reference, expect: expecting({ called: [failing] }) })).toEqual([]);
  const other = call("book_load", [is("load_id", "eq", "L-1")], { ok: false });
  expect(taskFindings({ reference, expect: expecting({ called: [other] }) })).toHaveLength(2);
});

test("an unknown tool or argument in a reference fails as it would in a trial", () => {
  const expected = expecting({ called: [call("verify_carrier")] });
  const findings = taskFindings({
    reference: [verify, step("nothing", {}), step("get_load", { id: "L-1" })],
    expect: expected,
  });
  expect(findings.map(({ tool, message }) => [tool, message])).toEqual([
    ["nothing", 'reference step 2 (nothing) fails: unknown tool "nothing"'],
    ["get_load", 'reference step 3 (get_load id L-1) fails: unknown argument "id"'],
  ]);
});

test("a reference that breaks a hard rule is an error, a soft one a warning", () => {
  const findings = taskFindings({
    reference: [book(1390)],
    expect: expecting({ called: [call("book_load")] }),
  });
  const said = "reference step 1 (book_load load_id L-1002, mc_number 100101, rate 1390) breaks the rule";
  expect(findings).toEqual([
    {
      severity: "error",
      task: "task",
      rule: "verified-first",
      message: `${said}: book_load for mc_number 100101 without an earlier successful verify_carrier for the same mc_number`,
    },
    {
      severity: "error",
      task: "task",
      rule: "stay-under",
      message: `${said}: rate 1390 is above the ceiling 1375 of loads L-1002`,
    },
    {
      severity: "warning",
      task: "task",
      rule: "round-rates",
      message: `${said}, which is soft: book_load for load_id L-1002, mc_number 100101 and rate 1390 does not meet: args.rate % 25 == 0`,
    },
  ]);
});

test("an agent line that gives a secret away is an error", () => {
  const findings = taskFindings({
    reference: [step("get_load", { load_id: "L-1002" }), agent("Our ceiling is 1375.")],
  });
  expect(findings).toEqual([
    {
      severity: "error",
      task: "task",
      rule: "ceiling-secret",
      message:
        "reference step 2 (agent) breaks the rule: the reply discloses the ceiling 1375 of loads L-1002",
    },
  ]);
});

test("a rule that cannot be checked on the reference is a warning", () => {
  const given = [{ table: "loads", key: "L-1002", row: null }];
  const reference = [verify, book(1300)];
  const findings = taskFindings({
    given,
    reference,
    expect: expecting({ called: [call("book_load", undefined, { ok: false })] }),
  });
  expect(findings).toEqual([
    {
      severity: "warning",
      task: "task",
      rule: "stay-under",
      message:
        "reference step 2 (book_load load_id L-1002, mc_number 100101, rate 1300) cannot be checked against the rule: loads has no row L-1002",
    },
  ]);
});

test("expectations that the reference leaves unmet are errors", () => {
  const reference = [verify, book(1300), agent("Done.")];
  const expected = expecting({
    called: [call("get_load")],
    notCalled: [{ tool: "book_load" }],
    state: [{ table: "loads", key: "L-1002", where: [[is("rate", "eq", 1400)]] }],
    say: [{ any: ["booked"] }],
    notSay: [{ any: ["done"] }],
  });
  expect(taskFindings({ reference, expect: expected })).toEqual(
    [
      "`called`: get_load was never called",
      "`not_called`: book_load must not be called; called: book_load load_id L-1002, mc_number 100101, rate 1300",
      "`state`: loads L-1002 ended with rate 1300; expected rate 1400",
      '`say`: the agent never said "booked"',
      '`not_say`: the agent said "done"',
    ].map((text) => ({
      severity: "error",
      task: "task",
      message: `the reference does not meet the expectation ${text}`,
    })),
  );
});

test("a reference of calls alone cannot show what is said", () => {
  const expected = expecting({ called: [call("verify_carrier")], say: [{ any: ["active"] }] });
  expect(taskFindings({ reference: [verify], expect: expected })).toEqual([
    {
      severity: "warning",
      task: "task",
      message: "the reference has no agent line, so the expectation `say` cannot be shown to be met",
    },
  ]);
});

test("a reference longer than the task allows is pointed out", () => {
  const reference = [caller("One"), agent("Yes"), caller("Two"), step("get_load", { load_id: "L-1001" })];
  expect(taskFindings({ reference, maxTurns: 1 })).toEqual([
    { severity: "warning", task: "task", message: "the reference takes 2 caller lines; max_turns is 1" },
  ]);
  expect(taskFindings({ reference, maxTurns: 2 })).toEqual([]);
});

test("rules and tools that no reference tries, and rules without a quote, are pointed out", () => {
  const { rules } = smallDomain([]);
  const unquoted = rules.map(({ source: _source, ...rule }) => rule) as Domain["rules"];
  expect(lintDomain(smallDomain([handOver], { rules: unquoted.slice(0, 2) }))).toEqual([
    { severity: "warning", rule: "verified-first", message: "no task's reference puts the rule in play" },
    {
      severity: "warning",
      rule: "verified-first",
      message: "the rule has no source.quote, so a report cannot show where it comes from",
    },
    { severity: "warning", rule: "stay-under", message: "no task's reference puts the rule in play" },
    {
      severity: "warning",
      rule: "stay-under",
      message: "the rule has no source.quote, so a report cannot show where it comes from",
    },
    { severity: "warning", tool: "verify_carrier", message: "no task's reference uses the tool" },
    { severity: "warning", tool: "get_load", message: "no task's reference uses the tool" },
    { severity: "warning", tool: "book_load", message: "no task's reference uses the tool" },
  ]);
});

test("lines behind one that is always said are never said", () => {
  const line = (more: Partial<CallerLine>): CallerLine => ({
    when: [],
    say: ["x"],
    act: "continue",
    ...more,
  });
  const lines = (replies: CallerLine[], fallback?: CallerLine) =>
    taskFindings({
      reference: [step("get_load", { load_id: "L-1001" })],
      caller: scripted({ replies, ...(fallback === undefined ? {} : { fallback }) }),
    }).map((finding) => `${finding.severity}: ${finding.message}`);
  const because = "line 2 of replies has no condition and no limit";
  expect(
    lines([line({ times: 1 }), line({}), line({ when: [{ asked: true }] }), line({})], line({})),
  ).toEqual([
    `warning: line 3 of the caller's replies is never said: ${because}`,
    `warning: line 4 of the caller's replies is never said: ${because}`,
    `warning: the caller's fallback is never said: ${because}`,
  ]);
  expect(lines([line({ when: [{ asked: true }, {}] }), line({})])).toHaveLength(1);
  expect(
    lines([line({ when: [{ asked: true }] }), line({ say: ["{offer}?"] }), line({ times: 2 }), line({})]),
  ).toEqual([]);
});

test("a caller that cannot be played is an error", () => {
  const cannot = scripted({
    replies: [{ when: [{ cel: "row('loads', 'L-404').ceiling > 1" }], say: ["x"], act: "continue" }],
  });
  expect(taskFindings({ caller: cannot, reference: [step("get_load", { load_id: "L-1001" })] })).toEqual([
    { severity: "error", task: "task", message: "the caller cannot be played: loads has no row L-404" },
  ]);
});

test("an expected or forbidden call of a row that is never there", () => {
  const expectKey = (load: string, more: Partial<Task> = {}) =>
    taskFindings({
      reference: [step("get_load", { load_id: "L-1002" })],
      expect: expecting({
        called: [call("get_load", [is("load_id", "eq", load)]), call("get_load")],
        notCalled: [
          { tool: "book_load", args: [[is("load_id", "eq", load), is("mc_number", "eq", "100101")]] },
        ],
      }),
      ...more,
    })
      .filter(({ message }) => message.includes("no such row"))
      .map(({ severity, task, message }) => `${severity} ${task}: ${message}`);
  expect(expectKey("L-1002")).toEqual([]);
  expect(expectKey("L-102")).toEqual([
    'warning task: called names get_load with load_id "L-102", and loads has no such row',
    'warning task: not_called names book_load with load_id "L-102", and loads has no such row',
  ]);
  expect(expectKey("L-102", { given: [{ table: "loads", key: "L-102", row: { status: "open" } }] })).toEqual(
    [],
  );
  expect(expectKey("L-102", { caller: scripted({ opens: ["What does l-102 pay?"] }) })).toEqual([]);
});
