import path from "node:path";
import type { AgentStats } from "./agent-protocol.ts";
import type { Bench } from "./bench.ts";
import { deskDomain } from "./domains.ts";
import { type Loop, nodeFloor } from "./floor.ts";
import { median, type Spread, spread } from "./numbers.ts";
import { cpuMsOf, flushMs } from "./procfs.ts";

/** One way of rehearsing, compared with a plain loop that sends the same bodies. */
export interface RateCase {
  task: "calls" | "talk";
  concurrency: number;
  /** How long the agent takes over each answer, ms. */
  delayMs: number;
  /** Trials in each round. */
  trials: number;
  /** Whether the engine keeps its state in memory rather than on disk: what is left then is not the disk's. */
  inRam?: boolean;
}

/** What a case came to; times in ms a step. */
export interface RateResult extends RateCase {
  /** Trials and steps of all rounds. */
  totalTrials: number;
  totalSteps: number;
  /** What the disk takes to keep what a step writes. */
  flushMs: number;
  runner: Measured;
  workerdLoop: Measured;
  nodeLoop: Measured;
  /** Rate of the runner by the rate of each loop, round by round. */
  ratioToWorkerd: Spread;
  ratioToNode: Spread;
  /** Time a step takes in its lane, without the agent's own part of it. */
  laneMs: { runner: number; workerdLoop: number };
}

interface Measured {
  stepsPerSecond: Spread;
  /** CPU of the runtime's process; `null` where the system does not tell. */
  cpuMs: number | null;
  /** The agent's own time. */
  agentMs: number;
}

interface Round {
  steps: number;
  wallMs: number;
  cpuMs: number | null;
  agent: AgentStats;
}

/**
 * Rehearsal, loop in workerd and loop in Node by turns, `rounds` times, in an order that changes. `null` where the
 * system cannot do it.
 */
export async function measureRate(bench: Bench, order: RateCase, rounds: number): Promise<RateResult | null> {
  const { agent, floor } = bench;
  const engine = order.inRam === true ? bench.engineInRam : bench.engine;
  if (engine === null) return null;
  const { task, concurrency, trials } = order;
  const rehearsal = { files: deskDomain, agentUrl: agent.url, task, concurrency };
  await agent.mode({ mode: task, delayMs: 0, record: true });
  await engine.rehearse({ ...rehearsal, trials: 1 });
  const { recorded: bodies } = await agent.stats();
  const loop: Loop = { url: agent.url, bodies, trials, concurrency };
  const contenders = {
    runner: () => timed(bench, order, engine.pid, () => engine.rehearse({ ...rehearsal, trials })),
    workerdLoop: () => timed(bench, order, floor.pid, () => floor.run(loop)),
    nodeLoop: () => timed(bench, order, process.pid, () => nodeFloor(loop)),
  };
  const names = ["runner", "workerdLoop", "nodeLoop"] as const;
  const taken: Record<(typeof names)[number], Round[]> = { runner: [], workerdLoop: [], nodeLoop: [] };
  const flushes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    flushes.push(flushMs(path.dirname(engine.stateDir)));
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      taken[name].push(await contenders[name]());
    }
  }
  const steps = taken.runner.reduce((sum, round) => sum + round.steps, 0);
  return {
    ...order,
    totalTrials: trials * rounds,
    totalSteps: steps,
    flushMs: median(flushes),
    runner: measured(taken.runner),
    workerdLoop: measured(taken.workerdLoop),
    nodeLoop: measured(taken.nodeLoop),
    ratioToWorkerd: ratio(taken.runner, taken.workerdLoop),
    ratioToNode: ratio(taken.runner, taken.nodeLoop),
    laneMs: {
      runner: laneMs(taken.runner, concurrency),
      workerdLoop: laneMs(taken.workerdLoop, concurrency),
    },
  };
}

async function timed(
  { agent }: Bench,
  { task, delayMs }: RateCase,
  pid: number,
  run: () => Promise<{ steps: number; wallMs: number }>,
): Promise<Round> {
  await agent.mode({ mode: task, delayMs, record: false });
  const cpuBefore = cpuMsOf(pid);
  const { steps, wallMs } = await run();
  const cpuAfter = cpuMsOf(pid);
  const { stats } = await agent.stats();
  if (stats.requests !== steps) throw new Error(`the agent saw ${stats.requests} steps of ${steps}`);
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return { steps, wallMs, cpuMs, agent: stats };
}

function measured(rounds: Round[]): Measured {
  const cpu = rounds.flatMap(({ cpuMs, steps }) => (cpuMs === null ? [] : [cpuMs / steps]));
  return {
    stepsPerSecond: spread(rounds.map(rate)),
    cpuMs: cpu.length === 0 ? null : median(cpu),
    agentMs: median(rounds.map(({ agent, steps }) => agent.ownMs / steps)),
  };
}

function rate({ steps, wallMs }: Round): number {
  return (1_000 * steps) / wallMs;
}

function ratio(ours: Round[], theirs: Round[]): Spread {
  return spread(
    ours.map((round, at) => {
      const other = theirs[at];
      if (other === undefined) throw new Error("rounds without their pair");
      return rate(round) / rate(other);
    }),
  );
}

function laneMs(rounds: Round[], concurrency: number): number {
  return median(rounds.map(({ wallMs, steps, agent }) => (wallMs * concurrency - agent.ownMs) / steps));
}

/** Lets caches and the compilers of three processes get to work before anything counts. */
export async function warmUp(bench: Bench, trials: number): Promise<void> {
  const { agent, engine, engineInRam, floor } = bench;
  for (const task of ["calls", "talk"] as const) {
    await agent.mode({ mode: task, delayMs: 0, record: true });
    const order = { files: deskDomain, agentUrl: agent.url, task, concurrency: 4 };
    await engine.rehearse({ ...order, trials: 1 });
    const { recorded: bodies } = await agent.stats();
    await agent.mode({ mode: task, delayMs: 0, record: false });
    await engine.rehearse({ ...order, trials });
    await engineInRam?.rehearse({ ...order, trials });
    const loop = { url: agent.url, bodies, trials, concurrency: 4 };
    await floor.run(loop);
    await nodeFloor(loop);
  }
}
