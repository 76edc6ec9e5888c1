import type { JsonObject } from "../../../turn/json.ts";
import { reasonText } from "../evidence.ts";
import { count, duration } from "../format.ts";
import type { EndedBy, Results, RuleOutcome, TranscriptEntry, TrialResult } from "../results.ts";
import { html, type Markup } from "./markup.ts";
import { changeList, cut, jsonText } from "./values.ts";

/** Rules by id, for what a broken one says. */
export type RuleBook = Map<string, Results["rules"][number]>;

const endings: Record<EndedBy, string> = {
  caller_hung_up: "the caller hung up",
  patience: "the caller lost patience",
  max_turns: "the task's turns were used up",
  agent_error: "the agent failed",
  killed: "the runtime was stopped",
  caller_error: "the caller's model failed",
  cancelled: "the rehearsal was cancelled",
};

/** A result longer than this is folded away. */
const foldChars = 240;

/** One trial, folded: everything that was said and called, rule by rule, and what it changed. */
export function trialDetails(trial: TrialResult, anchor: string, rules: RuleBook): Markup {
  const lasted = duration(Date.parse(trial.endedAt) - Date.parse(trial.startedAt));
  const calls = trial.transcript.filter((entry) => entry.kind === "call").length;
  const facts = `${count(trial.turns, "turn")}, ${count(calls, "call")}, ${lasted}, ${endings[trial.endedBy]}`;
  const tone = { passed: "good", failed: "bad", errored: "warn", cancelled: "soft" }[trial.verdict];
  const state = changeList(trial.stateChanges);
  return html`<details class="trial"><summary>Trial ${trial.trial} <strong class="${tone}">${trial.verdict}</strong> <span class="soft small">${facts}</span></summary>
<ol class="transcript" id="${anchor}">
${trial.transcript.map((entry, index) => entryItem(entry, index, anchor, trial, rules))}
<li><span class="who">in the end</span>${
    state ?? html`<span class="soft small">the world is as it was</span>`
  }</li>
</ol></details>
`;
}

function entryItem(
  entry: TranscriptEntry,
  index: number,
  anchor: string,
  trial: TrialResult,
  rules: RuleBook,
): Markup {
  const line = html`<span class="line">${index + 1}</span>`;
  const id = `${anchor}-${index + 1}`;
  // A note says of itself what the reason about it says.
  const about = trial.why.filter(
    ({ kind, entry: place }) => place === index && kind !== "rule" && kind !== "note",
  );
  const reasons = about.map(
    (reason) =>
      html`<div class="breach ${reason.kind === "errored" ? "unchecked" : ""}">${reasonText(reason)}</div>`,
  );
  if (entry.kind === "caller") {
    const act = entry.act === undefined || entry.act === "continue" ? "" : `, ${entry.act.replace("_", " ")}`;
    return html`<li id="${id}">${line}<span class="who">caller${act}</span><span class="bubble text">${cut(entry.text)}</span>${reasons}</li>
`;
  }
  if (entry.kind === "agent") {
    return html`<li id="${id}" class="from-agent">${line}<span class="who">${entry.by === "runner" ? "Greenroom, for the agent" : "agent"}</span><span class="bubble text">${cut(entry.text)}</span>${outcomes(entry.rules, rules)}${reasons}</li>
`;
  }
  if (entry.kind === "note") {
    return html`<li id="${id}">${line}<span class="note text">${cut(entry.text)}</span>${reasons}</li>
`;
  }
  return html`<li id="${id}">${line}<div class="call"><code class="args"><strong>${entry.tool}</strong>(${cut(argsText(entry.args))})</code>${callResult(entry)}${changeList(entry.changes)}</div>${outcomes(entry.rules, rules)}${reasons}</li>
`;
}

function argsText(args: JsonObject): string {
  return Object.keys(args).length === 0 ? "" : jsonText(args);
}

function callResult(entry: TranscriptEntry & { kind: "call" }): Markup {
  if (!entry.ok) return html`<p class="bad small text">refused: ${cut(entry.error ?? "")}</p>`;
  const text = jsonText(entry.result ?? null);
  if (text.length <= foldChars) return html`<pre>${text}</pre>`;
  return html`<details><summary class="soft small">result</summary><pre>${text}</pre></details>`;
}

/** Rules that were broken or could not be checked here, with the words of the document they come from. */
function outcomes(list: RuleOutcome[], rules: RuleBook): Markup[] {
  return list
    .filter(({ outcome }) => outcome !== "kept")
    .map(({ rule: id, outcome, message, evidence }) => {
      const rule = rules.get(id);
      const soft = rule?.severity === "soft";
      const what = outcome === "broken" ? `broke ${soft ? "soft rule" : "rule"}` : "could not check rule";
      const kind = outcome === "unchecked" ? "unchecked" : soft ? "is-soft" : "";
      const shown =
        evidence === undefined ? null : html`<p class="small mono soft">${cut(JSON.stringify(evidence))}</p>`;
      const quote =
        rule?.quote === undefined ? null : html`<blockquote class="broken">${rule.quote}</blockquote>`;
      return html`<div class="breach ${kind}"><strong>${what} ${id}</strong>${message === undefined ? null : html`: ${message}`}${quote}${shown}</div>`;
    });
}
