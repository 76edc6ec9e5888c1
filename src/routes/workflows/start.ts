import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { queuedHandle, runHandle } from "./schemas.ts";
import { startFrom } from "./start-run.ts";

export const startWorkflow: Route = {
  access: "credential",
  summary: "Start a run of a workflow.",
  description:
    "The body is the workflow's input itself. With `Idempotency-Key` the same request starts one run, however often it is sent.",
  capability: "workflows.start",
  request: z.json(),
  responses: {
    200: { description: "The run has begun, or the key had started it.", schema: runHandle },
    202: { description: "The workflow goes one run at a time: this one is in line.", schema: queuedHandle },
  },
  async handle(context) {
    const { run, position } = await startFrom(context);
    if (position === null) return Response.json(run);
    return Response.json({ ...run, status: "queued", position }, { status: 202 });
  },
};
