import * as z from "zod";
import { readQuery } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { listRuns } from "../../workflows/runtime/service.ts";
import { readCursor, writeCursor } from "../page-cursor.ts";
import { runSchema } from "./schemas.ts";

const query = z.object({
  kind: z.enum(["agent", "workflow"]).optional(),
  agent: z.string().optional().describe("Only turns of this agent."),
  workflow: z.string().optional().describe("Only runs of this workflow."),
  status: z.enum(["waiting", "running", "done", "failed", "interrupted", "cancelled"]).optional(),
  conversation: z.string().optional().describe("Only what is grouped under this x-stackbone-conversation."),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().describe("`nextCursor` of the page before."),
});

export const listAllRuns: Route = {
  access: "credential",
  summary: "List turns of agents and runs of workflows, newest first.",
  capability: "runs.list",
  query,
  responses: {
    200: {
      description: "A page of runs.",
      schema: z.object({ items: z.array(runSchema), nextCursor: z.string().nullable() }),
    },
  },
  async handle(context) {
    const { limit, cursor, ...asked } = readQuery(context, query);
    const before = cursor === undefined ? null : readCursor(cursor);
    const filter = {
      kind: asked.kind ?? null,
      agent: asked.agent ?? null,
      workflow: asked.workflow ?? null,
      status: asked.status ?? null,
      conversation: asked.conversation ?? null,
    };
    const items = await listRuns(context.env, context.owner, filter, { limit, before });
    const last = items.length === limit ? items.at(-1) : undefined;
    return Response.json({
      items,
      nextCursor: last === undefined ? null : writeCursor({ at: last.startedAt, id: last.runId }),
    });
  },
};
