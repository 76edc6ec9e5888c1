/** `greenroom run` as typed, numbers and lists parsed. */
export interface RunFlags {
  agent?: string;
  trials: number;
  concurrency: number;
  tasks: string[];
  tag: string[];
  seed: number;
  failUnder: string[];
  floor: string[];
  /** Seconds. */
  stepTimeout?: number;
  maxSteps?: number;
  endpoint?: string;
  token?: string;
  json: boolean;
  out?: string;
  state: string;
  /** The run's id; `true` when none was given. */
  resume?: string | true;
}

/** Rounds of tool calls a turn when nothing else is said; the step protocol's number. */
export const defaultMaxSteps = 16;
