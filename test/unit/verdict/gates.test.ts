import { expect, test } from "vitest";
import type { TaskResult } from "../../../src/sandtable/report/results.ts";
import { evaluateGates, GateError, parseGates } from "../../../src/sandtable/verdict/gates.ts";
import { taskResult } from "../../../src/sandtable/verdict/task-verdict.ts";

const scope = { tasks: [{ tags: ["refusal"] }, { tags: ["booking", "refusal"] }, { tags: [] }], trials: 3 };

function task(
  id: string,
  verdicts: string,
  options: { tags?: string[]; critical?: boolean } = {},
): TaskResult {
  const names = { p: "passed", f: "failed", e: "errored", c: "cancelled" } as const;
  const trials = [...verdicts].map((letter) => ({ verdict: names[letter as keyof typeof names] }));
  return taskResult({ id, tags: options.tags ?? [], critical: options.critical ?? false }, trials, false);
}

test("gates are parsed in the order written", () => {
  expect(
    parseGates({ failUnder: ["0.9", "pass^3=0.8"], floor: ["refusal=1", "untagged=.5"] }, scope),
  ).toEqual([
    { kind: "fail_under", name: "--fail-under 0.9", k: 1, required: 0.9 },
    { kind: "fail_under", name: "--fail-under pass^3=0.8", k: 3, required: 0.8 },
    { kind: "floor", name: "--floor refusal=1", tag: "refusal", required: 1 },
    { kind: "floor", name: "--floor untagged=.5", tag: "untagged", required: 0.5 },
  ]);
  expect(parseGates({}, scope)).toEqual([]);
});

test("a tag may contain an equals sign", () => {
  const specs = parseGates({ floor: ["team=a=0.5"] }, { tasks: [{ tags: ["team=a"] }], trials: 1 });
  expect(specs).toEqual([{ kind: "floor", name: "--floor team=a=0.5", tag: "team=a", required: 0.5 }]);
});

test.each([
  [
    { failUnder: ["90%"] },
    '--fail-under 90%: "90%" is not a share from 0 to 1; write it as in 0.9 or pass^3=0.8',
  ],
  [{ failUnder: [""] }, '--fail-under : "" is not a share from 0 to 1; write it as in 0.9 or pass^3=0.8'],
  [
    { failUnder: ["NaN"] },
    '--fail-under NaN: "NaN" is not a share from 0 to 1; write it as in 0.9 or pass^3=0.8',
  ],
  [
    { failUnder: ["-0.1"] },
    '--fail-under -0.1: "-0.1" is not a share from 0 to 1; write it as in 0.9 or pass^3=0.8',
  ],
  [
    { failUnder: ["1e-1"] },
    '--fail-under 1e-1: "1e-1" is not a share from 0 to 1; write it as in 0.9 or pass^3=0.8',
  ],
  [{ failUnder: ["90"] }, "--fail-under 90: 90 is above 1; a share goes from 0 to 1"],
  [{ failUnder: ["pass@3=0.8"] }, "--fail-under pass@3=0.8: expected a share such as 0.9, or pass^3=0.8"],
  [{ failUnder: ["pass^0=0.8"] }, "--fail-under pass^0=0.8: k of pass^k starts at 1"],
  [
    { failUnder: ["pass^4=0.8"] },
    "--fail-under pass^4=0.8: pass^4 needs at least 4 trials a task; this rehearsal has 3",
  ],
  [{ floor: ["refusal"] }, "--floor refusal: expected a tag and a share, such as refusal=1"],
  [{ floor: ["=1"] }, "--floor =1: expected a tag and a share, such as refusal=1"],
  [{ floor: ["refusal=x"] }, '--floor refusal=x: "x" is not a share from 0 to 1; write it as in refusal=0.9'],
  [{ floor: ["refusal=1.01"] }, "--floor refusal=1.01: 1.01 is above 1; a share goes from 0 to 1"],
  [
    { floor: ["refund=1"] },
    '--floor refund=1: no selected task has the tag "refund"; their tags are booking, refusal',
  ],
])("%j is refused", (written, message) => {
  expect(() => parseGates(written, scope)).toThrow(new GateError(message));
});

test("untagged needs a task without tags", () => {
  const tagged = { tasks: [{ tags: ["a"] }], trials: 1 };
  expect(() => parseGates({ floor: ["untagged=1"] }, tagged)).toThrow(
    new GateError("--floor untagged=1: every selected task has a tag"),
  );
  expect(() => parseGates({ floor: ["a=1"] }, { tasks: [{ tags: [] }], trials: 1 })).toThrow(
    new GateError('--floor a=1: no selected task has the tag "a"; none of them has one'),
  );
});

test("--fail-under is a mean over graded tasks, whatever their number of trials", () => {
  const tasks = [task("a", "ppp"), task("b", "ppf"), task("c", "eee")];
  const specs = parseGates({ failUnder: ["0.8", "0.84", "pass^2=0.66", "pass^2=0.67", "pass^3=0.5"] }, scope);
  expect(evaluateGates(specs, tasks)).toEqual([
    { name: "--fail-under 0.8", held: true, actual: (1 + 2 / 3) / 2, required: 0.8 },
    { name: "--fail-under 0.84", held: false, actual: (1 + 2 / 3) / 2, required: 0.84 },
    { name: "--fail-under pass^2=0.66", held: true, actual: (1 + 1 / 3) / 2, required: 0.66 },
    { name: "--fail-under pass^2=0.67", held: false, actual: (1 + 1 / 3) / 2, required: 0.67 },
    { name: "--fail-under pass^3=0.5", held: true, actual: 0.5, required: 0.5 },
  ]);
});

test("rounding does not fail a gate that is met exactly", () => {
  // 0.1 for each of ten tasks sums to 0.9999999999999999.
  const tasks = Array.from({ length: 10 }, (_, i) => task(`t${i}`, "pfffffffff"));
  const [gate] = evaluateGates(parseGates({ failUnder: ["0.1"] }, { ...scope, trials: 10 }), tasks);
  expect(gate?.held).toBe(true);
  expect(gate?.actual).toBeLessThan(0.1);
});

test("a floor looks only at tasks with its tag", () => {
  const tasks = [
    task("a", "p", { tags: ["refusal"] }),
    task("b", "f", { tags: ["booking"] }),
    task("c", "pf"),
  ];
  const specs = parseGates({ floor: ["refusal=1", "untagged=0.6"] }, scope);
  expect(evaluateGates(specs, tasks)).toEqual([
    { name: "--floor refusal=1", held: true, actual: 1, required: 1 },
    { name: "--floor untagged=0.6", held: false, actual: 0.5, required: 0.6 },
  ]);
});

test("a gate with nothing graded does not hold, not even at 0", () => {
  const specs = parseGates({ failUnder: ["0"], floor: ["refusal=0"] }, scope);
  const nothing = [task("a", "ec", { tags: ["refusal"], critical: true })];
  expect(evaluateGates(specs, nothing)).toEqual([
    { name: "--fail-under 0", held: false, actual: null, required: 0 },
    { name: "--floor refusal=0", held: false, actual: null, required: 0 },
    { name: "critical a", held: false, actual: null, required: 1 },
  ]);
  expect(evaluateGates(specs, []).map((gate) => gate.held)).toEqual([false, false]);
});

test("pass^k does not hold when errors left a task with fewer than k graded trials", () => {
  const specs = parseGates({ failUnder: ["pass^3=0.5"] }, scope);
  expect(evaluateGates(specs, [task("a", "ppp"), task("b", "ppe")])).toEqual([
    { name: "--fail-under pass^3=0.5", held: false, actual: null, required: 0.5 },
  ]);
});

test("one failed trial of a critical task fails its gate; errored trials do not", () => {
  const tasks = [task("a", "ppe", { critical: true }), task("b", "ppf", { critical: true }), task("c", "f")];
  expect(evaluateGates([], tasks)).toEqual([
    { name: "critical a", held: true, actual: 1, required: 1 },
    { name: "critical b", held: false, actual: 2 / 3, required: 1 },
  ]);
});
