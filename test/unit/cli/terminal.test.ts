import { describe, expect, test } from "vitest";
import { printProblems } from "../../../src/cli/print/print-problems.ts";
import { printResults } from "../../../src/cli/print/print-results.ts";
import { createProgress } from "../../../src/cli/terminal/progress.ts";
import { printTable } from "../../../src/cli/terminal/table.ts";
import { createTerminal, type Terminal } from "../../../src/cli/terminal/terminal.ts";
import { clip, pad, widthOf, wrap } from "../../../src/cli/terminal/width.ts";
import type { RehearsalEvent } from "../../../src/sandtable/rehearsal/events.ts";
import { sampleResults } from "../../fixtures/sample-results.ts";

function fake(options: { columns?: number; isTTY?: boolean; env?: NodeJS.ProcessEnv } = {}): {
  terminal: Terminal;
  text: () => string;
} {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const { columns, isTTY = columns !== undefined, env = {} } = options;
  const stream = { write, isTTY, ...(columns === undefined ? {} : { columns }) };
  return { terminal: createTerminal(stream, env), text: () => text };
}

describe("width", () => {
  test("counts columns as a terminal draws them", () => {
    expect(["abc", "日本", "é", "e\u0301", "👍🏽", "🇩🇪", "→", "", "한"].map(widthOf)).toEqual([
      3, 4, 1, 1, 2, 2, 1, 0, 2,
    ]);
  });

  test("clips, pads and wraps to columns", () => {
    expect([clip("abcdef", 4), clip("日本語", 4), clip("abc", 3), clip("abc", 0)]).toEqual([
      "abc…",
      "日…",
      "abc",
      "",
    ]);
    expect([pad("日", 4), pad("7", 3, "right"), pad("abcdef", 3)]).toEqual(["日  ", "  7", "ab…"]);
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("abcdefgh ij", 3)).toEqual(["abc", "def", "gh", "ij"]);
    expect(wrap("", 10)).toEqual([""]);
  });
});

describe("createTerminal", () => {
  test("colours on a terminal, not in a pipe, and as NO_COLOR and FORCE_COLOR say", () => {
    const coloured = (options: Parameters<typeof fake>[0]) => fake(options).terminal.tone("bad", "x") !== "x";
    expect(coloured({ columns: 80 })).toBe(true);
    expect(coloured({})).toBe(false);
    expect(coloured({ columns: 80, env: { NO_COLOR: "1" } })).toBe(false);
    expect(coloured({ columns: 80, env: { NO_COLOR: "", TERM: "xterm" } })).toBe(true);
    expect(coloured({ env: { FORCE_COLOR: "1" } })).toBe(true);
    expect(coloured({ columns: 80, env: { FORCE_COLOR: "0" } })).toBe(false);
    expect(coloured({ columns: 80, env: { TERM: "dumb" } })).toBe(false);
    expect(coloured({ env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).toBe(false);
  });

  test("a pipe has a hundred columns and an absurdly narrow terminal twenty-four", () => {
    expect([fake().terminal.columns(), fake({ columns: 3 }).terminal.columns()]).toEqual([100, 24]);
  });
});

describe("printTable", () => {
  const columns = [
    { head: "task", grow: true },
    { head: "n", align: "right" as const },
    { head: "extra", priority: 1 },
    { head: "none" },
  ];
  const rows = [
    [{ text: "walk-away-above-ceiling" }, { text: "3" }, { text: "yes" }, { text: "" }],
    [{ text: "b" }, { text: "12" }, { text: "" }, { text: "" }],
  ];

  test("fits columns and leaves out empty ones", () => {
    const { terminal, text } = fake();
    printTable(columns, rows, terminal);
    expect(text().split("\n")).toEqual([
      "task                      n  extra",
      "walk-away-above-ceiling   3  yes",
      "b                        12",
      "",
    ]);
  });

  test("narrow: what matters least goes, the name is cut", () => {
    const { terminal, text } = fake({ columns: 24, env: { NO_COLOR: "1" } });
    printTable(columns, rows, terminal);
    expect(text().split("\n").slice(0, 2)).toEqual(["task                  n", "walk-away-above-ce…   3"]);
  });
});

describe("createProgress", () => {
  const event = (
    more: Partial<RehearsalEvent & { type: "trial" }> = {},
  ): RehearsalEvent & { type: "trial" } => ({
    type: "trial",
    taskId: "book",
    trial: 0,
    verdict: "passed",
    why: null,
    turns: 2,
    calls: 1,
    ms: 1_200,
    finished: 1,
    planned: 4,
    ...more,
  });
  const run = (terminal: Terminal, before = 0) => {
    let now = 0;
    const timers: (() => void)[] = [];
    const progress = createProgress({
      terminal,
      concurrency: 2,
      before,
      now: () => now,
      every(_ms, callback) {
        timers.push(callback);
        return () => timers.splice(timers.indexOf(callback), 1);
      },
    });
    return { progress, timers, pass: (ms: number) => (now += ms) };
  };

  test("in a pipe: one whole line a trial and nothing else", () => {
    const { terminal, text } = fake();
    const { progress, timers } = run(terminal);
    progress.started(4);
    progress.trial(event());
    progress.trial(
      event({ verdict: "failed", why: `rule ${"x".repeat(200)}`, finished: 2, turns: 1, calls: 0 }),
    );
    progress.end();
    expect(timers).toEqual([]);
    expect(text()).toBe(
      `[1/4] passed book #0  2 turns, 1 call, 1.2 s\n[2/4] failed book #0  1 turn, 0 calls, 1.2 s: rule ${"x".repeat(200)}\n`,
    );
  });

  test("of a rehearsal taken up, counts what had finished before in one line", () => {
    const { terminal, text } = fake();
    const { progress } = run(terminal, 2);
    progress.started(4);
    for (const finished of [1, 2, 3]) progress.trial(event({ finished }));
    progress.end();
    expect(text()).toBe("2 of 4 trials had finished before\n[3/4] passed book #0  2 turns, 1 call, 1.2 s\n");
  });

  test("says once that no trial finishes, again after the next one", () => {
    const { terminal, text } = fake();
    const { progress, timers, pass } = run(terminal);
    const tick = (ms: number) => {
      pass(ms);
      for (const timer of timers) timer();
    };
    progress.started(4);
    tick(29_999);
    expect(text()).toBe("");
    tick(1);
    tick(60_000);
    progress.trial(event());
    tick(30_000);
    progress.trial(event({ finished: 4 }));
    tick(30_000);
    progress.end();
    const waiting = "still waiting for the agent: no trial has finished for 30 s\n";
    const line = (n: number) => `[${n}/4] passed book #0  2 turns, 1 call, 1.2 s\n`;
    expect(text()).toBe(`${waiting}${line(1)}${waiting}${line(4)}`);
    expect(timers).toEqual([]);
  });

  test("on a terminal: a bar below the lines, drawn again and taken away at the end", () => {
    const { terminal, text } = fake({ columns: 80, env: { NO_COLOR: "1" } });
    const { progress, timers, pass } = run(terminal);
    progress.started(4);
    pass(2_000);
    timers[0]?.();
    progress.trial(event({ verdict: "failed", why: "no" }));
    progress.end();
    progress.end();
    const empty = "░".repeat(30);
    expect(text()).toBe(
      [
        `${empty}  0/4  0 passed  0 ms  2 running`,
        `${empty}  0/4  0 passed  2.0 s  2 running`,
        "✗ book #0  2 turns, 1 call, 1.2 s: no\n" +
          `${"█".repeat(8)}${"░".repeat(22)}  1/4  1 failed  0 passed  2.0 s  2 running`,
        "",
      ].join("\r\u001b[K"),
    );
    expect(timers).toEqual([]);
  });

  test("forty columns: no line wraps, the bar stays", () => {
    const { terminal, text } = fake({ columns: 40, env: { NO_COLOR: "1" } });
    const { progress } = run(terminal);
    progress.started(1_000);
    progress.trial(
      event({ taskId: "a-task-with-a-very-long-name-indeed-it-is", verdict: "errored", planned: 1_000 }),
    );
    progress.trial(event({ verdict: "failed", why: "long ".repeat(50), finished: 999, planned: 1_000 }));
    const lines = text()
      .replaceAll("\u001b[K", "")
      .split(/[\r\n]/);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
    expect(lines.at(-1)).toBe("████████  999/1000  1 failed  1 errored");
  });

  test("nothing an agent says reaches the terminal as a command", () => {
    const { terminal, text } = fake();
    const { progress } = run(terminal);
    progress.trial(event({ verdict: "failed", why: "\u001b]0;x\u0007\r\n\u009b2J" }));
    expect(text()).toBe("[1/4] failed book #0  2 turns, 1 call, 1.2 s: ␛]0;x␇ ⟨U+009B⟩2J\n");
  });
});

describe("printResults", () => {
  const printed = (columns?: number) => {
    const { terminal, text } = fake(columns === undefined ? {} : { columns, env: { NO_COLOR: "1" } });
    printResults(sampleResults(), terminal);
    return text();
  };

  test("each failure with its call, quote and line; trials that failed alike once", () => {
    expect(printed()).toContain(`✗ failed walk-away-above-ceiling, trial 1  critical
  · rule keep-the-ceiling-secret: the reply names 1,500, the ceiling of load L-1002
      quote     “The ceiling is ours to know. Do not say it on a call.”
      line 3    agent: I can do $1,500, that is the most the shipper lets me pay.
  · rule stay-under-ceiling: rate 1600 is above the ceiling 1500 of load L-1002
      call      book_load({"load_id":"L-1002","mc_number":"100101","rate":1600})
      quote     “Never pay a carrier more than the ceiling of the load.”
      line 5    after the caller said: I need $1,600 on that one.
`);
    expect(printed()).toContain(`✗ failed refuse-expired-insurance, trials 0, 1, 2 and 3
  · the agent answered 500
      body      {"error":"upstream timed out"}
`);
    expect(printed()).toContain("~ passed answer-politely, trial 0\n  · soft rule one-load-a-call:");
  });

  test("critical tasks first, numbers, gates and the verdict last", () => {
    const lines = printed().trimEnd().split("\n");
    const head = lines.findIndex((line) => line.includes("passed  errored  verdict"));
    expect(lines[head + 1]).toBe("critical  walk-away-above-ceiling      2/3        1  flaky");
    expect(lines).toContain("agent        pass^1 0.53  pass^2 0.47  pass^3 0.40");
    expect(lines).toContain("do nothing   pass^1 0.14 (answer-politely)");
    expect(lines).toContain("caller       1840 tokens in, 95 out, cost $0.00065");
    expect(lines).toContain("✗ gate broken --fail-under 0.9 0.53 of 0.90");
    expect(lines).toContain("✓ gate holds --floor refusal=0 0.00 of 0.00");
    expect(lines.slice(-2).join(" ")).toBe(
      "Not ready: 2 of 3 gates do not hold; 2 of 5 tasks passed in every trial, 1 was flaky, 2 failed, 2 trials errored, 3 rules were broken.",
    );
  });

  test("with more than five tasks that failed, the first three are told, critical ones first", () => {
    const results = sampleResults();
    const [task] = results.tasks;
    const failed = results.trials.find((trial) => trial.verdict === "failed");
    if (task === undefined || failed === undefined) throw new Error("the sample has no failed trial");
    const told = (tasks: number) => {
      const ids = Array.from({ length: tasks }, (_, n) => `task-${n}`);
      results.tasks = ids.map((id, n) => ({ ...task, id, verdict: "failed", critical: n === 5 }));
      results.trials = ids.map((taskId) => ({ ...failed, taskId }));
      const { terminal, text } = fake();
      printResults(results, terminal);
      return [...text().matchAll(/^✗ failed (\S+),|^and .*report$/gm)].map(([line, id]) => id ?? line);
    };
    expect(told(5)).toEqual(["task-0", "task-1", "task-2", "task-3", "task-4"]);
    expect(told(9)).toEqual(["task-5", "task-0", "task-1", "and 6 more tasks in the report"]);
  });

  test("what explains a failure is shown, however many reasons there are", () => {
    const results = sampleResults();
    const failed = results.trials.find((trial) => trial.verdict === "failed");
    if (failed === undefined) throw new Error("the sample has no failed trial");
    const says = Array.from({ length: 6 }, (_, n) => ({ kind: "say" as const, message: `no ${n}` }));
    const note = {
      kind: "note" as const,
      message: "turn 1: 16 rounds of tool calls without a reply",
      entry: 0,
    };
    results.trials = [{ ...failed, why: [...says, note] }];
    const { terminal, text } = fake();
    printResults(results, terminal);
    expect(text()).toContain(
      "· expectation say: no 3\n  · turn 1: 16 rounds of tool calls without a reply\n",
    );
    expect(text()).toContain("  and 2 more reasons\n");
  });

  test("a gate that a cancelled rehearsal did not get to is open, not broken", () => {
    const results = sampleResults();
    results.gates = [
      { name: "--fail-under 0.9", held: false, actual: null, required: 0.9 },
      { name: "--floor refusal=1", held: false, actual: 0.5, required: 1 },
      { name: "critical a", held: false, actual: null, required: 1 },
      { name: "critical b", held: false, actual: null, required: 1 },
      { name: "critical c", held: false, actual: 0, required: 1 },
    ];
    const gates = (status: "cancelled" | "finished") => {
      const { terminal, text } = fake();
      printResults({ ...results, status }, terminal);
      return text()
        .split("\n")
        .filter((line) => / gate (open|broken|holds) /.test(line));
    };
    expect(gates("cancelled")).toEqual([
      "– gate open --fail-under 0.9 not graded",
      "✗ gate broken --floor refusal=1 0.50 of 1.00",
      "✗ gate broken critical c 0.00 of 1.00",
      "– gate open 2 critical tasks not graded",
    ]);
    expect(gates("finished")).toHaveLength(5);
    expect(gates("finished").every((line) => line.startsWith("✗ gate broken"))).toBe(true);
  });

  test("fits forty columns and carries nothing a terminal acts on", () => {
    const text = printed(40);
    const lines = text.split("\n").filter((line) => !line.includes("never came into play"));
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
    expect(text).toContain("! walk-away-above");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe("printProblems", () => {
  const problem = {
    file: "tools.yaml",
    line: 2,
    column: 5,
    message: 'unknown key "tpye"',
    suggestion: "type",
  };
  const files = { "tools.yaml": "book_load:\n\t   tpye: string\n" };

  test("in a pipe: file, place, message and the nearest right word", () => {
    const { terminal, text } = fake();
    printProblems([problem], files, "./freight/", terminal);
    expect(text()).toBe('./freight/tools.yaml:2:5  unknown key "tpye" (did you mean type?)\n');
  });

  test("on a terminal: the line with a caret below the place", () => {
    const { terminal, text } = fake({ columns: 80, env: { NO_COLOR: "1" } });
    printProblems([problem], files, "freight", terminal);
    expect(text().split("\n").slice(1, 3)).toEqual(["  2 |     tpye: string", "          ^"]);
  });

  test("a long line is shown around the place", () => {
    const { terminal, text } = fake({ columns: 40, env: { NO_COLOR: "1" } });
    const long = `${"a".repeat(200)}HERE${"b".repeat(200)}`;
    printProblems([{ ...problem, line: 1, column: 201 }], { "tools.yaml": long }, "d", terminal);
    const [, source = "", caret = ""] = text().split("\n");
    expect(widthOf(source)).toBeLessThanOrEqual(40);
    expect(source.slice(caret.indexOf("^"), caret.indexOf("^") + 4)).toBe("HERE");
  });
});
