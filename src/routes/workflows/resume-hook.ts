import * as z from "zod";
import { param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import type { Json } from "../../turn/index.ts";
import { resumeHook } from "../../workflows/runtime/service.ts";
import type { ResumeOutcome } from "../../workflows/runtime/types.ts";
import { idempotencyKeyOf } from "./start-run.ts";

const resumed = z.object({
  runId: z.string(),
  workflowName: z.string(),
  token: z.string(),
  status: z.enum(["pending", "approved", "rejected", "timed_out", "cancelled", "received"]),
});

export const resumeWorkflowHook: Route = {
  access: "credential",
  summary: "Hand a waiting run what it waits for.",
  description:
    'For an approval `{"status": "approved" | "rejected", "payload"?, "comment"?}`, or `{"approved": true | false}`; for another hook any JSON its schema takes. Saying the same again answers the same; to a hook that takes several payloads, with the same `Idempotency-Key`.',
  capability: "workflows.resume",
  request: z.json(),
  responses: { 200: { description: "The run has it.", schema: resumed } },
  async handle(context) {
    const key = idempotencyKeyOf(context.request.headers);
    const body = await readJson(context, z.json());
    const outcome = await inDatabase(
      resumeHook(context.env, context.owner, param(context, "token"), body, { key }),
    );
    const { runId, workflowName, token, status } = resumedBy(outcome);
    return Response.json({ runId, workflowName, token, status });
  },
};

/**
 * What a hook said to a payload it took. Throws 404 for one there is not, 409 when something else was said before (with
 * what holds), 410 when its deadline has passed or its run is over, 400 for a payload it does not take.
 */
export function resumedBy(outcome: ResumeOutcome): Extract<ResumeOutcome, { kind: "resumed" }> {
  switch (outcome.kind) {
    case "resumed":
      return outcome;
    case "decided": {
      const { runId, status, decision, decidedAt, message } = outcome;
      throw new HttpError("hook_already_resolved", message, {
        details: { runId, status, decision, decidedAt },
      });
    }
    case "expired": {
      const { runId, expiredAt, message } = outcome;
      throw new HttpError("hook_expired", message, { details: { runId, expiredAt } });
    }
    case "closed":
      throw new HttpError("hook_closed", outcome.message, { details: { runId: outcome.runId } });
    case "invalid":
      throw new HttpError("invalid_body", outcome.message, {
        details: { issues: outcome.issues.map(({ path, message }): Json => ({ path, message })) },
      });
    case "unknown":
      throw new HttpError("hook_not_found", "No run of yours waits, or waited, on this.");
  }
}
