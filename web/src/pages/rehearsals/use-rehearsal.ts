import { useEffect, useState } from "react";
import type { RehearsalEvent } from "../../../../src/sandtable/rehearsal/events.ts";
import type { Results } from "../../../../src/sandtable/report/results.ts";
import { followStream, type StreamState } from "../../api/event-stream.ts";
import { readRehearsal, rehearsalEvents } from "../../api/rehearsals.ts";

export type TrialEvent = Extract<RehearsalEvent, { type: "trial" }>;

export interface RehearsalState {
  /** As fetched: at first, and again at the end. */
  results: Results | null;
  /** What the stream told since; empty once the rehearsal has ended. */
  trials: TrialEvent[];
  live: boolean;
  connection: StreamState;
  error: unknown;
}

const initial: RehearsalState = {
  results: null,
  trials: [],
  live: false,
  connection: "connecting",
  error: null,
};

/**
 * One rehearsal: its results when it has ended; while it runs, every trial as it arrives and then the results. A page
 * opened in the middle is told all from the first event. `retry` begins anew after an error.
 */
export function useRehearsal(runId: string): RehearsalState & { retry: () => void } {
  const [state, setState] = useState(initial);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a reason to begin again.
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const change = (part: Partial<RehearsalState>) => {
      if (!signal.aborted) setState((before) => ({ ...before, ...part }));
    };
    const run = async () => {
      const results = await readRehearsal(runId, signal);
      const live = results.status === "running";
      change({ results, live });
      if (!live) return;
      await follow(runId, signal, change);
      change({ results: await readRehearsal(runId, signal), live: false });
    };
    setState(initial);
    run().catch((error: unknown) => change({ error, live: false }));
    return () => abort.abort();
  }, [runId, round]);

  return { ...state, retry: () => setRound(round + 1) };
}

/** Follows the stream to its end. Trials that come in one burst are shown at once. */
async function follow(
  runId: string,
  signal: AbortSignal,
  change: (part: Partial<RehearsalState>) => void,
): Promise<void> {
  const trials: TrialEvent[] = [];
  let scheduled = 0;
  const show = () => {
    scheduled = 0;
    change({ trials: [...trials] });
  };
  await followStream(rehearsalEvents(runId), {
    signal,
    onState: (connection) => change({ connection }),
    onEvent({ data }) {
      const event = JSON.parse(data) as RehearsalEvent;
      if (event.type === "ended") return true;
      if (event.type === "trial") {
        trials.push(event);
        scheduled ||= window.setTimeout(show, 60);
      }
      return undefined;
    },
  });
  clearTimeout(scheduled);
}
