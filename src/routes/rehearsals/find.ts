import type { OwnedContext } from "../../http/context.ts";
import { param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { inDatabase } from "../../store/in-database.ts";
import { rehearsalObject } from "../../store/objects.ts";
import { dropRehearsal, findRehearsal } from "../../store/rehearsals.ts";

/** The rehearsal of this owner that the path names, and its object. Throws 404. */
export async function rehearsalOf(context: OwnedContext) {
  const { env, owner } = context;
  const runId = param(context, "runId");
  const row = await inDatabase(findRehearsal(env.DB, owner, runId));
  if (row === null) throw notFound(runId);
  const object = rehearsalObject(env, owner, runId);
  // A start that failed after the database took it in: nothing was played, and nothing ever will be.
  if (row.head === null && !(await object.exists())) {
    await inDatabase(dropRehearsal(env.DB, owner, runId));
    throw notFound(runId);
  }
  return { row, object };
}

function notFound(runId: string): HttpError {
  return new HttpError("not_found", `There is no rehearsal "${runId}" of yours.`);
}
