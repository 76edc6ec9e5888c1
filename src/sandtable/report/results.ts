import type { Operation } from "fast-json-patch";
import type { Json, JsonObject } from "../../turn/json.ts";
import type { CallerAct } from "../domain/types.ts";

/** `results.json`. Readers check `format` and `version`; a change of meaning raises `version`. */
export interface Results {
  format: "greenroom.results";
  version: 1;
  greenroom: { version: string };
  runId: string;
  domain: { name: string; description: string /** SHA-256 of the compiled domain, hex. */; digest: string };
  agent: AgentLabel;
  options: RunOptions;
  status: "running" | "finished" | "cancelled";
  /** ISO 8601. */
  startedAt: string;
  endedAt: string | null;
  summary: Summary;
  gates: Gate[];
  tasks: TaskResult[];
  rules: RuleResult[];
  trials: TrialResult[];
}

/** How the agent is named in reports; never carries headers. */
export interface AgentLabel {
  /** `agent`: one that the Worker serves itself. */
  kind: "http" | "module" | "agent" | "builtin";
  /** URL, module file name or the agent's name. */
  name: string;
}

export interface RunOptions {
  trials: number;
  concurrency: number;
  seed: number;
  tasks: string[];
  tags: string[];
  /** Tool-call rounds a turn. */
  maxSteps: number;
  /** Optional limit on one step, in milliseconds; `null`: none. */
  stepTimeoutMs: number | null;
}

export interface Summary {
  trials: { planned: number; passed: number; failed: number; errored: number; cancelled: number };
  tasks: { passed: number; failed: number; flaky: number; errored: number; skipped: number };
  /** `passHatK[k-1]` is pass^k; as long as the smallest number of graded trials of any graded task. */
  passHatK: number[];
  /** Share of tasks that an agent doing nothing passes, 0 to 1, and which. */
  doNothing: { score: number; tasks: string[] };
  /** Tokens of model-played callers only: the agent's own are not visible. */
  callerUsage: Usage;
  /** Every graded trial ended before the agent gave one step that could be used. */
  agentNeverAnswered: boolean;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; `null` when a caller's price is not known. */
  costUsd: number | null;
}

export interface Gate {
  /** As written, such as `--fail-under 0.9`, `--floor refusal=1` or `critical book-available-load`. */
  name: string;
  held: boolean;
  actual: number | null;
  required: number;
}

export type TaskVerdict = "passed" | "failed" | "flaky" | "errored" | "skipped";

export interface TaskResult {
  id: string;
  description?: string;
  tags: string[];
  critical: boolean;
  verdict: TaskVerdict;
  passed: number;
  /** Passed and failed trials; errored and cancelled ones are left out. */
  graded: number;
  errored: number;
  /** pass^k of this task, k from 1 to `graded`. */
  passHatK: number[];
  passesDoingNothing: boolean;
}

export interface RuleResult {
  id: string;
  severity: "hard" | "soft";
  description?: string;
  quote?: string;
  /** Trials that called a tool the rule guards, or were shown a value it keeps secret. */
  inPlay: number;
  /** Trials that broke it. */
  broken: number;
  /** Trials that broke it and failed for it. */
  caught: number;
}

export type TrialVerdict = "passed" | "failed" | "errored" | "cancelled";

export interface TrialResult {
  taskId: string;
  /** From 0. */
  trial: number;
  sessionId: string;
  verdict: TrialVerdict;
  why: Reason[];
  endedBy: EndedBy;
  turns: number;
  steps: number;
  transcript: TranscriptEntry[];
  /** Difference between the world at the start and at the end: paths are `/table/key/field`. */
  stateChanges: Operation[];
  callerUsage: Usage;
  /** ISO 8601. */
  startedAt: string;
  endedAt: string;
  /** Milliseconds spent waiting for the agent. */
  agentMs: number;
}

export type EndedBy =
  | "caller_hung_up"
  | "patience"
  | "max_turns"
  | "agent_error"
  | "killed"
  | "caller_error"
  | "cancelled";

/** Why a trial did not pass, or what a soft rule saw. `entry` is the position in the transcript it is about. */
export type Reason =
  | { kind: "rule"; rule: string; severity: "hard" | "soft"; quote?: string; message: string; entry: number }
  | { kind: "called" | "not_called" | "state" | "say" | "not_say"; message: string; entry?: number }
  /** The agent broke the step protocol, or could not be reached. */
  | { kind: "runtime"; message: string; status?: number; body?: string; entry?: number }
  /** Fails nothing by itself: what a failed trial's agent did that may explain the other reasons. */
  | { kind: "note"; message: string; entry: number }
  /** Ours: the caller's model failed or the runtime was killed inside a step. */
  | { kind: "errored"; message: string; entry?: number };

export interface RuleOutcome {
  rule: string;
  /** Rules that do not apply to a call are not listed. */
  /** `unchecked`: the rule could not be evaluated, for example because the row it compares with does not exist. */
  outcome: "kept" | "broken" | "unchecked";
  /** Why, in one sentence; present unless kept. */
  message?: string;
  /** What the rule looked at, such as the argument and the limit. */
  evidence?: JsonObject;
}

export type TranscriptEntry =
  | { kind: "caller"; turn: number; text: string; act?: CallerAct }
  | {
      kind: "agent";
      turn: number;
      text: string;
      rules: RuleOutcome[];
      /** The caller was given the runner's words, because the agent's turn ended without a reply. */
      by?: "runner";
    }
  | {
      kind: "call";
      turn: number;
      /** Round of tool calls inside the turn, from 1. */
      round: number;
      id: string;
      tool: string;
      args: JsonObject;
      ok: boolean;
      result?: Json;
      error?: string;
      rules: RuleOutcome[];
      changes: Operation[];
    }
  /** The runner's own words: step budget, calls that were not run, error of the agent, killed step. */
  | { kind: "note"; turn: number; text: string; about?: NoteSubject };

/** Notes that do not end the trial, and that explain one that fails. */
export type NoteSubject = "ignored_calls" | "step_budget";
