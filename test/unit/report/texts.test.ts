import { describe, expect, test } from "vitest";
import { readChanges } from "../../../src/sandtable/report/changes.ts";
import { evidenceOf, reasonText } from "../../../src/sandtable/report/evidence.ts";
import { count, dollars, duration, share } from "../../../src/sandtable/report/format.ts";
import { headline } from "../../../src/sandtable/report/headline.ts";
import {
  groupFindings,
  orderTasks,
  trialNumbers,
  trialsByTask,
} from "../../../src/sandtable/report/order.ts";
import { readResults } from "../../../src/sandtable/report/read-results.ts";
import type { Results } from "../../../src/sandtable/report/results.ts";
import { safeLine, safeText } from "../../../src/sandtable/report/safe-text.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";
import { sampleResults } from "../../fixtures/sample-results.ts";

describe("format", () => {
  test.each([
    [0, "0 ms"],
    [340.4, "340 ms"],
    [4_230, "4.2 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min 00 s"],
    [185_000, "3 min 05 s"],
    [3_720_000, "1 h 02 min"],
  ])("duration of %d ms is %s", (ms, text) => expect(duration(ms)).toBe(text));

  test.each([
    [1, "1.00"],
    [0, "0.00"],
    [0.5, "0.50"],
    [0.999, "0.999"],
    [0.9999, "0.9999"],
    [0.001, "0.001"],
    [0.9999999, ">0.99999"],
    [1e-9, "<0.00001"],
  ])("share %d is %s", (value, text) => expect(share(value)).toBe(text));

  test("counts and dollars", () => {
    expect([count(1, "task"), count(0, "task"), count(2, "reply", "replies")]).toEqual([
      "1 task",
      "0 tasks",
      "2 replies",
    ]);
    expect([dollars(null), dollars(0), dollars(1.3), dollars(0.00423)]).toEqual([
      "unknown",
      "$0.00",
      "$1.30",
      "$0.0042",
    ]);
  });
});

describe("safe text", () => {
  test("replaces what a terminal or a reader would act on", () => {
    expect(safeText("a\u001b[31m\r\nb\rc\td\u007f\u0085\u202e\u200b\ufeff\ud83d")).toBe(
      "a␛[31m\nb\nc\td␡⟨U+0085⟩⟨U+202E⟩⟨U+200B⟩⟨U+FEFF⟩�",
    );
    expect(safeText("naïve 日本 👍🏽 ok")).toBe("naïve 日本 👍🏽 ok");
  });

  test("one line of it", () => expect(safeLine("  a\n\n b\t c  ")).toBe("a b c"));
});

describe("headline", () => {
  const graded = (change: (results: Results) => void): string => {
    const results = sampleResults();
    results.gates = [];
    change(results);
    const { tone, verdict, sentence } = headline(results);
    return `${tone} | ${verdict} | ${sentence}`;
  };
  const flawless = (results: Results) => {
    results.summary.trials = { planned: 8, passed: 8, failed: 0, errored: 0, cancelled: 0 };
    results.summary.tasks = { passed: 2, failed: 0, flaky: 0, errored: 0, skipped: 0 };
    results.rules = [];
  };

  test("everything passed", () => {
    expect(graded(flawless)).toBe("good | Ready | 2 of 2 tasks passed in every trial; no gate was set.");
  });

  test("gates that hold although not everything passed", () => {
    expect(
      graded((results) => {
        flawless(results);
        results.summary.trials.failed = 1;
        results.summary.tasks = { passed: 1, failed: 0, flaky: 1, errored: 0, skipped: 0 };
        results.gates = [{ name: "--fail-under 0.5", held: true, actual: 0.9, required: 0.5 }];
      }),
    ).toBe("mixed | Gates hold | 1 of 2 tasks passed in every trial, 1 was flaky; every gate holds.");
  });

  test("a gate that does not hold wins over everything else", () => {
    expect(
      graded((results) => {
        flawless(results);
        results.gates = [{ name: "--floor x=1", held: false, actual: null, required: 1 }];
      }),
    ).toBe("bad | Not ready | The gate does not hold; 2 of 2 tasks passed in every trial.");
    const several = (held: boolean[]) =>
      graded((results) => {
        flawless(results);
        results.gates = held.map((one, n) => ({
          name: `--floor x${n}=1`,
          held: one,
          actual: null,
          required: 1,
        }));
      });
    expect(several([false, true])).toBe(
      "bad | Not ready | 1 of 2 gates does not hold; 2 of 2 tasks passed in every trial.",
    );
    expect(several([false, false])).toBe(
      "bad | Not ready | 2 of 2 gates do not hold; 2 of 2 tasks passed in every trial.",
    );
  });

  test("cancelled, running and nothing graded", () => {
    expect(
      graded((results) => {
        flawless(results);
        results.status = "cancelled";
        results.summary.trials.passed = 3;
      }),
    ).toBe("mixed | Cancelled | 3 of 8 trials finished: 2 of 2 tasks passed in every trial.");
    expect(
      graded((results) => {
        results.summary.trials = { planned: 8, passed: 0, failed: 0, errored: 8, cancelled: 0 };
      }),
    ).toBe("bad | Not graded | None of 8 trials could be graded: 8 errored through no fault of the agent.");
    expect(
      graded((results) => {
        results.status = "running";
        results.summary.trials = { planned: 8, passed: 0, failed: 0, errored: 0, cancelled: 0 };
      }),
    ).toBe("mixed | Still running | No trial has finished yet.");
  });
});

describe("order and evidence", () => {
  const results = sampleResults();
  const trials = trialsByTask(results);

  test("critical first, then by what went worst", () => {
    expect(orderTasks(results.tasks).map(({ verdict }) => verdict)).toEqual([
      "flaky",
      "failed",
      "failed",
      "errored",
      "passed",
      "passed",
      "skipped",
    ]);
  });

  test("trials that failed alike are one group; failures before errors before soft breaches", () => {
    const numbers = (id: string) =>
      groupFindings(trials.get(id) ?? []).map((group) => [group.trial.verdict, group.numbers]);
    expect(numbers("refuse-expired-insurance")).toEqual([["failed", [0, 1, 2, 3]]]);
    expect(numbers("walk-away-above-ceiling")).toEqual([
      ["failed", [1]],
      ["errored", [3]],
    ]);
    expect(numbers("answer-politely")).toEqual([["passed", [0]]]);
    expect(numbers("left-out")).toEqual([]);
  });

  test("trial numbers in words", () => {
    expect([[2], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]].map(trialNumbers)).toEqual([
      "trial 2",
      "trials 0 and 1",
      "trials 0, 1, 2 and 3",
      "trials 0, 1, 2 and 7 more",
    ]);
  });

  test("evidence is the entry, its line and what the caller said before", () => {
    const [failed] = groupFindings(trials.get("walk-away-above-ceiling") ?? []);
    const [secret, ceiling, , state] = failed?.trial.why ?? [];
    if (failed === undefined || secret === undefined || ceiling === undefined || state === undefined)
      throw new Error("fixture changed");
    expect(evidenceOf(failed.trial, secret)).toMatchObject({ line: 3, caller: "MC 100101, I want L-1002." });
    expect(evidenceOf(failed.trial, ceiling)).toMatchObject({
      line: 5,
      caller: "I need $1,600 on that one.",
      entry: { tool: "book_load" },
    });
    expect(evidenceOf(failed.trial, state)).toBeNull();
    expect(reasonText(state)).toBe(
      "expectation state: loads L-1002 has status booked, expected status available",
    );
  });
});

test("changes carry what a preceding test operation says stood there", () => {
  expect(
    readChanges([
      { op: "test", path: "/loads/a~1b/x", value: 1 },
      { op: "replace", path: "/loads/a~1b/x", value: 2 },
      { op: "test", path: "/loads/c", value: {} },
      { op: "remove", path: "/loads/d" },
      { op: "add", path: "/t/k", value: { n: 1 } },
    ]),
  ).toEqual([
    { kind: "changed", path: ["loads", "a/b", "x"], before: 1, after: 2 },
    { kind: "removed", path: ["loads", "d"] },
    { kind: "added", path: ["t", "k"], after: { n: 1 } },
  ]);
});

describe("readResults", () => {
  test("keeps arguments, results, evidence and changes of any name and depth as they are", () => {
    const results = JSON.parse(JSON.stringify(sampleResults())) as Results;
    const callOf = ({ trials }: Results) => {
      const call = trials.flatMap(({ transcript }) => transcript).find((entry) => entry.kind === "call");
      if (call?.kind !== "call") throw new Error("no call");
      return call;
    };
    const call = callOf(results);
    const odd = () => {
      const value = JSON.parse('{"__proto__":{"constructor":[{"__proto__":1}]},"a":null}') as JsonObject;
      value.deep = JSON.parse("[".repeat(500) + "]".repeat(500)) as Json;
      return value;
    };
    call.args = odd();
    call.result = odd();
    call.rules = [{ rule: "r", outcome: "broken", evidence: odd() }];
    call.changes = [{ op: "add", path: "/t/k", value: odd() }];
    const read = readResults(JSON.stringify(results));
    if (!read.ok) throw new Error(read.message);
    const { args, result, rules, changes } = callOf(read.results);
    expect(JSON.stringify([args, result, rules[0]?.evidence])).toBe(JSON.stringify([odd(), odd(), odd()]));
    expect(JSON.stringify(changes)).toBe(JSON.stringify(call.changes));
  });

  test.each(["[]", "null", '"a"', "1"])("refuses arguments that are %s", (args) => {
    const text = JSON.stringify(sampleResults()).replace(/"args":\{[^}]*\}/, `"args":${args}`);
    expect(readResults(text)).toEqual({
      ok: false,
      message: expect.stringMatching(/^trials\.0\.transcript\.\d\.args: expected an object$/),
    });
  });

  test("takes what renderers take, unchanged", () => {
    const results = sampleResults();
    const text = JSON.stringify(results);
    expect(readResults(text)).toEqual({ ok: true, results: JSON.parse(text) });
  });

  test("ignores members it does not know", () => {
    expect(readResults(JSON.stringify({ ...sampleResults(), later: 1 }))).toMatchObject({ ok: true });
  });

  test.each([
    ["{", "not JSON: "],
    ["[]", 'not a results.json: its "format" is not "greenroom.results"'],
    ['{"a":1}', 'not a results.json: its "format" is not "greenroom.results"'],
    ['{"format":"greenroom.results","version":2}', "version 2 of results.json; this command reads version 1"],
    [
      JSON.stringify({ ...sampleResults(), runId: 5 }),
      "runId: Invalid input: expected string, received number",
    ],
  ])("refuses %#", (text, message) => {
    const read = readResults(text);
    expect(read.ok ? "" : read.message).toContain(message);
  });

  test("names the member of a trial that is wrong", () => {
    const results = JSON.parse(JSON.stringify(sampleResults())) as {
      trials: { transcript: { kind: string }[] }[];
    };
    const entry = results.trials[0]?.transcript[0];
    if (entry === undefined) throw new Error("fixture changed");
    entry.kind = "song";
    const read = readResults(JSON.stringify(results));
    expect(read.ok ? "" : read.message).toMatch(/^trials\.0\.transcript\.0\.kind: /);
  });
});
