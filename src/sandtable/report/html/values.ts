import type { Json } from "../../../turn/json.ts";
import { type Change, readChanges } from "../changes.ts";
import type { TrialResult } from "../results.ts";
import { html, type Markup } from "./markup.ts";

/** Characters of one value that are shown; the rest is in results.json. */
const maxChars = 4_000;

/** Longer JSON than this is set over several lines. */
const oneLine = 90;

/** JSON for reading: on one line when short, indented when not, cut when very long. */
export function jsonText(value: Json): string {
  const short = JSON.stringify(value);
  const text = short.length <= oneLine ? short : JSON.stringify(value, null, 2);
  return cut(text);
}

/** Text of bounded length; what was cut is said. */
export function cut(text: string): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n… ${text.length - maxChars} more characters in results.json`;
}

/** Changes of the world as a list: what stood there, and what stands there now. */
export function changeList(operations: TrialResult["stateChanges"]): Markup | null {
  const changes = readChanges(operations);
  if (changes.length === 0) return null;
  return html`<ul class="changes">${changes.map(changeItem)}</ul>`;
}

function changeItem({ kind, path, before, after }: Change): Markup {
  const was = before === undefined ? null : html`<del class="mono">${jsonText(before)}</del> `;
  const is = after === undefined ? null : html`<ins class="mono">${jsonText(after)}</ins>`;
  const words = { added: "added", changed: "changed", removed: "removed" }[kind];
  const arrow = was !== null && is !== null ? html`<span class="soft">→</span> ` : null;
  return html`<li><span class="soft">${words}</span> <code>${path.join(" › ")}</code> ${was}${arrow}${is}</li>`;
}
