import type { BenchAgent } from "./agent-process.ts";
import type { BenchEngine } from "./engine.ts";
import type { WorkerdFloor } from "./floor.ts";

/** What is compared: the agent both sides talk to, the engine that rehearses it, and the loop that only sends. */
export interface Bench {
  agent: BenchAgent;
  engine: BenchEngine;
  /** Another whose state lies in memory instead of on disk; `null` where the system has no such folder. */
  engineInRam: BenchEngine | null;
  floor: WorkerdFloor;
}
