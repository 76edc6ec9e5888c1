import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { findApproval } from "../../store/approvals.ts";
import { inDatabase } from "../../store/in-database.ts";

/** The approval of this owner that the path names, and the object of its session. Throws 404. */
export async function approvalOf(context: OwnedContext) {
  const id = param(context, "id");
  const found = await inDatabase(findApproval(context.env.DB, context.owner, id));
  if (found === null) throw new HttpError("not_found", `There is no approval "${id}" of yours.`);
  const { SESSION } = context.env;
  return { approval: found.approval, object: SESSION.get(SESSION.idFromString(found.objectId)) };
}
