import { useEffect, useRef, useState } from "react";
import type { RunEvent } from "../../../../src/workflows/runtime/types.ts";
import { followStream } from "../../api/event-stream.ts";
import { runEvents } from "../../api/work.ts";

export interface RunLogState {
  events: RunEvent[];
  error: unknown;
}

/** Changes that come in one burst are shown at once, milliseconds. */
const gatherMs = 120;

/**
 * What happens in a run, from its first event on, over as many connections as it takes. `onChange` is called after each
 * burst that moves a step or a wait.
 */
export function useRunEvents(runId: string, onChange: () => void): RunLogState {
  const [log, setLog] = useState<RunLogState>({ events: [], error: null });
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    const abort = new AbortController();
    const events: RunEvent[] = [];
    let timer = 0;
    let moved = false;
    const show = () => {
      timer = 0;
      setLog({ events: [...events], error: null });
      if (moved) changed.current();
      moved = false;
    };
    followStream(runEvents(runId), {
      signal: abort.signal,
      onEvent({ data }) {
        const event = JSON.parse(data) as RunEvent;
        events.push(event);
        // What an agent says leaves the steps and waits as they are.
        moved ||= event.type !== "agent" && event.type !== "progress";
        timer ||= window.setTimeout(show, gatherMs);
        return event.type === "end";
      },
    }).catch((error: unknown) => {
      if (!abort.signal.aborted) setLog({ events: [...events], error });
    });
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [runId]);

  return log;
}
