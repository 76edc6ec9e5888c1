import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { createProgress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { watch } from "../watch.ts";
import { interruptCodes } from "./exit-code.ts";
import type { RunPlace } from "./open-engine.ts";

export interface FollowOptions {
  place: RunPlace;
  runId: string;
  concurrency: number;
  terminal: Terminal;
  /** The rehearsal is taken up: what had finished is counted and not told again. */
  resumed: boolean;
  context: CommandContext;
}

/**
 * Shows a rehearsal until it ends. A first Ctrl-C cancels it and waits for what is under way to end; returns the exit
 * code of that signal then, else `null`. Throws `CliError` when the place is lost.
 */
export async function follow(options: FollowOptions): Promise<number | null> {
  const { place, runId, terminal, context } = options;
  const before = options.resumed ? (await place.api.status(runId)).finished : 0;
  const stop = new AbortController();
  let interrupted: number | null = null;
  const progress = createProgress({
    terminal,
    concurrency: options.concurrency,
    before,
    now: () => performance.now(),
    every(ms, callback) {
      const timer = setInterval(callback, ms);
      return () => clearInterval(timer);
    },
  });
  void place.lost.then((reason) => stop.abort(new CliError(reason)));
  const stopListening = context.onInterrupt((signal) => {
    interrupted = interruptCodes[signal];
    progress.note("stopping: what has finished is kept. Press Ctrl-C again to quit at once.");
    place.api.cancel(runId).catch((error: unknown) => stop.abort(error));
  });
  try {
    await watch({
      api: place.api,
      runId,
      signal: stop.signal,
      sleep: (ms) => sleep(ms, stop.signal),
      onEvent(event) {
        if (event.type === "started") progress.started(event.planned);
        else if (event.type === "trial") progress.trial(event);
      },
    });
  } finally {
    progress.end();
    stopListening();
  }
  return interrupted;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
