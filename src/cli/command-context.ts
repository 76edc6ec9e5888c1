import type { Terminal } from "./terminal/terminal.ts";

/** What asks a command to end. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** What a command works with instead of the globals of its process. */
export interface CommandContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Standard output, as people read it. */
  out: Terminal;
  /** Standard error, as people read it. */
  err: Terminal;
  /** Standard output, as programs read it. Resolves when the text is taken. */
  writeOut(text: string): Promise<void>;
  /** Called at the first Ctrl-C, or another request to end; the second one ends the process. Returns how to stop listening. */
  onInterrupt(callback: (signal: Interrupt) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}
