import { param } from "../../http/context.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { getRun } from "../../workflows/runtime/service.ts";
import { unknownRun } from "../workflows/refusals.ts";
import { agentRun } from "./agent-run.ts";
import { runDetail } from "./schemas.ts";

export const getOneRun: Route = {
  access: "credential",
  summary: "Show a run; of a workflow with its steps and waits.",
  description:
    "A durable turn of an agent is there once it has lasted a second, or has ended; a stateless one when it has ended.",
  capability: "runs.get",
  responses: { 200: { description: "The run as it stands.", schema: runDetail } },
  async handle(context) {
    const runId = param(context, "id");
    const turn = await agentRun(context, runId);
    if (turn !== null) return Response.json({ kind: "agent", ...turn });
    const run = await inDatabase(getRun(context.env, context.owner, runId));
    if (run === null) throw unknownRun(runId);
    return Response.json({ kind: "workflow", ...run });
  },
};
