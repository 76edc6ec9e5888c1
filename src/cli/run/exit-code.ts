import type { Results } from "../../sandtable/report/results.ts";
import type { Interrupt } from "../command-context.ts";

/** What the command ends with. */
export const exitCodes = {
  /** Every gate holds. */
  held: 0,
  /** A gate, or a critical task, failed. */
  broken: 1,
  /** Nothing was learnt: bad usage, a refused domain, an agent that never answered, an endpoint that is gone. */
  error: 2,
} as const;

/** Shells' exit codes for a command that a signal ended. */
export const interruptCodes: Record<Interrupt, number> = { SIGINT: 130, SIGTERM: 143 };

/** Exit code of a rehearsal that ended, and why when that is an error rather than a verdict. */
export function exitCodeOf(results: Results): { code: number; error?: string } {
  const { summary, gates, status } = results;
  const { passed, failed, errored } = summary.trials;
  if (status !== "finished")
    return { code: exitCodes.error, error: "the rehearsal was cancelled before its end" };
  if (passed + failed === 0 && errored > 0) {
    return {
      code: exitCodes.error,
      error: "no trial could be graded; every one errored, see the reasons above",
    };
  }
  return { code: gates.every((gate) => gate.held) ? exitCodes.held : exitCodes.broken };
}
