import type { BenchAgent } from "./agent-process.ts";
import { deskDomain } from "./domains.ts";
import { startBenchEngine } from "./engine.ts";
import { slope } from "./numbers.ts";
import { diskUse, openFilesOf, rssMbOf } from "./procfs.ts";

interface Sample {
  /** Trials that have ended since the engine started. */
  trials: number;
  /** Memory of the runtime in RAM, MB. */
  rssMb: number;
  openFiles: number;
}

export interface MemoryResult {
  concurrency: number;
  samples: Sample[];
  /** The same after a pause in which objects nobody uses are dropped. */
  afterPause: Sample;
  /** Growth of memory with each trial, KB, over the second half of the samples. */
  kbPerTrial: number;
  /** What the state folder holds at the end. */
  disk: { files: number; kb: number; filesPerTrial: number; kbPerTrial: number };
}

/** Trials of one rehearsal; more are made of several, one after the other. */
const trialsPerRun = 1_000;
const sampleEvery = 100;
/** The runtime drops an object ten seconds after its last use. */
const pauseMs = 15_000;

/** Memory of a fresh engine's runtime and its state folder over many trials; `null` without /proc. */
export async function measureMemory(
  agent: BenchAgent,
  stateRoot: string,
  trials: number,
  concurrency: number,
): Promise<MemoryResult | null> {
  await agent.mode({ mode: "calls", delayMs: 0, record: false });
  const engine = await startBenchEngine(agent.url, stateRoot);
  try {
    if (rssMbOf(engine.pid) === null) return null;
    const emptyDisk = diskUse(engine.stateDir);
    const sample = (ended: number): Sample => ({
      trials: ended,
      rssMb: rssMbOf(engine.pid) ?? 0,
      openFiles: openFilesOf(engine.pid) ?? 0,
    });
    const samples: Sample[] = [];
    for (let before = 0; before < trials; before += trialsPerRun) {
      const order = { files: deskDomain, agentUrl: agent.url, task: "calls", concurrency };
      await engine.rehearse({
        ...order,
        trials: Math.min(trialsPerRun, trials - before),
        onTrial(finished) {
          if (finished % sampleEvery === 0) samples.push(sample(before + finished));
        },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const late = samples.slice(Math.floor(samples.length / 2));
    const disk = diskUse(engine.stateDir);
    return {
      concurrency,
      samples,
      afterPause: sample(trials),
      kbPerTrial: 1_024 * slope(late.map(({ trials: x, rssMb: y }) => ({ x, y }))),
      disk: {
        ...disk,
        filesPerTrial: (disk.files - emptyDisk.files) / trials,
        kbPerTrial: (disk.kb - emptyDisk.kb) / trials,
      },
    };
  } finally {
    await engine.close();
  }
}
