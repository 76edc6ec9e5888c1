import type { Json, JsonObject } from "../../turn/index.ts";
import type { RunFailure, RunStatus, Trigger, WorkflowQuestion } from "./types.ts";

/*
 * What the code of a run and the run's object say to each other. It crosses as JSON: the object is the truth, the code
 * is played again from the start whenever the engine wakes, and asks or tells the same then.
 */

/** What a run is, fixed when it is started. */
export interface RunSpec {
  runId: string;
  owner: string;
  workflow: string;
  trigger: Trigger;
  /** As the workflow's schema read it. */
  input: Json;
  /** As it came, when the schema made something else of it: what a retry starts from. */
  rawInput?: Json;
  conversation: string | null;
  /** Who waits for its end, and under which of its waits. */
  parent: { owner: string; runId: string; wait: string | null } | null;
  retryOf: string | null;
  startedAt: string;
  serial: boolean;
  /** Workflows of the runs that wait for this one's end, of one another, the first of them first. */
  waiters: string[];
}

/** `same`: it was there, started with this very input. */
export interface StartAnswer {
  repeated: boolean;
  same: boolean;
  status: RunStatus;
  position: number | null;
}

/** What a playing of a run's code begins with. */
export type EnterAnswer = { kind: "play"; spec: RunSpec } | Over;

/** The run has ended, or another playing has taken over: this one must stop. */
export type Over = { kind: "over" } | { kind: "superseded" };

/** How something a run's code waits for came out. `order`: its place among all that did, in which the code learns of it. */
export type Settled =
  | { kind: "done"; order: number; value: Json }
  | { kind: "failed"; order: number; failure: RunFailure };

export type BeginAnswer = Settled | { kind: "go"; attempt: number } | Over;

export type AttemptResult =
  | { ok: true; value: Json }
  /** `retryAfter`: milliseconds until the next attempt; `null`: the usual. `fatal`: there is none. */
  | { ok: false; failure: RunFailure; fatal: boolean; retryAfter: number | null };

/** `again`: another attempt follows once the wait of this event type is over. */
export type EndAnswer = Settled | { kind: "again"; event: string } | Over;

/** A wait to open. Opening it again changes nothing. */
export type WaitOrder =
  | { id: string; kind: "sleep"; until: { ms: number } | { at: number } }
  /** The payload number `index` of a hook, from 0 on. */
  | { id: string; kind: "hook"; hook: string; index: number }
  | { id: string; kind: "workflow" };

/** The event type under which the engine hands over how a wait came out; or that, when it is over as it is opened. */
export type WaitAnswer = { kind: "waiting"; event: string } | { kind: "settled"; settled: Settled } | Over;

/** Largest outcome that the engine is handed, or keeps, characters of JSON; a larger one is read from the run's object. */
export const inlineOutcome = 200_000;

export interface HookOrder {
  id: string;
  /** The wait for its first payload, which is opened with it. */
  wait: string;
  token: string;
  /** Takes one payload after another. */
  many: boolean;
  /** JSON Schema a payload must fit. */
  schema: JsonObject | null;
  /** Asks a person: the question, and milliseconds until the fallback holds. */
  approval: { question: WorkflowQuestion; timeoutMs: number | null } | null;
}

/** `taken`: another run listens on the token. `failed`: the inbox could not be written; trying again may help. */
export type HookAnswer =
  | { kind: "open"; event: string }
  | { kind: "taken"; runId: string }
  | { kind: "failed"; message: string }
  | Over;

/**
 * What the engine's event carries. `settled` is missing where it is too large: the code asks for it then. `over`: the
 * run was cancelled.
 */
export interface PokePayload {
  settled?: Settled;
  over?: boolean;
}

export type RunEnd = { status: "done"; output: Json } | { status: "failed"; failure: RunFailure };

/** The value of an approval's wait. */
export interface ApprovalValue {
  status: "approved" | "rejected";
  payload?: Json;
  comment?: string;
  timedOut: boolean;
}
