import * as z from "zod";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { listInboxItems } from "../../store/inbox.ts";
import { readCursor, writeCursor } from "../page-cursor.ts";
import { approvalSchema, approvalStatus } from "./schemas.ts";
import { shown } from "./shown.ts";

const query = z.object({
  kind: z.enum(["tool", "workflow"]).optional().describe("Calls of agents, or questions of workflows."),
  status: approvalStatus.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().describe("`nextCursor` of the page before."),
});

export const listInbox: Route = {
  access: "credential",
  summary: "List approvals, newest first.",
  capability: "approvals.list",
  query,
  responses: {
    200: {
      description: "A page of the inbox; it has fewer items than were asked for when what they ask is large.",
      schema: z.object({ items: z.array(approvalSchema), nextCursor: z.string().nullable() }),
    },
  },
  async handle(context) {
    const { kind, status, limit, cursor } = readQuery(context, query);
    const before = cursor === undefined ? null : readCursor(cursor);
    const { items, more } = await inDatabase(
      listInboxItems(
        context.env.DB,
        context.owner,
        { kind: kind ?? null, status: status ?? null },
        { limit, before },
      ),
    );
    const last = more ? items.at(-1) : undefined;
    return Response.json({
      items: items.map(shown),
      nextCursor: last === undefined ? null : writeCursor({ at: last.createdAt, id: last.id }),
    });
  },
};
