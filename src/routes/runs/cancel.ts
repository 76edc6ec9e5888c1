import { param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { cancelRun, getRun } from "../../workflows/runtime/service.ts";
import { unknownRun } from "../workflows/refusals.ts";
import { agentRun, cancelAgentRun } from "./agent-run.ts";
import { runDetail } from "./schemas.ts";

export const cancelOneRun: Route = {
  access: "credential",
  summary: "Cancel a run.",
  description:
    "A turn of an agent ends as cancelled, a run of a workflow as interrupted, and what they waited for is withdrawn. What tools and steps have done stays done. Cancelling again changes nothing; a run that has ended otherwise is a 409.",
  capability: "runs.cancel",
  responses: { 200: { description: "It is cancelled.", schema: runDetail } },
  async handle(context) {
    const runId = param(context, "id");
    const turn = await agentRun(context, runId);
    if (turn !== null) return Response.json({ kind: "agent", ...(await cancelAgentRun(context, turn)) });
    const outcome = await inDatabase(cancelRun(context.env, context.owner, runId));
    if (outcome.kind === "unknown") throw unknownRun(runId);
    if (outcome.kind === "ended" && outcome.status !== "interrupted")
      throw new HttpError("conflict", `The run ${JSON.stringify(runId)} has ended: ${outcome.status}.`);
    const run = await inDatabase(getRun(context.env, context.owner, runId));
    if (run === null) throw unknownRun(runId);
    return Response.json({ kind: "workflow", ...run });
  },
};
