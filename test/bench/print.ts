import type { MemoryResult } from "./memory.ts";
import type { RateResult } from "./rate.ts";
import type { WorldCost, WorldResult } from "./world.ts";

const barLength = 24;

/** Steps a second beside those of a plain loop, and what a step costs. */
export function printRates(results: RateResult[]): string {
  const rates = results.map((result) => {
    const { runner, workerdLoop, nodeLoop, ratioToWorkerd, ratioToNode } = result;
    return [
      nameOf(result),
      whole(runner.stepsPerSecond.median),
      whole(workerdLoop.stepsPerSecond.median),
      ratioToWorkerd.median.toFixed(2),
      bar(ratioToWorkerd.median, 1),
      `${ratioToWorkerd.min.toFixed(2)}-${ratioToWorkerd.max.toFixed(2)}`,
      whole(nodeLoop.stepsPerSecond.median),
      ratioToNode.median.toFixed(2),
    ];
  });
  const costs = results.map((result) => {
    const { runner, workerdLoop, laneMs, flushMs } = result;
    return [
      nameOf(result),
      (1_000 / runner.stepsPerSecond.median).toFixed(2),
      laneMs.runner.toFixed(2),
      laneMs.workerdLoop.toFixed(2),
      milli(runner.cpuMs),
      milli(workerdLoop.cpuMs),
      bar(runner.cpuMs ?? 0, 3),
      flushMs.toFixed(2),
    ];
  });
  return [
    "steps a second, and how far that is from a plain loop that posts the same bodies",
    table([
      ["", "runner", "loop", "ratio", `0${" ".repeat(barLength - 2)}1`, "rounds", "in Node", "ratio"],
      ...rates,
    ]),
    "",
    "what a step costs, ms",
    table([
      ["", "wall", "in lane", "loop's", "CPU", "loop's", `0${" ".repeat(barLength - 2)}3`, "flush"],
      ...costs,
    ]),
    "wall: time by steps. in lane: what a step takes in its lane without the agent's own time; with one trial at once",
    "that is what the runner adds to the agent, with more the lanes also wait for each other. CPU: of the runtime,",
    "sending included. flush: what the disk takes to keep what one step writes.",
  ].join("\n");
}

export function printMemory({ samples, afterPause, kbPerTrial, disk, concurrency }: MemoryResult): string {
  const most = Math.max(...samples.map(({ rssMb }) => rssMb));
  const shown = samples.filter(
    ({ trials }, at) => trials === 100 || trials % 500 === 0 || at === samples.length - 1,
  );
  const rows = shown.map(({ trials, rssMb, openFiles }) => [
    whole(trials),
    `${whole(rssMb)} MB`,
    bar(rssMb, most),
    whole(openFiles),
  ]);
  return [
    `memory of the runtime, ${concurrency} trials at once`,
    table([
      ["trials", "in RAM", "", "open files"],
      ...rows,
      [
        "15 s later",
        `${whole(afterPause.rssMb)} MB`,
        bar(afterPause.rssMb, most),
        whole(afterPause.openFiles),
      ],
    ]),
    `growth over the second half: ${kbPerTrial.toFixed(1)} KB a trial`,
    `state folder: ${whole(disk.kb)} KB in ${disk.files} files; ${disk.kbPerTrial.toFixed(1)} KB and ${disk.filesPerTrial.toFixed(2)} files a trial`,
  ].join("\n");
}

export function printWorld({ small, large, ratio }: WorldResult): string {
  const most = Math.max(large.callUs.update, small.callUs.update);
  const line = (name: string, of: (cost: WorldCost) => number, times: string) => [
    name,
    of(small).toFixed(1),
    of(large).toFixed(1),
    times,
    bar(of(small), most),
    bar(of(large), most),
  ];
  return [
    table([
      [
        "microseconds a call",
        `${whole(small.rows)} rows`,
        `${whole(large.rows)} rows`,
        "times",
        "small",
        "large",
      ],
      line("touching no row", (cost) => cost.callUs.nothing, ""),
      line("lookup by key", (cost) => cost.callUs.lookup, ratio.lookup.toFixed(2)),
      line("update by key", (cost) => cost.callUs.update, ratio.update.toFixed(2)),
      line("lookup, net", (cost) => cost.netUs.lookup, ratio.lookupNet.toFixed(2)),
      line("update, net", (cost) => cost.netUs.update, ratio.updateNet.toFixed(2)),
    ]),
    `a trial of one step with its world planted: ${small.trialMs.toFixed(1)} ms, ${large.trialMs.toFixed(1)} ms`,
    `reading and checking the domain, once a rehearsal: ${small.startMs.toFixed(0)} ms, ${large.startMs.toFixed(0)} ms`,
  ].join("\n");
}

function nameOf({ task, delayMs, concurrency, inRam }: RateResult): string {
  const agent = task === "calls" ? "a call, a reply" : "replies only";
  return `${agent}${delayMs === 0 ? "" : `, ${delayMs} ms`}${inRam === true ? ", state in RAM" : ""}, ${concurrency}`;
}

function bar(value: number, most: number): string {
  const length = Math.max(0, Math.min(barLength, Math.round((barLength * value) / most)));
  return "█".repeat(length) + "·".repeat(barLength - length);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function milli(value: number | null): string {
  return value === null ? "?" : value.toFixed(2);
}

/** Columns as wide as they must be; the first and the bars to the left, numbers to the right. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => {
          const width = widths[at] ?? 0;
          return at === 0 || /[█·]/.test(cell) ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
