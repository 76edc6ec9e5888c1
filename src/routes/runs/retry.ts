import * as z from "zod";
import { param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { retryRun } from "../../workflows/runtime/service.ts";
import { unknownRun } from "../workflows/refusals.ts";
import { runStatus } from "../workflows/schemas.ts";
import { started } from "../workflows/start-run.ts";

export const retryWorkflowRun: Route = {
  access: "credential",
  summary: "Run a workflow again from the input a run had.",
  description: "A new run with an id of its own; the one that ended stays as it is.",
  capability: "runs.retry",
  responses: {
    200: {
      description: "The new run.",
      schema: z.object({ run: z.object({ id: z.string(), status: runStatus }) }),
    },
  },
  async handle(context) {
    const id = param(context, "id");
    const outcome = await inDatabase(retryRun(context.env, context.owner, id));
    if (outcome.kind === "unknown") throw unknownRun(id);
    if (outcome.kind === "running") throw new HttpError("conflict", outcome.message);
    const { run, status } = started(outcome, id);
    return Response.json({ run: { id: run.runId, status } });
  },
};
