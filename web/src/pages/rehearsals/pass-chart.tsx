import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../../app/theme.ts";
import type { PassSeries } from "./pass-plot.tsx";

const height = 230;
/** Colours of the lines, by the name of their token. */
const lineColours = ["--accent", "--info"];

/** The drawing of `PassPlot`. Drawn again when its room or the theme changes. */
export function PassChart({ series, doNothing }: { series: PassSeries[]; doNothing: number }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read off the page, which the theme changes.
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element, series, doNothing), dataOf(series), element);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [series, doNothing, theme]);

  return <div ref={place} />;
}

function dataOf(series: PassSeries[]): uPlot.AlignedData {
  const most = Math.max(...series.map(({ points }) => points.length));
  const ks = Array.from({ length: most }, (_, index) => index + 1);
  return [ks, ...series.map(({ points }) => ks.map((_, index) => points[index]?.value ?? null))];
}

function optionsOf(element: HTMLElement, series: PassSeries[], doNothing: number): uPlot.Options {
  const colour = colourReader(element);
  const soft = colour("--text-soft");
  const most = Math.max(...series.map(({ points }) => points.length));
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: soft,
    font,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    padding: [12, 12, 0, 0],
    legend: { show: series.length > 1, live: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [0.6, Math.max(most, 2) + 0.4] }, y: { range: [-0.02, 1.02] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: () =>
          Array.from({ length: most }, (_, index) => index + 1).filter((k) => isLabelled(k, most)),
        values: (_, splits) => splits.map((k) => (k === 1 ? "k = 1" : String(k))),
      },
      {
        ...axis,
        size: 44,
        splits: () => [0, 0.25, 0.5, 0.75, 1],
        values: (_, splits) => splits.map((v) => v.toFixed(2)),
      },
    ],
    series: [
      {},
      ...series.map(({ label }, index) => ({
        label,
        stroke: colour(lineColours[index] ?? "--accent"),
        width: 2,
        points: { show: most <= 60, size: 7, fill: colour(lineColours[index] ?? "--accent") },
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          drawIdle(plot, doNothing, soft);
          for (const [index, one] of series.entries())
            drawIntervals(
              plot,
              one,
              colour(lineColours[index] ?? "--accent"),
              offsetOf(index, series.length),
            );
        },
      ],
    },
  };
}

/** With many k only every so many carries its number. */
function isLabelled(k: number, most: number): boolean {
  const every = Math.ceil(most / 10);
  return k === 1 || k % every === 0;
}

/** Intervals of two lines stand beside each other. */
function offsetOf(index: number, lines: number): number {
  return lines < 2 ? 0 : (index * 2 - 1) * 4;
}

function drawIdle(plot: uPlot, value: number, stroke: string): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(value, "y", true);
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function drawIntervals(plot: uPlot, { points }: PassSeries, stroke: string, offset: number): void {
  const { ctx } = plot;
  const cap = 4 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.globalAlpha = 0.7;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const { k, low, high } of points) {
    const x = plot.valToPos(k, "x", true) + offset * devicePixelRatio;
    const top = plot.valToPos(high, "y", true);
    const bottom = plot.valToPos(low, "y", true);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, bottom);
    for (const y of [top, bottom]) {
      ctx.moveTo(x - cap, y);
      ctx.lineTo(x + cap, y);
    }
    ctx.stroke();
  }
  ctx.restore();
}

/** Reads a colour token as a canvas takes it: a token may say one thing for light and another for dark. */
function colourReader(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${token})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
