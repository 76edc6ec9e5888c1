import { performance } from "node:perf_hooks";
import { Lane } from "./lane.ts";
import type { Kind } from "./stacks.ts";

/** What a load came to. */
export interface Loaded {
  turns: number;
  wallMs: number;
  /** Of each turn, from the request to the whole reply, ms. */
  latencies: number[];
}

/**
 * Lanes that each ask one turn after another until the time is up. Sessions are named by `label`, which no other load
 * has. Every reply is read whole and must be the right one; throws what is wrong with the first that is not.
 */
export async function load(
  kind: Kind,
  url: string,
  { lanes, ms, label }: { lanes: number; ms: number; label: string },
): Promise<Loaded> {
  const open = await Promise.all(Array.from({ length: lanes }, () => Lane.open(url)));
  const latencies: number[] = [];
  const startedAt = performance.now();
  let stop = false;
  const run = async (lane: Lane, at: number) => {
    for (let session = 1; ; session += 1) {
      for (let turn = 1; turn <= kind.turnsPerSession; turn += 1) {
        const askedAt = performance.now();
        if (stop || askedAt - startedAt >= ms) return;
        const reply = await lane.post(kind.request(`${label}-${at}-${session}`, turn));
        latencies.push(performance.now() - askedAt);
        const problem = kind.problem(reply);
        if (problem === null) continue;
        stop = true;
        throw new Error(`${kind.name}, turn ${turn} of session ${session}: ${problem}`);
      }
    }
  };
  try {
    await Promise.all(open.map(run));
  } finally {
    for (const lane of open) lane.close();
  }
  return { turns: latencies.length, wallMs: performance.now() - startedAt, latencies };
}
