import type { Gate, Results } from "./results.ts";

/** `open`: the rehearsal has not come to its end, and nothing was graded that the gate could be judged by. */
export type GateStanding = "holds" | "broken" | "open";

/** How a gate stands for a reader. Of a rehearsal that finished, every gate either holds or is broken. */
export function gateStanding(gate: Gate, status: Results["status"]): GateStanding {
  if (gate.held) return "holds";
  return status !== "finished" && gate.actual === null ? "open" : "broken";
}
