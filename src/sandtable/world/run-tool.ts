import type { Operation } from "fast-json-patch";
import type { Json, JsonObject } from "../../turn/json.ts";
import type { Action, Tool } from "../domain/types.ts";
import { CelError } from "../expr/cel.ts";
import type { EvalContext, TableShape } from "../expr/context.ts";
import { evaluateValue } from "../expr/value.ts";
import { type Affected, applyEffect } from "./apply-effect.ts";
import { checkGuards } from "./check-guards.ts";
import { PendingWorld } from "./pending-world.ts";
import { lookUp, search } from "./read-rows.ts";
import { Refusal } from "./refusal.ts";
import { notComputed, type ToolCall } from "./tool-call.ts";
import { validateArguments } from "./validate-arguments.ts";
import type { WorldStore } from "./world.ts";

/** What a call gives the agent, and what it changed in the world; a failed call changed nothing. */
export type ToolOutcome = ({ ok: true; result: Json } | { ok: false; error: string }) & {
  changes: Operation[];
};

/**
 * Runs one tool call: arguments, guards in order, then the action, all or nothing. The result is a copy that later
 * writes do not reach. Every mistake of the agent comes back as an error text; nothing is thrown for it.
 */
export function runTool(
  tools: Tool[],
  name: string,
  args: JsonObject,
  ctx: Omit<EvalContext, "args" | "world"> & { world: WorldStore },
  tables: TableShape[],
): ToolOutcome {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return failed(`unknown tool "${name}"`);
  const problem = validateArguments(tool, args);
  if (problem !== null) return failed(problem);
  const call: ToolCall = { tool, tables, ctx: { ...ctx, args, tool: name, tables } };
  try {
    checkGuards(call);
    const { result, changes } = act(call, ctx.world, tool.action);
    return { ok: true, result: structuredClone(result), changes };
  } catch (error) {
    if (error instanceof Refusal) return failed(error.message);
    if (error instanceof CelError) return failed(notComputed(call, error.message).message);
    throw error;
  }
}

function failed(error: string): ToolOutcome {
  return { ok: false, error, changes: [] };
}

function act(call: ToolCall, store: WorldStore, action: Action): { result: Json; changes: Operation[] } {
  switch (action.kind) {
    case "lookup":
      return { result: lookUp(call, action), changes: [] };
    case "search":
      return { result: search(call, action), changes: [] };
    case "respond":
      return { result: evaluateValue(action.value, call.ctx) ?? null, changes: [] };
    case "write":
      return write(call, store, action);
  }
}

/** Computes every effect and the result against a pending world, and only then writes. */
function write(
  call: ToolCall,
  store: WorldStore,
  action: Action & { kind: "write" },
): { result: Json; changes: Operation[] } {
  const world = new PendingWorld(store, call.tables);
  const inside: ToolCall = { ...call, ctx: { ...call.ctx, world } };
  const affected = action.effects.map((effect) => applyEffect(inside, world, effect));
  const result =
    action.respond === undefined
      ? rowsOf(affected[0], world)
      : (evaluateValue(action.respond, inside.ctx) ?? null);
  return { result, changes: world.commit() };
}

/** The rows of an effect as the call leaves them; deleted ones as they were. */
function rowsOf(affected: Affected | undefined, world: PendingWorld): Json {
  if (affected === undefined) return null;
  const rows = affected.rows.map(({ key, row }) => world.get(affected.table, key) ?? row);
  return affected.many ? rows : (rows[0] ?? null);
}
