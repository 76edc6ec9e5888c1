import type { JsonObject, TurnRequest, TurnUsage } from "../src/turn/index.ts";

/** The turn a session is in or was in last. */
export interface StoredTurn {
  /** Raised for each turn and each time one goes on: event numbers start anew in it, above all before. */
  epoch: number;
  status: "running" | "interrupted" | "ended";
  /** Names the run's record; a turn that waited and went on keeps it. */
  record: string;
  startedAt: string;
  /** When it began or last went on, milliseconds. */
  usedAt: number;
  /** How often the runtime stopped in it since a person or a client last moved it. */
  restarts: number;
  /** What the parts of it before its last pause used. */
  spent: TurnUsage;
  /** The client gets the conversation as an event. */
  snapshot: boolean;
  /** A client is told its events as they come. */
  watched: boolean;
  /** The editable state as a client was told it last. */
  told: JsonObject;
}

/** What of a request the loop needs to go on. */
export type TurnWork = Omit<TurnRequest, "messages" | "resume" | "state" | "snapshot">;
