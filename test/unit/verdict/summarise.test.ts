import { expect, test } from "vitest";
import type { Rule } from "../../../src/sandtable/domain/types.ts";
import type { TrialVerdict } from "../../../src/sandtable/report/results.ts";
import { type SummaryPlan, summarise } from "../../../src/sandtable/verdict/summarise.ts";
import type { TrialFacts } from "../../../src/sandtable/verdict/trial-facts.ts";

const head = {
  on: null,
  kind: "limit" as const,
  times: 1,
  per: [] as string[][],
  counting: "all" as const,
} satisfies Partial<Rule>;
const rules: Rule[] = [
  {
    ...head,
    id: "verified",
    severity: "hard",
    description: "Verify first",
    source: { quote: "Be verified." },
  },
  { ...head, id: "polite", severity: "soft", source: { quote: "Be polite." } },
];

const plan: SummaryPlan = {
  tasks: [
    { id: "book", tags: ["booking"], critical: true, description: "Books" },
    { id: "refuse", tags: [], critical: false },
    { id: "idle", tags: [], critical: false },
    { id: "broken", tags: [], critical: false },
  ],
  rules,
  trials: 3,
  gates: [{ kind: "fail_under", name: "--fail-under 0.9", k: 1, required: 0.9 }],
  doNothing: ["refuse", "elsewhere"],
};

function facts(
  taskId: string,
  trial: number,
  verdict: TrialVerdict,
  more: Partial<TrialFacts> = {},
): TrialFacts {
  return {
    taskId,
    trial,
    verdict,
    endedBy: "caller_hung_up",
    agentAnswered: true,
    rulesInPlay: [],
    rulesBroken: [],
    rulesCaught: [],
    callerUsage: { inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
    ...more,
  };
}

const ended = [
  facts("book", 0, "passed", { rulesInPlay: ["verified", "polite"], rulesBroken: ["polite"] }),
  facts("book", 1, "failed", {
    rulesInPlay: ["verified"],
    rulesBroken: ["verified"],
    rulesCaught: ["verified"],
  }),
  facts("book", 2, "passed", { rulesInPlay: ["verified"] }),
  facts("refuse", 0, "passed"),
  facts("refuse", 1, "passed"),
  facts("refuse", 2, "errored"),
  facts("broken", 0, "errored"),
  facts("idle", 0, "cancelled"),
];

test("trials, tasks, rules and gates are summed up", () => {
  expect(summarise(plan, ended)).toEqual({
    summary: {
      trials: { planned: 12, passed: 4, failed: 1, errored: 2, cancelled: 1 },
      tasks: { passed: 1, failed: 0, flaky: 1, errored: 1, skipped: 1 },
      passHatK: [(2 / 3 + 1) / 2, (1 / 3 + 1) / 2],
      doNothing: { score: 0.25, tasks: ["refuse"] },
      callerUsage: { inputTokens: 80, outputTokens: 8, costUsd: 4 },
      agentNeverAnswered: false,
    },
    tasks: [
      {
        id: "book",
        description: "Books",
        tags: ["booking"],
        critical: true,
        verdict: "flaky",
        passed: 2,
        graded: 3,
        errored: 0,
        passHatK: [2 / 3, 1 / 3, 0],
        passesDoingNothing: false,
      },
      {
        id: "refuse",
        tags: [],
        critical: false,
        verdict: "passed",
        passed: 2,
        graded: 2,
        errored: 1,
        passHatK: [1, 1],
        passesDoingNothing: true,
      },
      {
        id: "idle",
        tags: [],
        critical: false,
        verdict: "skipped",
        passed: 0,
        graded: 0,
        errored: 0,
        passHatK: [],
        passesDoingNothing: false,
      },
      {
        id: "broken",
        tags: [],
        critical: false,
        verdict: "errored",
        passed: 0,
        graded: 0,
        errored: 1,
        passHatK: [],
        passesDoingNothing: false,
      },
    ],
    rules: [
      {
        id: "verified",
        severity: "hard",
        description: "Verify first",
        quote: "Be verified.",
        inPlay: 3,
        broken: 1,
        caught: 1,
      },
      { id: "polite", severity: "soft", quote: "Be polite.", inPlay: 1, broken: 1, caught: 0 },
    ],
    gates: [
      { name: "--fail-under 0.9", held: false, actual: (2 / 3 + 1) / 2, required: 0.9 },
      { name: "critical book", held: false, actual: 2 / 3, required: 1 },
    ],
  });
});

test("the order in which trials ended does not show", () => {
  expect(summarise(plan, ended.toReversed())).toEqual(summarise(plan, ended));
});

test("before anything ended there is no pass^k and no gate holds", () => {
  const { summary, gates } = summarise(plan, []);
  expect(summary.passHatK).toEqual([]);
  expect(summary.agentNeverAnswered).toBe(false);
  expect(summary.callerUsage).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
  expect(gates.map((gate) => gate.held)).toEqual([false, false]);
});

test("an agent that never answered is told apart from one that answered badly", () => {
  const dead = [
    facts("book", 0, "failed", { agentAnswered: false, endedBy: "agent_error" }),
    facts("book", 1, "errored"),
    facts("refuse", 0, "failed", { agentAnswered: false, endedBy: "agent_error" }),
  ];
  expect(summarise(plan, dead).summary.agentNeverAnswered).toBe(true);
  expect(summarise(plan, [...dead, facts("refuse", 1, "failed")]).summary.agentNeverAnswered).toBe(false);
  expect(
    summarise(plan, [facts("book", 0, "errored", { agentAnswered: false })]).summary.agentNeverAnswered,
  ).toBe(false);
});

test("one unknown cost makes the sum unknown", () => {
  const callerUsage = { inputTokens: 5, outputTokens: 5, costUsd: null };
  const sum = summarise(plan, [...ended, facts("idle", 1, "passed", { callerUsage })]).summary.callerUsage;
  expect(sum).toEqual({ inputTokens: 85, outputTokens: 13, costUsd: null });
});
