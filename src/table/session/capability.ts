import type { Json, JsonObject } from "../../turn/json.ts";
import type { CapabilityKind } from "../protocol/contract.ts";
import type { LiveTable } from "./live-table.ts";
import type { Proposal } from "./session-types.ts";
import type { Awaitable } from "./table-host.ts";

type Family = "editing" | "addressing" | "grouping" | "view";

/** One thing an agent can ask of a table. */
export interface CapabilityDefinition {
  key: string;
  kind: CapabilityKind;
  /** Doing it twice is doing it once. */
  idempotent: boolean;
  /** Whether it changes anything, the view included. */
  mutates: boolean;
  families?: Family[];
  /** Capabilities whose guides someone who uses this one needs too. */
  dependsOn?: string[];
  summary: string;
  summaryShort: string;
  /** Permitted where writes are staged. */
  stages?: boolean;
  /** Whether the host implements it. */
  wired(table: LiveTable): boolean;
  /** How to use it, in a few sentences about this table. */
  guide(table: LiveTable): string;
  /** JSON Schema of the arguments; `narrow` says which names and values this table has now. */
  input(table: LiveTable, narrow: boolean): JsonObject;
  output: JsonObject;
  /** Arguments as the schema wants them, from the usual other ways to write them. */
  lenient?(args: JsonObject): JsonObject;
  /** Works out what would be done; throws `Refusal` when it cannot be. Changes nothing. */
  plan(args: JsonObject, context: PlanContext): Awaitable<Plan>;
}

interface PlanContext {
  table: LiveTable;
  /** The revision the call was admitted at. */
  revision: number;
  signal: AbortSignal;
  /** Takes back the newest view change; throws when that cannot be done. */
  undo(): Promise<void>;
}

export type Plan = AnswerPlan | ViewPlan | RowsPlan | OperationPlan;

/** Nothing changes. */
interface AnswerPlan {
  type: "answer";
  result: Json;
  text: string;
}

export interface ViewPlan {
  type: "view";
  apply(): Awaitable<void>;
  /** What the answer says beside `ok` and `revision`, of the table afterwards. */
  result(after: LiveTable): JsonObject;
  text(after: LiveTable): string;
  /** It takes back an earlier change, and is none that could be taken back. */
  undoes?: true;
}

/** A write that can be told, and approved, row by row. */
export interface RowsPlan {
  type: "rows";
  title: string;
  /** The title in the past tense, of as many as were done. */
  done(count: number): string;
  proposals: Proposal[];
  /** What each proposal changes, for a reader. */
  words: { label: string; before?: string; after?: string }[];
  staged: boolean;
  /**
   * Does the approved proposals; one outcome for each, in their order. What failed, and what the signal kept from being
   * tried, is an outcome too: nothing is thrown.
   */
  run(approved: number[], signal: AbortSignal): Promise<Outcome[]>;
}

export interface Outcome {
  rowKey: string;
  column?: string;
  ok: boolean;
  error?: string;
}

/** A write that is done whole or not at all. */
export interface OperationPlan {
  type: "operation";
  title: string;
  /** Past tense of `title`. */
  done: string;
  arguments: JsonObject;
  run(signal: AbortSignal): Awaitable<void>;
  result: JsonObject;
}
