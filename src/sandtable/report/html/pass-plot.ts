import { share } from "../format.ts";
import type { Summary } from "../results.ts";
import { html, type Markup } from "./markup.ts";

const width = 460;
const height = 220;
const left = 42;
const right = 16;
const top = 18;
const bottom = 34;

/** At most this many points carry a label of their own. */
const labelled = 10;

/**
 * pass^k over k as a drawing with the agent that does nothing beside it, or nothing at all when there is but one k:
 * a single point says no more than its number.
 */
export function passPlot({ passHatK, doNothing }: Summary): Markup | null {
  if (passHatK.length < 2) return null;
  const most = passHatK.length;
  const x = (k: number) => left + ((width - left - right) * (k - 1)) / (most - 1);
  const y = (value: number) => top + (height - top - bottom) * (1 - value);
  const round = (n: number) => n.toFixed(1);
  const every = Math.ceil(most / labelled);
  const isLabelled = (k: number) => k === 1 || k === most || (k % every === 0 && most - k >= every / 2);
  const points = passHatK.map((value, index) => ({ k: index + 1, value, x: x(index + 1), y: y(value) }));
  const line = points.map((point) => `${round(point.x)},${round(point.y)}`).join(" ");
  const spoken = points
    .filter(({ k }) => isLabelled(k))
    .map(({ k, value }) => `pass^${k} ${share(value)}`)
    .join(", ");
  return html`<figure class="plot" style="margin:0">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="pass^k of the agent: ${spoken}. An agent that does nothing: ${share(doNothing.score)}.">
${[0, 0.25, 0.5, 0.75, 1].map(
  (
    value,
  ) => html`<line class="grid" x1="${left}" x2="${width - right}" y1="${round(y(value))}" y2="${round(y(value))}"/>
<text x="${left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${value.toFixed(2)}</text>`,
)}
<line class="idle" x1="${left}" x2="${width - right}" y1="${round(y(doNothing.score))}" y2="${round(y(doNothing.score))}"/>
<polyline class="agent" points="${line}"/>
${points
  .filter(({ k }) => isLabelled(k))
  .map(
    (point) => html`<circle class="dot" cx="${round(point.x)}" cy="${round(point.y)}" r="4"/>
<text class="value" x="${round(point.x)}" y="${round(point.y < top + 14 ? point.y + 18 : point.y - 9)}" text-anchor="${anchor(point.k, most)}">${share(point.value)}</text>
<text x="${round(point.x)}" y="${height - bottom + 18}" text-anchor="${anchor(point.k, most)}">${point.k === 1 ? "k = 1" : point.k}</text>`,
  )}
</svg>
<figcaption class="soft small">pass^k: the chance that k trials of a task all pass, averaged over the tasks. The dashed line is an agent that does nothing: ${share(doNothing.score)}.</figcaption>
</figure>`;
}

function anchor(k: number, most: number): string {
  return k === 1 ? "start" : k === most ? "end" : "middle";
}
