import { readFileSync } from "node:fs";
import { median, type Spread, spread } from "../numbers.ts";
import { cpuMsOf, flushMs } from "../procfs.ts";
import { load } from "./load.ts";
import type { BenchModel } from "./model-process.ts";
import { asksModel, type Kind, type KindName, kindNames, kinds, type Stack, token } from "./stacks.ts";
import { closeStacks, type Stacks, startStacks } from "./start-stacks.ts";

export interface TurnsPlan {
  kinds: KindName[];
  /** Where states lie. */
  root: string;
  inRam: boolean;
  lanes: number;
  rounds: number;
  /** Of each kind in each round, ms. */
  ms: number;
  warmUpMs: number;
}

/** What one kind came to; times in ms a turn. */
export interface KindResult {
  kind: KindName;
  turns: number;
  perSecond: Spread;
  /** Of the runtime's process; `null` where the system does not tell. */
  cpuMs: Spread | null;
  p50: number;
  p99: number;
  /** Of the model's process. */
  modelCpuMs: number;
  /** Rate by that of the floor, round by round. */
  rateToFloor: Spread;
  /** The floor's CPU by this kind's: what the ratio of the rates would be if nothing ever waited. */
  cpuToFloor: Spread | null;
}

export interface TurnsResult extends Omit<TurnsPlan, "kinds" | "root"> {
  /** What the disk takes to keep two pages of a database for good, ms. */
  flushMs: number;
  results: KindResult[];
  /** Most memory each runtime ever had in RAM, MB. */
  peakMb: { [stack in Stack]?: number };
}

interface Round {
  perSecond: number;
  cpuMs: number | null;
  latencies: number[];
  modelCpuMs: number;
}

/** All kinds by turns, in an order that changes from round to round. */
export async function measureTurns(
  model: BenchModel,
  plan: TurnsPlan,
  say: (text: string) => void,
): Promise<TurnsResult> {
  const { lanes, rounds, ms, warmUpMs, inRam, root } = plan;
  const wanted = [...new Set(plan.kinds.map((kind) => kinds[kind].stack))];
  const stacks = await startStacks(wanted, model, root, say);
  try {
    const names = kindNames.filter((kind) => plan.kinds.includes(kind) && stacks[kinds[kind].stack]);
    if (!names.includes("floor")) throw new Error("nothing to compare with: the floor is not measured");
    for (const name of names) await run(stacks, model, name, { lanes, ms: warmUpMs, label: `warm-${name}` });
    if (stacks.ours !== undefined) await checkKept(stacks.ours.url, kinds.sse);
    if (stacks.oursHttp !== undefined) await checkKept(stacks.oursHttp.url, kinds.httpSse);
    const taken = new Map<KindName, Round[]>(names.map((name) => [name, []]));
    const flushes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      flushes.push(flushMs(root));
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        taken.get(name)?.push(await run(stacks, model, name, { lanes, ms, label: `${round}-${name}` }));
      }
    }
    const floor = taken.get("floor") ?? [];
    return {
      ...{ lanes, rounds, ms, warmUpMs, inRam },
      flushMs: median(flushes),
      results: [...taken].map(([kind, measured]) => resultOf(kind, measured, floor)),
      peakMb: peaksOf(stacks),
    };
  } finally {
    await closeStacks(stacks);
  }
}

async function run(
  stacks: Stacks,
  model: BenchModel,
  name: KindName,
  order: { lanes: number; ms: number; label: string },
): Promise<Round> {
  const kind: Kind = kinds[name];
  const runtime = stacks[kind.stack];
  if (runtime === undefined) throw new Error(`${kind.stack} is not running`);
  await model.stats();
  const before = cpuMsOf(runtime.pid);
  const { turns, wallMs, latencies } = await load(kind, runtime.url, order);
  const after = cpuMsOf(runtime.pid);
  const { answers, cpuMs } = await model.stats();
  if (answers !== (asksModel(kind.stack) ? turns : 0))
    throw new Error(`${kind.name}: the model was asked ${answers} times in ${turns} turns`);
  return {
    perSecond: (1_000 * turns) / wallMs,
    cpuMs: before === null || after === null ? null : (after - before) / turns,
    latencies,
    modelCpuMs: cpuMs / turns,
  };
}

function resultOf(kind: KindName, rounds: Round[], floor: Round[]): KindResult {
  const latencies = rounds.flatMap((round) => round.latencies).sort((a, b) => a - b);
  const cpu = rounds.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  const cpuToFloor = rounds.flatMap(({ cpuMs }, at) => {
    const floors = floor[at]?.cpuMs ?? null;
    return cpuMs === null || floors === null ? [] : [floors / cpuMs];
  });
  return {
    kind,
    turns: latencies.length,
    perSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    cpuMs: cpu.length === 0 ? null : spread(cpu),
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    modelCpuMs: median(rounds.map(({ modelCpuMs }) => modelCpuMs)),
    rateToFloor: spread(rounds.map(({ perSecond }, at) => perSecond / (floor[at]?.perSecond ?? 0))),
    cpuToFloor: cpuToFloor.length === 0 ? null : spread(cpuToFloor),
  };
}

/** A session holds what was said in it, or its turns are not durable and their figures mean nothing. */
async function checkKept(url: string, kind: Kind): Promise<void> {
  const session = "checked";
  for (const turn of [1, 2, 3]) {
    const { path: route, headers, body } = kind.request(session, turn);
    const json = { "content-type": "application/json" };
    const response = await fetch(`${url}${route}`, {
      method: "POST",
      headers: { ...json, ...headers },
      body,
    });
    const problem = kind.problem({ status: response.status, body: await response.text() });
    if (problem !== null) throw new Error(problem);
  }
  const headers = { authorization: `Bearer ${token}` };
  const agent = kind.stack === "ours" ? "bench" : "freight";
  const kept = await fetch(`${url}/api/sessions/${agent}/${session}`, { headers });
  const { messages } = (await kept.json()) as { messages: unknown[] };
  if (messages.length !== 6) throw new Error(`the session holds ${messages.length} messages instead of 6`);
}

function peaksOf(stacks: Stacks): TurnsResult["peakMb"] {
  const peaks: TurnsResult["peakMb"] = {};
  for (const [stack, { pid }] of Object.entries(stacks) as [Stack, { pid: number }][]) {
    const peak = peakMbOf(pid);
    if (peak !== null) peaks[stack] = peak;
  }
  return peaks;
}

/** Most memory a process ever had in RAM, MB; `null` without /proc. */
function peakMbOf(pid: number): number | null {
  try {
    const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? null : Number(kb) / 1_024;
  } catch {
    return null;
  }
}
