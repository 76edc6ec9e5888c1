import { safeLine } from "../../sandtable/report/safe-text.ts";

export type Tone = "good" | "bad" | "warn" | "dim" | "strong" | "accent";

/** Where the command writes for people: a stream with what it can do. */
export interface Terminal {
  write(text: string): void;
  /** A line, with its end. */
  line(text?: string): void;
  /** Text of this program in a tone; unchanged where colours are off. */
  tone(tone: Tone, text: string): string;
  /** The stream is a terminal, so that a line can be drawn again. */
  live: boolean;
  /** Columns as they are now; 100 where there is no terminal. */
  columns(): number;
}

/** Select Graphic Rendition codes that read on dark and light terminals. */
const codes: Record<Tone, [number, number]> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  dim: [2, 22],
  strong: [1, 22],
  accent: [36, 39],
};

/** Fewer columns than this are treated as this many: nothing sensible fits. */
const narrowest = 24;

export interface TerminalStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** A terminal on a stream. `NO_COLOR` turns colours off, `FORCE_COLOR` on, else a terminal that is not dumb has them. */
export function createTerminal(stream: TerminalStream, env: NodeJS.ProcessEnv): Terminal {
  const live = stream.isTTY === true && env.TERM !== "dumb";
  const colours = wantsColour(env) ?? live;
  return {
    live,
    write: (text) => void stream.write(text),
    line: (text = "") => void stream.write(`${text}\n`),
    tone(tone, text) {
      const [on, off] = codes[tone];
      return colours && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
    columns: () => (live ? Math.max(narrowest, stream.columns ?? 80) : 100),
  };
}

function wantsColour(env: NodeJS.ProcessEnv): boolean | undefined {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR === undefined || env.FORCE_COLOR === "") return undefined;
  return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
}

/** Text from a domain, an agent or an endpoint on one line, with nothing a terminal would act on. */
export const plain = safeLine;
