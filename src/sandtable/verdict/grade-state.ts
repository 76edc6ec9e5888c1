import type { Expect } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { resolveWhere } from "../expr/where.ts";
import type { Reason, TranscriptEntry } from "../report/results.ts";
import { describeValues, describeWhere, failedTests } from "./describe.ts";

/**
 * Why a row at the end of the trial is not as expected, pointing at the call that changed it last; `null` when it is.
 * Throws CelError when the expectation's CEL cannot be evaluated.
 */
export function gradeState(
  { table, key, where }: Expect["state"][number],
  entries: TranscriptEntry[],
  ctx: EvalContext,
): Reason | null {
  const row = ctx.world.get(table, key);
  const name = `${table} ${key}`;
  const reason = (message: string): Reason => {
    const entry = lastChange(table, key, entries);
    return { kind: "state", message, ...(entry < 0 ? {} : { entry }) };
  };
  if (where === null) return row === undefined ? null : reason(`${name} exists and should not`);
  const wanted = resolveWhere(where, ctx);
  if (row === undefined) return reason(`${name} does not exist; expected ${describeWhere(wanted)}`);
  const failed = failedTests(row, wanted);
  if (failed.length === 0) return null;
  // With alternatives all of them are named: any would have done.
  const expected = wanted.length > 1 ? wanted : [failed];
  return reason(`${name} ended with ${describeValues(row, failed)}; expected ${describeWhere(expected)}`);
}

/** Position of the last call that changed the row, -1 when none did. Changes are JSON Patches on `/table/key/field`. */
function lastChange(table: string, key: string, entries: TranscriptEntry[]): number {
  const row = `/${escapePointer(table)}/${escapePointer(key)}`;
  return entries.findLastIndex(
    (entry) =>
      entry.kind === "call" && entry.changes.some(({ path }) => path === row || path.startsWith(`${row}/`)),
  );
}

function escapePointer(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
