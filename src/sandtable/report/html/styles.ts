/** The report's style sheet: no request, no script, light and dark, on paper and at 360 pixels. */
export const styles = `
:root { color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --tint: #f6f8fa;
  --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --accent: #0969da;
  --good-tint: #dafbe1; --bad-tint: #ffebe9; --warn-tint: #fff8c5; --accent-tint: #ddf4ff; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #30363d; --tint: #161b22;
  --good: #4ac26b; --bad: #ff7b72; --warn: #d4a72c; --accent: #58a6ff;
  --good-tint: #12261e; --bad-tint: #2d1417; --warn-tint: #272115; --accent-tint: #121d2f; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: break-word; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: .4rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .86em; }
pre { margin: .35rem 0; padding: .5rem .65rem; background: var(--tint); border-radius: 6px; white-space: pre-wrap; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.text { white-space: pre-wrap; unicode-bidi: isolate; }
.text, code, pre, .mono, q, blockquote, .reasons, .facts dd { overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.badge { display: inline-block; padding: 0 .5em; border-radius: 1em; border: 1px solid currentColor; font-size: .75rem; line-height: 1.5; white-space: nowrap; }
.tag { color: var(--soft); }

.verdict { margin: 1.25rem 0 1.5rem; padding: .9rem 1.1rem; border-radius: 8px; border-left: 5px solid; }
.verdict strong { display: block; font-size: 1.15rem; }
.verdict.tone-good { background: var(--good-tint); border-color: var(--good); }
.verdict.tone-mixed { background: var(--warn-tint); border-color: var(--warn); }
.verdict.tone-bad { background: var(--bad-tint); border-color: var(--bad); }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 0; }
.figures div { padding: .65rem .8rem; border: 1px solid var(--line); border-radius: 8px; }
.figures dt { color: var(--soft); font-size: .8rem; }
.figures dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; line-height: 1.3; }
.figures small { display: block; color: var(--soft); font-size: .75rem; line-height: 1.35; }

.plot { max-width: 32rem; }
.plot svg { display: block; width: 100%; height: auto; }
.plot text { fill: var(--soft); font-size: 13px; font-family: inherit; }
.plot .value { fill: var(--ink); font-weight: 600; }
.plot .grid { stroke: var(--line); } .plot .agent { stroke: var(--accent); fill: none; stroke-width: 2.5; }
.plot .dot { fill: var(--accent); } .plot .idle { stroke: var(--warn); stroke-dasharray: 5 4; stroke-width: 2; fill: none; }

table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--soft); }
th.number { text-align: right; }
th, td { padding: .5rem .6rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
blockquote { margin: .25rem 0 0; padding-left: .7rem; border-left: 3px solid var(--line); color: var(--soft); }
blockquote.broken { border-color: var(--bad); }

.cells { display: flex; flex-wrap: wrap; gap: 3px; min-width: 6.6rem; max-width: 15rem; }
.cell { display: inline-grid; place-items: center; width: 1.4rem; height: 1.4rem; border-radius: 4px; font-size: .8rem; text-decoration: none; }
.cell.passed { background: var(--good-tint); color: var(--good); }
.cell.failed { background: var(--bad-tint); color: var(--bad); font-weight: 700; }
.cell.errored { background: var(--warn-tint); color: var(--warn); font-weight: 700; }
.cell.cancelled { background: var(--tint); color: var(--soft); }
a.cell:hover, a.cell:focus-visible { outline: 2px solid currentColor; }

.finding { margin: .75rem 0; padding: .75rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; }
.finding.errored, .finding.passed { border-left-color: var(--warn); }
.finding h3 { margin: 0 0 .25rem; }
.reasons { margin: .25rem 0 0; padding-left: 1.1rem; }
.reasons li { margin: .5rem 0; }

details.trial { margin: .4rem 0; border: 1px solid var(--line); border-radius: 8px; }
details.trial > summary { padding: .5rem .8rem; cursor: pointer; }
details.trial[open] > summary { border-bottom: 1px solid var(--line); }
.transcript { margin: 0; padding: .25rem .8rem .8rem; list-style: none; scroll-margin-top: 3rem; }
.transcript > li { position: relative; margin: .7rem 0; padding-left: 2.4rem; }
.line { position: absolute; left: 0; top: .15rem; width: 1.9rem; text-align: right; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; }
.who { display: block; color: var(--soft); font-size: .75rem; }
.bubble { display: inline-block; max-width: 44rem; padding: .4rem .7rem; border-radius: 10px; background: var(--tint); }
.from-agent .bubble { background: var(--accent-tint); }
.call { padding: .45rem .7rem; border: 1px solid var(--line); border-radius: 8px; }
.call summary { cursor: pointer; }
.call .args { white-space: pre-wrap; }
.breach { margin-top: .4rem; padding: .45rem .7rem; border-left: 4px solid var(--bad); background: var(--bad-tint); border-radius: 4px; }
.breach.is-soft, .breach.unchecked { border-color: var(--warn); background: var(--warn-tint); }
.note { color: var(--warn); }
.changes { margin: .35rem 0 0; padding: 0; list-style: none; font-size: .86rem; }
.changes li { padding: .1rem 0; }
.changes del { color: var(--bad); } .changes ins { color: var(--good); text-decoration: none; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; font-size: .875rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; }
footer { margin-top: 3rem; color: var(--soft); font-size: .8rem; }

@media (max-width: 40rem) {
  body { padding: 1.25rem .9rem 3rem; }
  h1 { font-size: 1.4rem; }
  table.stack thead { display: none; }
  table.stack tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  table.stack td { display: inline-block; padding: .1rem 1rem .1rem 0; border: 0; text-align: left; }
  table.stack td:first-child, table.stack td:has(.cells) { display: block; padding-right: 0; }
  table.stack td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-size: .8rem; }
  .cells { max-width: none; margin-top: .25rem; }
  .transcript { padding: .25rem .6rem .6rem; }
  .transcript > li { padding-left: 1.7rem; }
  .line { width: 1.3rem; }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .4rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  details.trial, .finding, tr, .transcript > li { break-inside: avoid; }
  details.trial { break-inside: auto; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  a { color: inherit; text-decoration: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
