import { callText, evidenceOf, reasonText } from "../evidence.ts";
import { count, dollars, share } from "../format.ts";
import { gateStanding } from "../gate-standing.ts";
import { type FindingGroup, groupFindings, orderTasks, trialNumbers } from "../order.ts";
import type { Reason, Results, TaskResult, TrialResult } from "../results.ts";
import { html, type Markup } from "./markup.ts";
import { cut } from "./values.ts";

/** Id of a trial's transcript in the page, or `null` when the page does not carry it. */
export type AnchorOf = (trial: TrialResult) => string | null;

/** Kinds of failure of one task that are told in full under "What went wrong"; the others are in the transcripts. */
const toldGroups = 3;

const gateAnswers = {
  holds: html`<strong class="good">✓ yes</strong>`,
  broken: html`<strong class="bad">✗ no</strong>`,
  open: html`<span class="soft">– open, not graded</span>`,
};
const marks = { passed: "✓", failed: "✗", errored: "!", cancelled: "–" } as const;
const taskTones = { passed: "good", failed: "bad", flaky: "warn", errored: "warn", skipped: "soft" } as const;

/** The numbers that matter, large. */
export function figures({ summary }: Results): Markup {
  const { passHatK, tasks, trials, doNothing, callerUsage } = summary;
  const graded = tasks.passed + tasks.failed + tasks.flaky;
  const last = passHatK.length;
  const cards: [string, string, string][] = [
    ["pass^1", passHatK[0] === undefined ? "–" : share(passHatK[0]), "share of trials that pass"],
  ];
  if (last > 1) cards.push([`pass^${last}`, share(passHatK[last - 1] ?? 0), `all of ${last} trials pass`]);
  cards.push(["tasks", `${tasks.passed} of ${graded}`, "passed in every trial"]);
  const rest = [`${trials.passed} passed`, `${trials.failed} failed`];
  if (trials.errored > 0) rest.push(`${trials.errored} errored`);
  if (trials.cancelled > 0) rest.push(`${trials.cancelled} cancelled`);
  cards.push(["trials", String(trials.planned), rest.join(", ")]);
  cards.push(["does nothing", share(doNothing.score), idleText(doNothing.tasks.length)]);
  const { inputTokens, outputTokens, costUsd } = callerUsage;
  if (inputTokens + outputTokens > 0) {
    cards.push(["callers", dollars(costUsd), `${inputTokens} tokens in, ${outputTokens} out`]);
  }
  return html`<dl class="figures">${cards.map(
    ([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`,
  )}</dl>`;
}

function idleText(tasks: number): string {
  return tasks === 0
    ? "pass^1 of an agent that does nothing"
    : `an agent that does nothing passes ${count(tasks, "task")}`;
}

/** The gates, when there are any. */
export function gateSection({ gates, status }: Results): Markup | null {
  if (gates.length === 0) return null;
  return html`<h2>Gates</h2>
<table><thead><tr><th>gate</th><th class="number">required</th><th class="number">actual</th><th class="number">holds</th></tr></thead><tbody>
${gates.map(
  (
    gate,
  ) => html`<tr><td><code>${gate.name}</code></td><td class="number">${share(gate.required)}</td><td class="number">${gate.actual === null ? "–" : share(gate.actual)}</td><td class="number">${gateAnswers[gateStanding(gate, status)]}</td></tr>
`,
)}</tbody></table>`;
}

/** Every task, critical ones first, with a mark for each of its trials. */
export function taskSection(
  results: Results,
  trials: Map<string, TrialResult[]>,
  anchorOf: AnchorOf,
): Markup {
  return html`<h2>Tasks</h2>
<table class="stack"><thead><tr><th>task</th><th>verdict</th><th class="number">passed</th><th>trials</th></tr></thead><tbody>
${orderTasks(results.tasks).map((task) => taskRow(task, trials.get(task.id) ?? [], anchorOf))}</tbody></table>`;
}

function taskRow(task: TaskResult, trials: TrialResult[], anchorOf: AnchorOf): Markup {
  const critical = task.critical ? html` <span class="badge bad">critical</span>` : null;
  const idle = task.passesDoingNothing
    ? html`<p class="warn small">An agent that does nothing passes this task, so it proves little.</p>`
    : null;
  const tags = task.tags.length === 0 ? null : html`<span class="tag small">${task.tags.join(" · ")}</span>`;
  const description =
    task.description === undefined ? null : html`<p class="soft small">${task.description}</p>`;
  return html`<tr><td><strong>${task.id}</strong>${critical} ${tags}${description}${idle}</td><td><strong class="${taskTones[task.verdict]}">${task.verdict}</strong></td><td class="number" data-label="passed">${task.passed}/${task.graded}</td><td><div class="cells">${trials.map(
    (trial) => cell(trial, anchorOf(trial)),
  )}</div></td></tr>
`;
}

function cell(trial: TrialResult, anchor: string | null): Markup {
  const label = `trial ${trial.trial}: ${trial.verdict}`;
  const mark = marks[trial.verdict];
  if (anchor === null) return html`<span class="cell ${trial.verdict}" title="${label}">${mark}</span>`;
  return html`<a class="cell ${trial.verdict}" href="#${anchor}" title="${label}" aria-label="${label}">${mark}</a>`;
}

/** Each rule with its source, how often it came into play and how often it was broken. */
export function ruleSection({ rules }: Results): Markup | null {
  if (rules.length === 0) return null;
  return html`<h2>Rules</h2>
<table class="stack"><thead><tr><th>rule</th><th class="number">in play</th><th class="number">broken</th><th class="number">caught</th></tr></thead><tbody>
${rules.map((rule) => {
  const soft = rule.severity === "soft" ? html` <span class="badge warn">soft</span>` : null;
  const quote =
    rule.quote === undefined
      ? null
      : html`<blockquote class="${rule.broken > 0 ? "broken" : ""}">${rule.quote}</blockquote>`;
  const text = rule.description === undefined ? null : html`<p class="small">${rule.description}</p>`;
  return html`<tr><td><strong>${rule.id}</strong>${soft}${text}${quote}</td><td class="number ${rule.inPlay === 0 ? "warn" : ""}" data-label="in play">${rule.inPlay}</td><td class="number ${rule.broken > 0 ? "bad" : ""}" data-label="broken">${rule.broken}</td><td class="number" data-label="caught">${rule.caught}</td></tr>
`;
})}</tbody></table>
<p class="soft small">In play: trials that called a tool the rule guards, or were shown a value it keeps secret. Broken: trials that broke it. Caught: trials that failed for it. A rule that never came into play was not tried.</p>`;
}

/** Why trials did not pass, and what soft rules saw: task by task, each reason with the call, the line and the rule's source. */
export function findingSection(
  results: Results,
  trials: Map<string, TrialResult[]>,
  anchorOf: AnchorOf,
): Markup | null {
  const findings = orderTasks(results.tasks).flatMap((task) => {
    const groups = groupFindings(trials.get(task.id) ?? []);
    const rest = groups.slice(toldGroups).reduce((sum, group) => sum + group.numbers.length, 0);
    return [
      ...groups.slice(0, toldGroups).map((group) => finding(task, group, anchorOf(group.trial))),
      ...(rest > 0
        ? [html`<p class="soft small">… and ${count(rest, "more trial")} of ${task.id}.</p>`]
        : []),
    ];
  });
  return findings.length === 0
    ? null
    : html`<h2>What went wrong</h2>
${findings}`;
}

function finding(task: TaskResult, { trial, numbers }: FindingGroup, anchor: string | null): Markup {
  const critical = task.critical ? html` <span class="badge bad">critical</span>` : null;
  const link = anchor === null ? null : html` <a class="small" href="#${anchor}">transcript</a>`;
  return html`<section class="finding ${trial.verdict}"><h3>${task.id} <span class="soft">${trialNumbers(numbers)}${trial.verdict === "failed" ? "" : `, ${trial.verdict}`}</span>${critical}${link}</h3>
<ul class="reasons">${trial.why.map((reason) => html`<li>${excerpt(reasonText(reason))}${proof(trial, reason, anchor)}</li>`)}</ul></section>
`;
}

function proof(trial: TrialResult, reason: Reason, anchor: string | null): Markup | null {
  const quote =
    reason.kind === "rule" && reason.quote !== undefined
      ? html`<blockquote class="broken">${reason.quote}</blockquote>`
      : null;
  const body =
    reason.kind === "runtime" && reason.body !== undefined && reason.body !== ""
      ? html`<pre>${cut(reason.body)}</pre>`
      : null;
  const evidence = evidenceOf(trial, reason);
  if (evidence === null) return html`${quote}${body}`;
  const { entry, line, caller } = evidence;
  const place = anchor === null ? html`line ${line}` : html`<a href="#${anchor}-${line}">line ${line}</a>`;
  const said = caller === null ? null : html`, after the caller said <q class="text">${excerpt(caller)}</q>`;
  const what =
    entry.kind === "call"
      ? html`<code>${excerpt(callText(entry.tool, entry.args))}</code>`
      : entry.kind === "note"
        ? null
        : html`<q class="text">${excerpt(entry.text)}</q>`;
  return html`${quote}<p class="small">${what}${what === null ? null : " "}<span class="soft">${place}${said}</span></p>${body}`;
}

/** How the rehearsal was run, for whoever wants to repeat it. */
export function optionSection(results: Results): Markup {
  const { options, agent, domain } = results;
  const facts: [string, string][] = [
    ["agent", `${agent.kind} ${agent.name}`],
    ["domain", domain.name],
    ["domain digest", domain.digest],
    ["run", results.runId],
    ["started", results.startedAt],
    ["ended", results.endedAt ?? "still running"],
    ["trials of each task", String(options.trials)],
    ["concurrency", String(options.concurrency)],
    ["seed", String(options.seed)],
    ["rounds of calls in a turn", String(options.maxSteps)],
    ["limit on a step", options.stepTimeoutMs === null ? "none" : `${options.stepTimeoutMs} ms`],
  ];
  if (options.tasks.length > 0) facts.push(["tasks", options.tasks.join(", ")]);
  if (options.tags.length > 0) facts.push(["tags", options.tags.join(", ")]);
  return html`<h2>How it was run</h2>
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Characters of a line that is told apart from its transcript. */
const excerptChars = 300;

function excerpt(text: string): string {
  return text.length <= excerptChars ? text : `${text.slice(0, excerptChars)}…`;
}
