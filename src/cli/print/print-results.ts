import { callText, evidenceOf, reasonsToShow, reasonText } from "../../sandtable/report/evidence.ts";
import { count, dollars, duration, share } from "../../sandtable/report/format.ts";
import { type GateStanding, gateStanding } from "../../sandtable/report/gate-standing.ts";
import { headline } from "../../sandtable/report/headline.ts";
import {
  type FindingGroup,
  groupFindings,
  orderTasks,
  trialNumbers,
  trialsByTask,
} from "../../sandtable/report/order.ts";
import type { Gate, Reason, Results, TaskVerdict, TrialResult } from "../../sandtable/report/results.ts";
import type { OutputFiles } from "../run/outputs.ts";
import { printTable } from "../terminal/table.ts";
import { plain, type Terminal, type Tone } from "../terminal/terminal.ts";
import { clip, wrap } from "../terminal/width.ts";

/** Kinds of failure shown of one task; the report has more. So with the next. */
const shownGroups = 2;
/** With more tasks than `manyTasks` that have something to tell, only the first `shownTasks` are told here. */
const manyTasks = 5;
const shownTasks = 3;
const shownReasons = 4;

const taskTones: Record<TaskVerdict, Tone> = {
  passed: "good",
  failed: "bad",
  flaky: "warn",
  errored: "warn",
  skipped: "dim",
};

/** Prints a rehearsal for a person: what failed and why, the tasks with critical ones first, rules, pass^k, gates. */
export function printResults(results: Results, terminal: Terminal): void {
  terminal.line();
  printFindings(results, terminal);
  printTasks(results, terminal);
  printRules(results, terminal);
  printShares(results, terminal);
  printGates(results, terminal);
  const { tone, verdict, sentence } = headline(results);
  const toneOf = { good: "good", mixed: "warn", bad: "bad" } as const;
  const [first = "", ...rest] = wrap(`${verdict}: ${sentence}`, terminal.columns() - 1);
  terminal.line(terminal.tone(toneOf[tone], terminal.tone("strong", first)));
  for (const line of rest) terminal.line(terminal.tone(toneOf[tone], line));
}

function printFindings(results: Results, terminal: Terminal): void {
  const byTask = trialsByTask(results);
  const found = orderTasks(results.tasks)
    .map((task) => ({ task, groups: groupFindings(byTask.get(task.id) ?? []) }))
    .filter(({ groups }) => groups.length > 0);
  const shown = found.length > manyTasks ? found.slice(0, shownTasks) : found;
  for (const { task, groups } of shown) {
    for (const group of groups.slice(0, shownGroups)) printGroup(group, task.critical, terminal);
    const rest = groups.slice(shownGroups).reduce((sum, group) => sum + group.numbers.length, 0);
    if (rest > 0)
      terminal.line(terminal.tone("dim", `  and ${count(rest, "more trial")} of ${plain(task.id)}`));
    terminal.line();
  }
  const more = found.length - shown.length;
  if (more > 0) {
    terminal.line(terminal.tone("dim", `and ${count(more, "more task")} in the report`));
    terminal.line();
  }
}

function printGroup({ trial, numbers }: FindingGroup, critical: boolean, terminal: Terminal): void {
  const words = { failed: "✗ failed", errored: "! errored", passed: "~ passed", cancelled: "- cancelled" };
  const mark = terminal.tone(trial.verdict === "failed" ? "bad" : "warn", words[trial.verdict]);
  const label = critical ? terminal.tone("bad", "  critical") : "";
  const room = terminal.columns() - (critical ? 20 : 10);
  const name = clip(`${plain(trial.taskId)}, ${trialNumbers(numbers)}`, room);
  terminal.line(`${mark} ${terminal.tone("strong", name)}${label}`);
  const { shown, more } = reasonsToShow(trial.why, shownReasons);
  for (const reason of shown) printReason(trial, reason, terminal);
  if (more > 0) terminal.line(terminal.tone("dim", `  and ${count(more, "more reason")}`));
}

function printReason(trial: TrialResult, reason: Reason, terminal: Terminal): void {
  const columns = terminal.columns() - 1;
  for (const [index, line] of wrap(plain(reasonText(reason)), columns - 4).entries()) {
    terminal.line(`  ${index === 0 ? "·" : " "} ${line}`);
  }
  const detail = (label: string, text: string) => {
    const name = `      ${label.padEnd(10)}`;
    terminal.line(`${terminal.tone("dim", name)}${clip(plain(text), columns - name.length)}`);
  };
  const evidence = evidenceOf(trial, reason);
  if (evidence?.entry.kind === "call") detail("call", callText(evidence.entry.tool, evidence.entry.args));
  if (reason.kind === "rule" && reason.quote !== undefined) detail("quote", `“${reason.quote}”`);
  if (reason.kind === "runtime" && reason.body !== undefined && reason.body !== "")
    detail("body", reason.body);
  if (evidence === null) return;
  const { entry, caller, line } = evidence;
  if (entry.kind === "agent") detail(`line ${line}`, `agent: ${entry.text}`);
  else if (entry.kind === "caller") detail(`line ${line}`, `caller: ${entry.text}`);
  else if (caller !== null) detail(`line ${line}`, `after the caller said: ${caller}`);
}

function printTasks(results: Results, terminal: Terminal): void {
  // Where a word is too much, a mark in front of the name says it.
  const narrow = terminal.columns() < 60;
  const rows = orderTasks(results.tasks).map((task) => [
    { text: task.critical && !narrow ? "critical" : "", tone: "accent" as const },
    { text: `${task.critical && narrow ? "! " : ""}${plain(task.id)}` },
    { text: `${task.passed}/${task.graded}` },
    { text: task.errored === 0 ? "" : String(task.errored) },
    { text: task.verdict, tone: taskTones[task.verdict] },
  ]);
  printTable(
    [
      { head: "" },
      {
        head: narrow && results.tasks.some((task) => task.critical) ? "task (! critical)" : "task",
        grow: true,
      },
      { head: "passed", align: "right" },
      { head: "errored", align: "right", priority: 1 },
      { head: "verdict" },
    ],
    rows,
    terminal,
  );
  terminal.line();
}

function printRules(results: Results, terminal: Terminal): void {
  if (results.rules.length === 0) return;
  printTable(
    [
      { head: "rule", grow: true },
      { head: "in play", align: "right" },
      { head: "broken", align: "right" },
      { head: "caught", align: "right" },
      { head: "", priority: 1 },
    ],
    results.rules.map((rule) => [
      { text: plain(rule.id) },
      { text: String(rule.inPlay), ...(rule.inPlay === 0 ? { tone: "warn" as const } : {}) },
      { text: String(rule.broken), ...(rule.broken > 0 ? { tone: "bad" as const } : {}) },
      { text: String(rule.caught) },
      { text: rule.severity === "soft" ? "soft" : "", tone: "dim" as const },
    ]),
    terminal,
  );
  const idle = results.rules.filter((rule) => rule.inPlay === 0).length;
  if (idle > 0)
    terminal.line(
      terminal.tone(
        "dim",
        `${count(idle, "rule")} never came into play: nothing was shown about ${idle === 1 ? "it" : "them"}.`,
      ),
    );
  terminal.line();
}

function printShares(results: Results, terminal: Terminal): void {
  const { passHatK, doNothing, callerUsage } = results.summary;
  const { tone } = terminal;
  const write = (label: string, text: string) => {
    const [first = "", ...rest] = wrap(text, terminal.columns() - 14);
    terminal.line(`${tone("dim", label.padEnd(12))} ${first}`);
    for (const line of rest) terminal.line(`${" ".repeat(13)}${line}`);
  };
  const shown = passHatK.map((value, index) => `pass^${index + 1} ${share(value)}`);
  const middle = shown.length > 8 ? [...shown.slice(0, 5), "…", ...shown.slice(-1)] : shown;
  if (shown.length > 0) write("agent", middle.join("  "));
  const idle = doNothing.tasks.length === 0 ? "" : ` (${doNothing.tasks.map(plain).join(", ")})`;
  write("do nothing", `pass^1 ${share(doNothing.score)}${idle}`);
  if (callerUsage.inputTokens + callerUsage.outputTokens > 0) {
    const { inputTokens, outputTokens, costUsd } = callerUsage;
    write("caller", `${inputTokens} tokens in, ${outputTokens} out, cost ${dollars(costUsd)}`);
  }
  if (results.endedAt !== null) {
    write("time", duration(Date.parse(results.endedAt) - Date.parse(results.startedAt)));
  }
  terminal.line();
}

/** Gates somebody set one by one; of critical tasks only those that are broken, the others are counted. */
function printGates({ gates, status }: Results, terminal: Terminal): void {
  const quiet = { holds: 0, open: 0 };
  for (const gate of gates) {
    const standing = gateStanding(gate, status);
    if (standing !== "broken" && gate.name.startsWith("critical ")) quiet[standing] += 1;
    else printGate(gate, standing, terminal);
  }
  if (quiet.holds > 0) terminal.line(`${gateMark("holds", terminal)} ${count(quiet.holds, "critical task")}`);
  if (quiet.open > 0) {
    const note = terminal.tone("dim", "not graded");
    terminal.line(`${gateMark("open", terminal)} ${count(quiet.open, "critical task")} ${note}`);
  }
  if (gates.length > 0) terminal.line();
}

function gateMark(standing: GateStanding, terminal: Terminal): string {
  if (standing === "holds") return terminal.tone("good", "✓ gate holds");
  return standing === "open" ? terminal.tone("dim", "– gate open") : terminal.tone("bad", "✗ gate broken");
}

function printGate(gate: Gate, standing: GateStanding, terminal: Terminal): void {
  const actual = gate.actual === null ? "nothing graded" : share(gate.actual);
  const numbers = standing === "open" ? "not graded" : `${actual} of ${share(gate.required)}`;
  const mark = gateMark(standing, terminal);
  const room = terminal.columns() - 15 - numbers.length;
  terminal.line(`${mark} ${clip(plain(gate.name), Math.max(room, 8))} ${terminal.tone("dim", numbers)}`);
}

/** Says where the files are. */
export function printFiles(files: OutputFiles, terminal: Terminal): void {
  terminal.line();
  const write = (label: string, file: string) =>
    terminal.line(`${terminal.tone("dim", label.padEnd(12))} ${terminal.tone("accent", plain(file))}`);
  write("report", files.report);
  write("results", files.results);
  write("JUnit", files.junit);
  write("summary", files.summary);
}
