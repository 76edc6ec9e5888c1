import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { watchRun } from "../../workflows/runtime/service.ts";
import { unknownRun } from "../workflows/refusals.ts";

/** The event stream of a workflow's run, from the first event or from after `Last-Event-ID`. Throws 404, 400. */
export async function eventsOf(context: OwnedContext, runId: string): Promise<Response> {
  const last = context.request.headers.get("last-event-id") || "0";
  if (!/^\d{1,15}$/.test(last))
    throw new HttpError("invalid_request", "Last-Event-ID must be a number this stream gave.");
  const stream = await watchRun(context.env, context.owner, runId, Number(last));
  if (stream === null) throw unknownRun(runId);
  return stream;
}
