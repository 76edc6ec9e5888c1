import type { JsonObject } from "../../turn/json.ts";

/** Reads the rows of a trial's world. Returned rows are the caller's to keep but not to change. */
export interface WorldReader {
  get(table: string, key: string): JsonObject | undefined;
  /** Rows of a table in insertion order. */
  scan(table: string): Iterable<JsonObject>;
}

/** Storage of one trial's world. In memory for lint and tests; SQLite in the trial object. */
export interface WorldStore extends WorldReader {
  put(table: string, key: string, row: JsonObject): void;
  remove(table: string, key: string): void;
  /** The number that the next call of `nextNumber` gives; takes none. */
  peekNumber(table: string, start: number): number;
  /** Next number of the table's generated keys, counted for this trial; `start` on the first call. */
  nextNumber(table: string, start: number): number;
}
