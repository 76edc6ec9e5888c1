import type { RehearsalEvent } from "../../sandtable/rehearsal/events.ts";
import { count, duration } from "../../sandtable/report/format.ts";
import { plain, type Terminal, type Tone } from "./terminal.ts";
import { clip, widthOf } from "./width.ts";

type TrialEvent = RehearsalEvent & { type: "trial" };

/**
 * Shows how a rehearsal goes: on a terminal a bar below one line a finished trial, elsewhere the lines alone. When no
 * trial finishes for half a minute, a line says so, once until one does.
 */
export interface Progress {
  started(planned: number): void;
  trial(event: TrialEvent): void;
  /** A line of the command's own, above the bar. */
  note(text: string): void;
  /** Takes the bar away. Safe to call again. */
  end(): void;
}

export interface ProgressOptions {
  terminal: Terminal;
  concurrency: number;
  /** Trials that had finished before the command took the rehearsal up: they are counted in one line. */
  before: number;
  /** Milliseconds, from any origin. */
  now: () => number;
  /** Calls back every so many milliseconds until the returned function is called. */
  every: (ms: number, callback: () => void) => () => void;
}

/** Silence after which the waiting is told, and how often it is looked at, in milliseconds. */
const longSilence = 30_000;
const lookEvery = 1_000;

const tones: Record<TrialEvent["verdict"], Tone> = {
  passed: "good",
  failed: "bad",
  errored: "warn",
  cancelled: "dim",
};
const marks: Record<TrialEvent["verdict"], string> = {
  passed: "✓",
  failed: "✗",
  errored: "!",
  cancelled: "-",
};

/** See `Progress`. On a terminal the bar is drawn again after each event and four times a second. */
export function createProgress(options: ProgressOptions): Progress {
  const { terminal, concurrency, now } = options;
  const counts: Record<TrialEvent["verdict"], number> = { passed: 0, failed: 0, errored: 0, cancelled: 0 };
  const since = now();
  let planned = 0;
  let finished = 0;
  let stop: (() => void) | undefined;
  let stopLooking: (() => void) | undefined;
  /** When a trial finished last; `null` once the silence since has been told. */
  let heard: number | null = since;

  const bar = () => barLine({ counts, finished, planned, elapsed: now() - since, concurrency }, terminal);
  const clear = () => (stop === undefined ? "" : "\r\u001b[K");
  const print = (line: string) => {
    terminal.write(`${clear()}${line}\n${stop === undefined ? "" : bar()}`);
  };
  const look = () => {
    if (heard === null || finished >= planned || now() - heard < longSilence) return;
    heard = null;
    print(terminal.tone("dim", "still waiting for the agent: no trial has finished for 30 s"));
  };
  return {
    started(total) {
      planned = total;
      if (stopLooking !== undefined) return;
      if (terminal.live) {
        stop = options.every(250, () => terminal.write(`${clear()}${bar()}`));
        terminal.write(bar());
      }
      heard = now();
      stopLooking = options.every(lookEvery, look);
    },
    trial(event) {
      counts[event.verdict] += 1;
      finished = event.finished;
      planned = event.planned;
      heard = now();
      if (finished > options.before) print(trialLine(event, terminal));
      else if (finished === options.before)
        print(terminal.tone("dim", `${finished} of ${count(planned, "trial")} had finished before`));
    },
    note: (text) => print(clip(plain(text), 1_000)),
    end() {
      stopLooking?.();
      stopLooking = undefined;
      if (stop === undefined) return;
      stop();
      terminal.write(clear());
      stop = undefined;
    },
  };
}

function trialLine(event: TrialEvent, terminal: Terminal): string {
  const { verdict, turns, calls, ms, why } = event;
  const columns = terminal.columns();
  const name = clip(`${plain(event.taskId)} #${event.trial}`, columns - 2);
  const place = terminal.live ? "" : `[${event.finished}/${event.planned}] `;
  const head = terminal.live ? marks[verdict] : verdict;
  const size = `${count(turns, "turn")}, ${count(calls, "call")}, ${duration(ms)}`;
  const facts = why === null ? size : `${size}: ${plain(why)}`;
  const room = columns - widthOf(`${place}${head} ${name}  `);
  // In a pipe nothing is cut: a log is read with search, not by eye alone.
  const rest = terminal.live ? (room < 12 ? "" : clip(facts, room)) : facts;
  const tail = rest === "" ? "" : `  ${terminal.tone("dim", rest)}`;
  return `${place}${terminal.tone(tones[verdict], head)} ${name}${tail}`;
}

interface BarState {
  counts: Record<TrialEvent["verdict"], number>;
  finished: number;
  planned: number;
  /** Milliseconds. */
  elapsed: number;
  concurrency: number;
}

/** The bar is never narrower than this; what would make it so is left out. */
const leastBar = 8;

/** One column shorter than the terminal is wide, so that it never wraps; what matters least is left out first. */
function barLine(state: BarState, terminal: Terminal): string {
  const { counts, finished, planned, concurrency } = state;
  const room = terminal.columns() - 1;
  const running = Math.min(concurrency, planned - finished);
  const wanted: { text: string; tone?: Tone }[] = [
    { text: `${finished}/${planned}` },
    ...(counts.failed > 0 ? [{ text: `${counts.failed} failed`, tone: "bad" as const }] : []),
    ...(counts.errored > 0 ? [{ text: `${counts.errored} errored`, tone: "warn" as const }] : []),
    { text: `${counts.passed} passed`, tone: "good" },
    { text: duration(state.elapsed), tone: "dim" },
    ...(running > 0 ? [{ text: `${running} running`, tone: "dim" as const }] : []),
  ];
  let left = room;
  const parts = wanted.filter(({ text }) => {
    const needed = widthOf(text) + 2;
    if (left - needed < leastBar) return false;
    left -= needed;
    return true;
  });
  const width = Math.min(30, left);
  const full = planned === 0 ? 0 : Math.round((width * finished) / planned);
  const bar = terminal.tone("accent", "█".repeat(full)) + terminal.tone("dim", "░".repeat(width - full));
  const texts = parts.map(({ text, tone }) => (tone === undefined ? text : terminal.tone(tone, text)));
  return [bar, ...texts].join("  ");
}
