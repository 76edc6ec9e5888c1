import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";
import { median, type Spread, spread } from "./numbers.ts";
import { cpuMsOf, flushMs } from "./procfs.ts";
import { type BenchRuntime, startRuntime } from "./serving/runtime.ts";
import { loadBareBuild, loadWorkflowBuild } from "./workflows/build.ts";
import { type Probe, startProbe } from "./workflows/probe.ts";

export interface WorkflowPlan {
  rounds: number;
  /** Runs of each in a round. */
  runs: number;
  /** How many runs are under way at once, a case each. */
  atOnce: number[];
  warmUpRuns: number;
}

interface Timed {
  startMs: number[];
  resumeMs: number[];
  cpuMs: number | null;
}

/** Times in ms: of ours, of the bare engine, and ours by the bare one's, round by round. */
interface Compared {
  ours: Spread;
  bare: Spread;
  ratio: Spread;
}

interface WorkflowCase {
  atOnce: number;
  start: Compared;
  resume: Compared;
  /** CPU of the runtime a run, from its start to its end; `null` where the system does not tell. */
  cpu: Compared | null;
}

export interface WorkflowsResult extends WorkflowPlan {
  flushMs: number;
  cases: WorkflowCase[];
}

/** How one of the two is told of a run. */
interface Side {
  runtime: BenchRuntime;
  start(id: string, url: string): Promise<void>;
  /** Resolves once a decision would find the run. */
  waits(id: string): Promise<void>;
  decide(id: string): Promise<void>;
}

const token = "bench";

/** Mostly both have come to rest by then: the run waits, and nothing of its start is still written. */
const restMs = 150;

/**
 * From the request that starts a run to its first step, and from the request that decides to the step that follows:
 * Greenroom beside a Worker that has the same engine and nothing else, by turns. A step is there when it has called a
 * service of this process.
 */
export async function measureWorkflows(
  plan: WorkflowPlan,
  say: (text: string) => void,
): Promise<WorkflowsResult> {
  const probe = await startProbe();
  const open: BenchRuntime[] = [];
  try {
    const build = await loadWorkflowBuild(() => say("building the Worker\n"));
    const worker = await startRuntime("ours", build, { AGENT_HTTP_TOKEN: token }, tmpdir());
    open.push(worker);
    const bare = await startRuntime("bare", await loadBareBuild(), {}, tmpdir());
    open.push(bare);
    return await measure(plan, probe, { ours: oursSide(worker), bare: bareSide(bare) });
  } finally {
    for (const one of open) await one.close();
    probe.close();
  }
}

async function measure(
  plan: WorkflowPlan,
  probe: Probe,
  { ours, bare }: { ours: Side; bare: Side },
): Promise<WorkflowsResult> {
  for (const side of [ours, bare]) await play(side, probe, plan.warmUpRuns, 4);
  const flushes: number[] = [];
  const cases: WorkflowCase[] = [];
  for (const atOnce of plan.atOnce) {
    const taken = { ours: [] as Timed[], bare: [] as Timed[] };
    for (let round = 0; round < plan.rounds; round += 1) {
      flushes.push(flushMs(tmpdir()));
      const turns = [
        async () => taken.ours.push(await play(ours, probe, plan.runs, atOnce)),
        async () => taken.bare.push(await play(bare, probe, plan.runs, atOnce)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const compared = (of: (timed: Timed) => number) => compare(taken.ours.map(of), taken.bare.map(of));
    const told = [...taken.ours, ...taken.bare].every(({ cpuMs }) => cpuMs !== null);
    cases.push({
      atOnce,
      start: compared(({ startMs }) => median(startMs)),
      resume: compared(({ resumeMs }) => median(resumeMs)),
      cpu: told ? compared(({ cpuMs }) => cpuMs ?? Number.NaN) : null,
    });
  }
  return { ...plan, flushMs: median(flushes), cases };
}

/** Plays runs, so many at once, to their end. */
async function play(side: Side, probe: Probe, runs: number, atOnce: number): Promise<Timed> {
  const startMs: number[] = [];
  const resumeMs: number[] = [];
  const before = cpuMsOf(side.runtime.pid);
  let next = 0;
  const lane = async () => {
    while (next < runs) {
      next += 1;
      const id = randomUUID();
      const startedAt = performance.now();
      const [first] = await Promise.all([probe.called(id, "first"), side.start(id, probe.url)]);
      startMs.push(first - startedAt);
      await rest();
      await side.waits(id);
      const decidedAt = performance.now();
      const [resumed] = await Promise.all([probe.called(id, "resumed"), side.decide(id)]);
      resumeMs.push(resumed - decidedAt);
      await rest();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const after = cpuMsOf(side.runtime.pid);
  return { startMs, resumeMs, cpuMs: before === null || after === null ? null : (after - before) / runs };
}

function compare(ours: number[], bare: number[]): Compared {
  const ratio = spread(ours.map((value, round) => value / (bare[round] ?? Number.NaN)));
  return { ours: spread(ours), bare: spread(bare), ratio };
}

function oursSide(runtime: BenchRuntime): Side {
  const ask = (path: string, body?: object) =>
    asked(`${runtime.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const runIds = new Map<string, string>();
  return {
    runtime,
    async start(id, url) {
      const { runId } = (await ask("/api/workflows/bench/start", { id, url })) as { runId: string };
      runIds.set(id, runId);
    },
    async waits(id) {
      for (;;) {
        const { waits } = (await ask(`/api/runs/${runIds.get(id)}`)) as { waits: { status: string }[] };
        if (waits.some(({ status }) => status === "open")) return;
        await rest();
      }
    },
    async decide(id) {
      await ask(`/api/workflows/hooks/${id}/resume`, { status: "approved" });
    },
  };
}

function bareSide(runtime: BenchRuntime): Side {
  const ask = (body: object) => asked(runtime.url, { method: "POST", body: JSON.stringify(body) });
  return {
    runtime,
    async start(id, url) {
      await ask({ id, url });
    },
    // An event sent before the wait is kept.
    waits: () => Promise.resolve(),
    async decide(id) {
      await ask({ id, decision: { status: "approved" } });
    },
  };
}

async function asked(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, restMs));
}

/** Medians and ratios, a line for each. */
export function printWorkflows({ cases, flushMs, rounds, runs }: WorkflowsResult): string {
  const line = (name: string, { ours, bare, ratio }: Compared) => [
    name,
    ours.median.toFixed(1),
    bare.median.toFixed(1),
    ratio.median.toFixed(2),
    `${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)}`,
  ];
  const rows = cases.flatMap(({ atOnce, start, resume, cpu }) => [
    line(`start to first step, ${atOnce} at once`, start),
    line(`decision to resumed step, ${atOnce} at once`, resume),
    ...(cpu === null ? [] : [line(`CPU of a run, ${atOnce} at once`, cpu)]),
  ]);
  const lines = [["ms", "ours", "bare engine", "ratio", "rounds"], ...rows];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  const text = lines.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  return [
    `runs of a workflow beside the bare engine (flush ${flushMs.toFixed(2)} ms): medians of ${rounds} rounds of ${runs} runs`,
    ...text,
  ].join("\n");
}
