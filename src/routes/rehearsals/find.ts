import type { OwnedContext } from "../../http/context.ts";
import { param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { rehearsalObject } from "../../store/objects.ts";
import { findRehearsal } from "../../store/rehearsals.ts";

/** The rehearsal of this owner that the path names, and its object. Throws 404. */
export async function rehearsalOf(context: OwnedContext) {
  const runId = param(context, "runId");
  const row = await findRehearsal(context.env.DB, context.owner, runId);
  if (row === null) throw new HttpError("not_found", `There is no rehearsal "${runId}" of yours.`);
  return { row, object: rehearsalObject(context.env, context.owner, runId) };
}
