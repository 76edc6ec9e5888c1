import type { JsonObject } from "../../turn/json.ts";
import type { Table } from "../domain/types.ts";
import type { Conversation } from "../trial/conversation.ts";
import type { WorldReader } from "../world/world.ts";
import type { CelPrograms } from "./cel.ts";

/** A table without its rows, which may be many and elsewhere. */
export type TableShape = Omit<Table, "rows">;

/** What values, conditions and rules are evaluated against. */
export interface EvalContext {
  world: WorldReader;
  /** Arguments of the call under way; empty outside a call. */
  args: JsonObject;
  /** Everything before the moment of evaluation: a call under way is not part of it. */
  conversation: Conversation;
  /** The instant the trial believes it is, ISO 8601 UTC. */
  clock: string;
  /** Name of the tool being called; set by runTool and checkCall. */
  tool?: string;
  /** The agent's reply, where one is looked at. */
  reply?: string;
  /** Key fields and field names of the tables; without it they are read off the rows. */
  tables?: TableShape[];
  /** Compiled expressions, reused by an owner that evaluates often; without it each evaluation compiles anew. */
  programs?: CelPrograms;
}
