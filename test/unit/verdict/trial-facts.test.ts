import { expect, test } from "vitest";
import type { TranscriptEntry, TrialResult } from "../../../src/sandtable/report/results.ts";
import { trialFacts } from "../../../src/sandtable/verdict/trial-facts.ts";

const rules = [{ id: "verified" }, { id: "ceiling" }, { id: "secret" }, { id: "once" }];

const transcript: TranscriptEntry[] = [
  { kind: "caller", turn: 1, text: "Book it" },
  {
    kind: "call",
    turn: 1,
    round: 1,
    id: "c1",
    tool: "book_load",
    args: {},
    ok: true,
    result: null,
    rules: [
      { rule: "ceiling", outcome: "broken", message: "too high" },
      { rule: "verified", outcome: "kept" },
    ],
    changes: [],
  },
  {
    kind: "agent",
    turn: 1,
    text: "Booked",
    rules: [{ rule: "secret", outcome: "unchecked", message: "no row" }],
  },
];

function result(more: Partial<TrialResult>): TrialResult {
  return {
    taskId: "book",
    trial: 2,
    sessionId: "r/book#2",
    verdict: "failed",
    why: [{ kind: "rule", rule: "ceiling", severity: "hard", message: "too high", entry: 1 }],
    endedBy: "caller_hung_up",
    turns: 1,
    steps: 2,
    transcript,
    stateChanges: [],
    callerUsage: { inputTokens: 3, outputTokens: 4, costUsd: 0 },
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:00:01.000Z",
    agentMs: 5,
    ...more,
  };
}

test("rules in play, broken and caught are read off the outcomes, in the domain's order", () => {
  expect(trialFacts(rules, result({}))).toEqual({
    taskId: "book",
    trial: 2,
    verdict: "failed",
    endedBy: "caller_hung_up",
    agentAnswered: true,
    rulesInPlay: ["verified", "ceiling", "secret"],
    rulesBroken: ["ceiling"],
    rulesCaught: ["ceiling"],
    callerUsage: { inputTokens: 3, outputTokens: 4, costUsd: 0 },
  });
});

test("a soft breach, or a breach in an errored trial, is broken and not caught", () => {
  const soft = result({
    why: [{ kind: "rule", rule: "ceiling", severity: "soft", message: "too high", entry: 1 }],
  });
  expect(trialFacts(rules, { ...soft, verdict: "passed" })).toMatchObject({
    rulesBroken: ["ceiling"],
    rulesCaught: [],
  });
  expect(trialFacts(rules, soft)).toMatchObject({ rulesBroken: ["ceiling"], rulesCaught: [] });
  const errored = result({ verdict: "errored", why: [{ kind: "errored", message: "killed" }] });
  expect(trialFacts(rules, errored)).toMatchObject({ rulesBroken: ["ceiling"], rulesCaught: [] });
});

test("an agent that only called tools did answer; one that failed at once did not", () => {
  expect(trialFacts(rules, result({ transcript: transcript.slice(0, 2) })).agentAnswered).toBe(true);
  const note: TranscriptEntry = { kind: "note", turn: 1, text: "the agent answered 500" };
  const dead = trialFacts(rules, result({ transcript: [...transcript.slice(0, 1), note] }));
  expect(dead).toMatchObject({ agentAnswered: false, rulesInPlay: [], rulesBroken: [] });
});
