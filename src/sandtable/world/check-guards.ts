import type { Guard } from "../domain/types.ts";
import { evaluateCel } from "../expr/cel.ts";
import { evaluateValue } from "../expr/value.ts";
import { matchesResolved, remainingWhere, resolveWhere } from "../expr/where.ts";
import { Refusal } from "./refusal.ts";
import { fillArguments, keyOf, notComputed, type ToolCall } from "./tool-call.ts";

/** Goes through a tool's guards in order. Throws Refusal with the text of the first that stops the call, or CelError. */
export function checkGuards(call: ToolCall): void {
  for (const guard of call.tool.guards) {
    const holds = testGuard(call, guard);
    if (holds !== null && holds === (guard.on === "if")) throw new Refusal(fillArguments(call, guard.error));
  }
}

/** Whether a guard's condition holds; null when the call left out the arguments that say which row it asks about. */
function testGuard(call: ToolCall, { test }: Guard): boolean | null {
  const { ctx } = call;
  switch (test.kind) {
    case "row": {
      if (evaluateValue(test.key, ctx) === undefined) return null;
      const row = ctx.world.get(test.table, keyOf(call, test.key));
      return row !== undefined && matchesResolved(row, resolveWhere(test.where, ctx));
    }
    case "rows": {
      const where = remainingWhere(test.where, ctx);
      if (where === null) return null;
      for (const row of ctx.world.scan(test.table)) if (matchesResolved(row, where)) return true;
      return false;
    }
    case "cel": {
      const result = evaluateCel(test.source, ctx);
      if (typeof result === "boolean") return result;
      throw notComputed(call, "a guard's condition is neither true nor false");
    }
  }
}
