import { callText, evidenceOf, reasonsToShow, reasonText } from "./evidence.ts";
import { count, share } from "./format.ts";
import { gateStanding } from "./gate-standing.ts";
import { headline } from "./headline.ts";
import { type FindingGroup, groupFindings, orderTasks, trialNumbers, trialsByTask } from "./order.ts";
import type { Reason, Results, TrialResult } from "./results.ts";
import { safeLine } from "./safe-text.ts";

/** A job's summary page takes one megabyte; these keep it a page to read. */
const maxGroups = 20;
const maxReasons = 5;
const maxChars = 300;

const toneMarks = { good: "✅", mixed: "⚠️", bad: "❌" } as const;
const gateMarks = { holds: "✅", broken: "❌", open: "➖" } as const;
const verdictMarks = { passed: "✅", failed: "❌", flaky: "⚠️", errored: "❗", skipped: "➖" } as const;

/**
 * A rehearsal as a page of GitHub Markdown, for `GITHUB_STEP_SUMMARY` or a comment. Text of an agent or a domain is
 * escaped, so that it neither becomes markup nor mentions anybody.
 */
export function renderMarkdown(results: Results): string {
  const { tone, verdict, sentence } = headline(results);
  const lines = [
    `## ${toneMarks[tone]} Rehearsal of ${text(results.domain.name)}: ${text(verdict)}`,
    "",
    text(sentence),
    "",
    `Agent ${code(results.agent.name)} (${results.agent.kind}), run ${code(results.runId)}. ${shares(results)}`,
    "",
    ...gateLines(results),
    ...taskLines(results),
    ...failureLines(results),
    ...ruleLines(results),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function shares({ summary }: Results): string {
  const { passHatK, doNothing } = summary;
  const last = passHatK.length;
  const agent = [1, last].filter((k, index, all) => k > 0 && all.indexOf(k) === index);
  const parts = agent.map((k) => `pass^${k} **${share(passHatK[k - 1] ?? 0)}**`);
  return `${[...parts, `an agent that does nothing ${share(doNothing.score)}`].join(", ")}.`;
}

function gateLines({ gates, status }: Results): string[] {
  if (gates.length === 0) return [];
  const rows = gates.map((gate) => {
    const open = gateStanding(gate, status) === "open";
    const actual = gate.actual === null ? (open ? "not graded" : "–") : share(gate.actual);
    return `| ${gateMarks[gateStanding(gate, status)]} | ${code(gate.name)} | ${share(gate.required)} | ${actual} |`;
  });
  return ["| | gate | required | actual |", "| --- | --- | ---: | ---: |", ...rows, ""];
}

function taskLines({ tasks }: Results): string[] {
  const rows = orderTasks(tasks).map((task) => {
    const critical = task.critical ? " **critical**" : "";
    const last = task.passHatK.length;
    const hat = task.passHatK[last - 1];
    const reliable = hat === undefined ? "–" : `pass^${last} ${share(hat)}`;
    return `| ${verdictMarks[task.verdict]} | ${text(task.id)}${critical} | ${task.verdict} | ${task.passed}/${task.graded} | ${reliable} |`;
  });
  return ["| | task | verdict | passed | |", "| --- | --- | --- | ---: | ---: |", ...rows, ""];
}

function failureLines(results: Results): string[] {
  const trials = trialsByTask(results);
  const groups = orderTasks(results.tasks).flatMap((task) => groupFindings(trials.get(task.id) ?? []));
  if (groups.length === 0) return [];
  const rest = groups.slice(maxGroups).reduce((sum, group) => sum + group.numbers.length, 0);
  return [
    "### What went wrong",
    "",
    ...groups.slice(0, maxGroups).flatMap(groupLines),
    ...(rest > 0 ? [`- … and ${count(rest, "more trial")}`] : []),
    "",
  ];
}

function groupLines({ trial, numbers }: FindingGroup): string[] {
  const { shown, more } = reasonsToShow(trial.why, maxReasons);
  return [
    `- **${text(trial.taskId)}** ${trialNumbers(numbers)}, ${trial.verdict}`,
    ...shown.flatMap((reason) => reasonLines(trial, reason)),
    ...(more > 0 ? [`  - … and ${count(more, "more reason")}`] : []),
  ];
}

function reasonLines(trial: TrialResult, reason: Reason): string[] {
  const evidence = evidenceOf(trial, reason);
  const parts = [text(reasonText(reason))];
  if (evidence?.entry.kind === "call") {
    parts.push(`${code(callText(evidence.entry.tool, evidence.entry.args))} (line ${evidence.line})`);
  } else if (evidence?.entry.kind === "agent" || evidence?.entry.kind === "caller") {
    parts.push(`${evidence.entry.kind}: “${text(evidence.entry.text)}” (line ${evidence.line})`);
  }
  if (reason.kind === "rule" && reason.quote !== undefined) parts.push(`<em>“${text(reason.quote)}”</em>`);
  if (reason.kind === "runtime" && reason.body !== undefined && reason.body !== "")
    parts.push(code(reason.body));
  return [`  - ${parts.join("<br>")}`];
}

function ruleLines({ rules }: Results): string[] {
  const broken = rules.filter((rule) => rule.broken > 0);
  const idle = rules.filter((rule) => rule.inPlay === 0);
  const rows = broken.map(
    (rule) => `| ${text(rule.id)} | ${rule.severity} | ${rule.inPlay} | ${rule.broken} | ${rule.caught} |`,
  );
  return [
    ...(rows.length === 0
      ? []
      : ["| broken rule | | in play | broken | caught |", "| --- | --- | ---: | ---: | ---: |", ...rows, ""]),
    ...(idle.length === 0 ? [] : [`Never in play: ${idle.map((rule) => text(rule.id)).join(", ")}.`, ""]),
  ];
}

/** Text that means nothing to Markdown, HTML or a mention, on one line. */
function text(value: string): string {
  const line = safeLine(value);
  const short = line.length > maxChars ? `${line.slice(0, maxChars).toWellFormed()}…` : line;
  return short
    .replace(/[&<>]/g, (char) => entities[char] ?? char)
    .replace(/[\\`*_{}[\]#|~$]/g, (char) => `\\${char}`)
    .replace(/@(?=\w)/g, "@<!-- -->")
    .replace(/(https?|ftp|mailto|www)(?=[:.])/gi, "$1<!-- -->");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function code(value: string): string {
  return `<code>${text(value)}</code>`;
}
