import type { EvalContext } from "../../../src/sandtable/expr/context.ts";
import type { CallRecord, Message } from "../../../src/sandtable/trial/conversation.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import type { JsonObject } from "../../../src/turn/json.ts";

/** A world from a literal: table to key to row. */
export function worldOf(tables: Record<string, Record<string, JsonObject>>): MemoryWorld {
  const world = new MemoryWorld();
  for (const [table, rows] of Object.entries(tables)) {
    for (const [key, row] of Object.entries(rows)) world.put(table, key, row);
  }
  return world;
}

/** A context with as little in it as a test needs. */
export function contextOf(parts: Partial<EvalContext> = {}): EvalContext {
  return {
    world: new MemoryWorld(),
    args: {},
    conversation: { messages: [], calls: [] },
    clock: "2026-10-18T21:05:00Z",
    ...parts,
  };
}

/** Records of successful calls, numbered in order, all in turn 1. */
export function callsOf(...calls: (Partial<CallRecord> & { tool: string })[]): CallRecord[] {
  return calls.map((call, index) => ({ index, turn: 1, args: {}, ok: true, result: null, ...call }));
}

/** Lines in turns of one caller line and one reply: `["caller", "Hi"]`. */
export function linesOf(
  ...lines: ([Message["role"], string] | [Message["role"], string, Message["act"]])[]
): Message[] {
  let turn = 0;
  return lines.map(([role, text, act]) => {
    if (role === "caller") turn += 1;
    return act === undefined ? { role, turn, text } : { role, turn, text, act };
  });
}
