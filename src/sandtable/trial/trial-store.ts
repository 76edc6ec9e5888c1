import type { Operation } from "fast-json-patch";
import type { JsonObject } from "../../turn/json.ts";
import type { EndedBy, Reason, TranscriptEntry, Usage } from "../report/results.ts";
import type { WorldStore } from "../world/world.ts";

/** Where a trial stands between two steps. Small: the transcript is kept apart. */
export interface TrialState {
  phase: "caller" | "agent" | "done";
  turn: number;
  /** Rounds of tool calls already run in this turn. */
  round: number;
  /** POSTs sent to the agent. */
  steps: number;
  /** A step was sent and its answer is not recorded: it must never be sent again. */
  inFlight: boolean;
  /** The caller has said its last line: the turn under way is the last. */
  lastTurn: EndedBy | null;
  /** State of a scripted caller, opaque here. */
  caller: JsonObject | null;
  /** State of a builtin agent. */
  agent: JsonObject | null;
  agentAnswered: boolean;
  usage: Usage;
  agentMs: number;
  startedAt: string;
  endedAt: string | null;
  endedBy: EndedBy | null;
  /** A failure of the agent or of ours that ended the trial. */
  failure: Reason | null;
}

/**
 * Everything a trial must not lose. Writes between two awaits become durable together: the trial object's SQLite
 * coalesces them, so that a step and its consequences are stored as one.
 */
export interface TrialStore {
  world: WorldStore & { changesSinceStart(): Operation[] };
  loadState(): TrialState | null;
  saveState(state: TrialState): void;
  loadTranscript(): TranscriptEntry[];
  /** Returns the characters of the entry's JSON. */
  appendEntry(entry: TranscriptEntry): number;
}
