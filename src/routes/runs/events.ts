import { param } from "../../http/context.ts";
import type { Route } from "../../http/route.ts";
import { eventsOf } from "./events-of.ts";

export const watchWorkflowRun: Route = {
  access: "credential",
  summary: "Watch a run of a workflow.",
  description:
    "The stream of `POST /api/workflows/{name}/chat`, from the first event or from after `Last-Event-ID`. A turn of an agent is replayed from its thread instead.",
  capability: "runs.watch",
  responses: { 200: { description: "The run's events.", contentType: "text/event-stream" } },
  handle: (context) => eventsOf(context, param(context, "id")),
};
