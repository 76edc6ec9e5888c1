import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { ensureSchedules } from "../../workflows/runtime/schedule-service.ts";
import { describeWorkflows } from "../../workflows/runtime/service.ts";

export const listWorkflows: Route = {
  access: "credential",
  summary: "List the workflows that can be started here.",
  capability: "workflows.list",
  responses: {
    200: {
      description: "Every workflow.",
      schema: z.object({
        items: z.array(
          z.object({
            name: z.string(),
            trigger: z.enum(["manual", "schedule"]).describe("How runs of it can start by themselves."),
            hasSchema: z.boolean(),
            serial: z.boolean().describe("One run at a time, in the order they were asked for."),
            schedules: z.array(z.object({ cron: z.string(), input: z.json() })),
          }),
        ),
      }),
    },
  },
  handle(context) {
    context.ctx.waitUntil(ensureSchedules(context.env));
    return Response.json({ items: describeWorkflows() });
  },
};
