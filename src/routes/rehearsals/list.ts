import * as z from "zod";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { listRehearsals } from "../../store/rehearsals.ts";
import { readCursor, writeCursor } from "../page-cursor.ts";
import { rehearsalRowSchema } from "./schemas.ts";

const query = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().describe("`nextCursor` of the page before."),
});

export const listAllRehearsals: Route = {
  access: "credential",
  summary: "List rehearsals, newest first.",
  capability: "rehearsals.list",
  query,
  responses: {
    200: {
      description: "A page of rehearsals.",
      schema: z.object({ items: z.array(rehearsalRowSchema), nextCursor: z.string().nullable() }),
    },
  },
  async handle(context) {
    const { limit, cursor } = readQuery(context, query);
    const before = cursor === undefined ? null : readCursor(cursor);
    const items = await inDatabase(listRehearsals(context.env.DB, context.owner, { limit, before }));
    const last = items.length === limit ? items.at(-1) : undefined;
    return Response.json({
      items,
      nextCursor: last === undefined ? null : writeCursor({ at: last.startedAt, id: last.runId }),
    });
  },
};
