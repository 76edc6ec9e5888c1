import type { Spread } from "../numbers.ts";
import type { LongSessionResult } from "./long-session.ts";
import type { SizeResult } from "./size.ts";
import { type KindName, kinds } from "./stacks.ts";
import type { StartResult } from "./start.ts";
import type { KindResult, TurnsResult } from "./turns.ts";

/** Turns a second beside the floor's, and what a turn costs. */
export function printTurns({ results, lanes, rounds, inRam, flushMs, peakMb }: TurnsResult): string {
  const rows = results.map(({ kind, perSecond, rateToFloor, cpuMs, cpuToFloor, p50, p99, modelCpuMs }) => [
    kinds[kind].name,
    perSecond.median.toFixed(perSecond.median < 100 ? 1 : 0),
    rateToFloor.median.toFixed(3),
    `${rateToFloor.min.toFixed(3)}-${rateToFloor.max.toFixed(3)}`,
    cpuMs === null ? "?" : cpuMs.median.toFixed(2),
    cpuToFloor === null ? "?" : cpuToFloor.median.toFixed(3),
    p50.toFixed(1),
    p99.toFixed(1),
    modelCpuMs.toFixed(2),
  ]);
  const head = ["", "turns/s", "of floor", "rounds", "CPU ms", "of floor", "p50 ms", "p99 ms", "model"];
  const peaks = Object.entries(peakMb).map(([stack, mb]) => `${stack} ${mb.toFixed(0)}`);
  return [
    `${lanes} lanes, ${rounds} rounds, state ${inRam ? "in RAM" : `on disk (a flush takes ${flushMs.toFixed(2)} ms)`}`,
    table([head, ...rows]),
    aims(results),
    `peak memory of the runtimes, MB: ${peaks.join(", ")}`,
  ].join("\n");
}

/** What is aimed at, by rate and by CPU. */
function aims(results: KindResult[]): string {
  const of = (kind: KindName) => results.find((result) => result.kind === kind);
  const json = of("json") ?? of("httpJson");
  const sse = of("sse") ?? of("httpSse");
  const [agui, hono] = [of("aguiSse"), of("honoSse") ?? of("honoHttpSse")];
  const lines: string[] = [];
  const toFloor = (name: string, aim: number, result: KindResult | undefined) => {
    if (result === undefined) return;
    const cpu = result.cpuToFloor === null ? "" : `, by CPU ${result.cpuToFloor.median.toFixed(3)}`;
    lines.push(`${name}: ${result.rateToFloor.median.toFixed(3)} of the floor${cpu}; aim ${aim}`);
  };
  toFloor("a durable JSON turn", 0.3, json);
  toFloor("a durable SSE turn", 0.12, sse);
  for (const [name, ours] of [
    ["a durable SSE turn", sse],
    ["one of AG-UI", agui],
  ] as const) {
    if (ours === undefined || hono === undefined) continue;
    const rate = ours.perSecond.median / hono.perSecond.median;
    const cpu =
      ours.cpuMs === null || hono.cpuMs === null
        ? ""
        : `, by CPU ${(hono.cpuMs.median / ours.cpuMs.median).toFixed(2)}`;
    lines.push(`${name}: ${rate.toFixed(2)} times hono + AI SDK${cpu}; aim 4`);
  }
  return lines.join("\n");
}

export function printLongSession({ messages, promptAside, whole }: LongSessionResult): string {
  const row = (name: string, { cpuMs, latencyMs, ratio, turns }: LongSessionResult["whole"]) => [
    name,
    String(turns),
    latencyMs.short.toFixed(2),
    latencyMs.long.toFixed(2),
    ratio.latency.toFixed(2),
    cpuMs === null ? "?" : cpuMs.short.toFixed(2),
    cpuMs === null ? "?" : cpuMs.long.toFixed(2),
    ratio.cpu === null ? "?" : ratio.cpu.toFixed(2),
  ];
  const { short, long } = messages;
  const count = long.toLocaleString("en-US");
  return [
    `a turn in a session of ${short} messages and in one of ${count}`,
    table([
      ["", "turns", `ms at ${short}`, `at ${count}`, "times", `CPU at ${short}`, `at ${count}`, "times"],
      row("the prompt aside", promptAside),
      row("all of it in the prompt", whole),
    ]),
  ].join("\n");
}

export function printStarts(results: StartResult[]): string {
  return [
    "from the start of the runtime's process, ms",
    table([
      ["", "it listens", "first turn answered"],
      ...results.map(({ stack, listening, firstReply }) => [stack, range(listening), range(firstReply)]),
    ]),
  ].join("\n");
}

export function printSizes(results: SizeResult[]): string {
  return results
    .map(({ name, total, gzip, parts }) => {
      const shown = parts.slice(0, 14);
      const rest = parts.slice(14).reduce((sum, { kib }) => sum + kib, 0);
      const list = [...shown, ...(rest > 0 ? [{ name: "the rest", kib: rest }] : [])];
      return [
        `${name}: ${total.toFixed(0)} KiB, ${gzip.toFixed(0)} compressed`,
        ...list.map((part) => `  ${part.kib.toFixed(0).padStart(6)}  ${part.name}`),
      ].join("\n");
    })
    .join("\n");
}

function range({ median, min, max }: Spread): string {
  return `${median.toFixed(0)} (${min.toFixed(0)}-${max.toFixed(0)})`;
}

/** Columns as wide as they must be, the first to the left, numbers to the right. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
