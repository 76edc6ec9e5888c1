import * as z from "zod";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { listAgentRuns } from "../../store/agent-runs.ts";
import { inDatabase } from "../../store/in-database.ts";
import { readCursor, writeCursor } from "../page-cursor.ts";

const query = z.object({
  agent: z.string().optional(),
  conversation: z.string().optional().describe("Only turns grouped under this x-stackbone-conversation."),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().describe("`nextCursor` of the page before."),
});

export const listRuns: Route = {
  access: "credential",
  summary: "List turns of agents, newest first.",
  capability: "runs.list",
  query,
  responses: {
    200: {
      description: "A page of runs.",
      schema: z.object({
        items: z.array(z.looseObject({ runId: z.string(), agent: z.string(), status: z.string() })),
        nextCursor: z.string().nullable(),
      }),
    },
  },
  async handle(context) {
    const { agent, conversation, limit, cursor } = readQuery(context, query);
    const before = cursor === undefined ? null : readCursor(cursor);
    const page = { agent: agent ?? null, conversation: conversation ?? null, limit, before };
    const items = await inDatabase(listAgentRuns(context.env.DB, context.owner, page));
    const last = items.length === limit ? items.at(-1) : undefined;
    return Response.json({
      items,
      nextCursor: last === undefined ? null : writeCursor({ at: last.startedAt, id: last.runId }),
    });
  },
};
