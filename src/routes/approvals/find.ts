import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { inDatabase } from "../../store/in-database.ts";
import { findInboxItem, type InboxItem } from "../../store/inbox.ts";

/** The item of this owner's inbox that the path names, and the object that holds its truth. Throws 404. */
export async function approvalOf(
  context: OwnedContext,
): Promise<{ item: InboxItem; owner: string; objectId: string }> {
  const id = param(context, "id");
  const found = await inDatabase(findInboxItem(context.env.DB, context.owner, id));
  if (found === null)
    throw new HttpError("not_found", `There is no approval ${JSON.stringify(id)} of yours.`);
  return found;
}
