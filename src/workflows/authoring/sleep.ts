import { durationMs } from "../runtime/duration.ts";
import { bodyOps } from "../runtime/scope.ts";

/**
 * Waits in a workflow's body: milliseconds, a duration such as "24h" or "2 days", or until a date; up to 365 days. It
 * costs nothing while it waits, and survives restarts. Throws when it is no duration.
 */
export async function sleep(until: number | string | Date): Promise<void> {
  const ops = bodyOps("sleep()");
  const order = until instanceof Date ? { at: readDate(until) } : { ms: durationMs(until) };
  await ops.wait({ id: ops.nextId("sleep"), kind: "sleep", until: order });
}

function readDate(date: Date): number {
  const at = date.getTime();
  if (Number.isNaN(at)) throw new Error("sleep() got a date that is none");
  return at;
}
