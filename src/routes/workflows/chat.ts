import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { eventsOf } from "../runs/events-of.ts";
import { startFrom } from "./start-run.ts";

export const chatWithWorkflow: Route = {
  access: "credential",
  summary: "Start a run of a workflow and watch it.",
  description:
    "Server-sent events: `run` first, `message` for each thing that happens, turns of agents that a step delegates to included, then `done` or `error`. A connection that breaks is taken up again at `GET /api/runs/{runId}/events`, or here with the same `Idempotency-Key`, and `Last-Event-ID`.",
  capability: "workflows.chat",
  request: z.json(),
  responses: { 200: { description: "The run's events.", contentType: "text/event-stream" } },
  async handle(context) {
    const { run } = await startFrom(context);
    return eventsOf(context, run.runId);
  },
};
