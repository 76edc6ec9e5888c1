import type { Results, TrialVerdict } from "../report/results.ts";

/** What a watcher of a rehearsal is told, in order; each carries a sequence number on the wire. */
export type RehearsalEvent =
  | { type: "started"; runId: string; planned: number }
  | {
      type: "trial";
      taskId: string;
      trial: number;
      verdict: TrialVerdict;
      /** First reason, when it did not pass. */
      why: string | null;
      turns: number;
      calls: number;
      /** From its first step to its end. */
      ms: number;
      finished: number;
      planned: number;
    }
  | { type: "ended"; status: Results["status"] };
