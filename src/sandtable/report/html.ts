import { headline } from "./headline.ts";
import { html, Markup } from "./html/markup.ts";
import { passPlot } from "./html/pass-plot.ts";
import {
  type AnchorOf,
  figures,
  findingSection,
  gateSection,
  optionSection,
  ruleSection,
  taskSection,
} from "./html/sections.ts";
import { styles } from "./html/styles.ts";
import { type RuleBook, trialDetails } from "./html/transcript.ts";
import { orderTasks, trialsByTask } from "./order.ts";
import type { Results, TrialResult } from "./results.ts";

/** Transcripts a task brings into the page: those that did not pass first. The rest is in results.json. */
const shownFailed = 10;
const shownPassed = 3;

/**
 * The report of a rehearsal as one HTML page: no script, no request, and no way for text of an agent or a domain to
 * become markup (a content security policy forbids the rest). Its size is bounded by tasks, not by trials.
 */
export function renderReport(results: Results): string {
  const trials = trialsByTask(results);
  const shown = new Map<TrialResult, string>();
  for (const [index, task] of results.tasks.entries()) {
    for (const trial of selectTrials(trials.get(task.id) ?? [])) shown.set(trial, `t${index}-${trial.trial}`);
  }
  const anchorOf: AnchorOf = (trial) => shown.get(trial) ?? null;
  const { tone, verdict, sentence } = headline(results);
  const date = results.startedAt.slice(0, 10);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${results.domain.name}: ${verdict} (${date})</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<header>
<h1>Rehearsal of ${results.domain.name}</h1>
<p class="soft">Agent <strong>${results.agent.name}</strong> (${results.agent.kind}) · ${date} · run ${results.runId}</p>
<div class="verdict tone-${tone}"><strong>${verdict}</strong>${sentence}</div>
</header>
<main>
${figures(results)}
${withHeading("How reliable it is", passPlot(results.summary))}
${gateSection(results)}
${taskSection(results, trials, anchorOf)}
${findingSection(results, trials, anchorOf)}
${ruleSection(results)}
${transcriptSection(results, trials, shown)}
${optionSection(results)}
</main>
<footer>Made by Greenroom ${results.greenroom.version} from results.json version ${results.version}.</footer>
</body>
</html>
`;
  return page.text;
}

function withHeading(heading: string, content: Markup | null): Markup | null {
  return content === null
    ? null
    : html`<h2>${heading}</h2>
${content}`;
}

function selectTrials(trials: TrialResult[]): TrialResult[] {
  const passed = trials.filter((trial) => trial.verdict === "passed");
  const others = trials.filter((trial) => trial.verdict !== "passed" && trial.transcript.length > 0);
  const kept = new Set([...others.slice(0, shownFailed), ...passed.slice(0, shownPassed)]);
  return trials.filter((trial) => kept.has(trial));
}

function transcriptSection(
  results: Results,
  trials: Map<string, TrialResult[]>,
  shown: Map<TrialResult, string>,
): Markup | null {
  const rules: RuleBook = new Map(results.rules.map((rule) => [rule.id, rule]));
  const tasks = orderTasks(results.tasks).flatMap((task) => {
    const all = trials.get(task.id) ?? [];
    const folded = all.flatMap((trial) => {
      const anchor = shown.get(trial);
      return anchor === undefined ? [] : [trialDetails(trial, anchor, rules)];
    });
    if (folded.length === 0) return [];
    const left = all.length - folded.length;
    const more = left === 0 ? null : html`<p class="soft small">${left} more in results.json.</p>`;
    return [
      html`<h3>${task.id}</h3>
${folded}${more}`,
    ];
  });
  return withHeading("Transcripts", tasks.length === 0 ? null : html`${tasks}`);
}
