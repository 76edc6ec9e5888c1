import type { Burst } from "./agent-protocol.ts";
import type { Bench } from "./bench.ts";
import { type Files, worldDomain } from "./domains.ts";
import { median } from "./numbers.ts";

/** Calls in one answer of the agent. */
const callsPerBurst = 500;
const kinds = ["nothing", "lookup", "update"] as const;
type Kind = (typeof kinds)[number];

/** What a world of this many rows costs. */
export interface WorldCost {
  rows: number;
  /** One call, microseconds, everything about it included. */
  callUs: Record<Kind, number>;
  /** What finding or changing the row adds to a call that touches no row, microseconds. */
  netUs: { lookup: number; update: number };
  /** A trial of one step, with its world planted for it, ms. */
  trialMs: number;
  /** Reading, checking and handing over the domain, once a rehearsal, ms. */
  startMs: number;
}

export interface WorldResult {
  small: WorldCost;
  large: WorldCost;
  /** Large by small. */
  ratio: { lookup: number; update: number; lookupNet: number; updateNet: number };
}

/** Calls on a small and a large world by turns. Keys are spread over all rows, so that the large one finds little in a cache. */
export async function measureWorld(
  bench: Bench,
  rows: { small: number; large: number },
  rounds: number,
): Promise<WorldResult> {
  const worlds = [rows.small, rows.large].map((count) => new World(bench, count));
  // The first calls of an engine are slow, whatever the world.
  await new World(bench, rows.small).measure(0);
  for (let round = 0; round < rounds; round += 1) {
    for (const world of round % 2 === 0 ? worlds : worlds.toReversed()) await world.measure(round);
  }
  const [small, large] = worlds.map((world) => world.cost());
  if (small === undefined || large === undefined) throw new Error("two worlds are compared");
  return {
    small,
    large,
    ratio: {
      lookup: large.callUs.lookup / small.callUs.lookup,
      update: large.callUs.update / small.callUs.update,
      lookupNet: large.netUs.lookup / small.netUs.lookup,
      updateNet: large.netUs.update / small.netUs.update,
    },
  };
}

class World {
  private readonly bench: Bench;
  private readonly rows: number;
  private readonly files: Files;
  private readonly callUs: Record<Kind, number[]> = { nothing: [], lookup: [], update: [] };
  private readonly trialMs: number[] = [];
  private readonly startMs: number[] = [];

  constructor(bench: Bench, rows: number) {
    this.bench = bench;
    this.rows = rows;
    this.files = worldDomain(rows);
  }

  async measure(round: number): Promise<void> {
    const { agent, engine } = this.bench;
    const order = { files: this.files, agentUrl: agent.url, task: "one", concurrency: 1 };
    const bursts = Array.from({ length: 9 }, (_, at) => this.burst(kinds[(at + round) % 3] ?? "nothing", at));
    await agent.mode({ mode: "burst", delayMs: 0, record: false, bursts });
    await engine.rehearse({ ...order, trials: 2 });
    const { gaps } = await agent.stats();
    for (const { kind, ms } of gaps) this.callUs[kind as Kind].push((1_000 * ms) / callsPerBurst);
    await agent.mode({ mode: "burst", delayMs: 0, record: false, bursts: [] });
    const trials = 3;
    const { wallMs, startMs } = await engine.rehearse({ ...order, trials });
    this.trialMs.push(wallMs / trials);
    this.startMs.push(startMs);
  }

  cost(): WorldCost {
    const nothing = median(this.callUs.nothing);
    const lookup = median(this.callUs.lookup);
    const update = median(this.callUs.update);
    return {
      rows: this.rows,
      callUs: { nothing, lookup, update },
      netUs: { lookup: lookup - nothing, update: update - nothing },
      trialMs: median(this.trialMs),
      startMs: median(this.startMs),
    };
  }

  private burst(kind: Kind, at: number): Burst {
    const calls = Array.from({ length: callsPerBurst }, (_, n) => {
      // A step that shares no factor with the number of rows, so that every row has its turn.
      const load_id = `L-${(((at * callsPerBurst + n) * 7_919) % this.rows) + 1}`;
      const id = String(n);
      if (kind === "lookup") return { id, name: "get_load", arguments: { load_id } };
      if (kind === "update")
        return { id, name: "note_load", arguments: { load_id, rate: 2_000 + at * 1_000 + n } };
      return { id, name: "nothing", arguments: { load_id } };
    });
    return { kind, answer: JSON.stringify({ tool_calls: calls }) };
  }
}
