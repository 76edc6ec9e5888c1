import * as z from "zod";
import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import type { Decision, JsonObject } from "../../turn/index.ts";
import { approvalOf } from "./find.ts";

const approveBody = z.object({
  editedArgs: z
    .record(z.string(), z.json())
    .optional()
    .describe("Runs the call with these arguments instead of the stored ones, whole."),
});
const rejectBody = z.object({ reason: z.string().max(2_000).optional().describe("The agent is told it.") });

const decided = z.object({ id: z.string(), status: z.enum(["approved", "rejected"]) });

export const approve: Route = {
  access: "credential",
  summary: "Approve a waiting call.",
  description: "The run goes on by itself once nothing of it waits. Approving again answers the same.",
  capability: "approvals.approve",
  request: approveBody,
  responses: { 200: { description: "The decision holds.", schema: decided } },
  async handle(context) {
    const { editedArgs } = await readBody(context, approveBody);
    return decide(
      context,
      editedArgs === undefined ? { kind: "approve" } : { kind: "edit", args: editedArgs as JsonObject },
    );
  },
};

export const reject: Route = {
  access: "credential",
  summary: "Reject a waiting call.",
  description: "The call does not run; the agent is told so, with the reason, and goes on.",
  capability: "approvals.reject",
  request: rejectBody,
  responses: { 200: { description: "The decision holds.", schema: decided } },
  async handle(context) {
    const { reason } = await readBody(context, rejectBody);
    return decide(context, reason === undefined ? { kind: "reject" } : { kind: "reject", reason });
  },
};

/** The body, which may be left out. */
async function readBody<Schema extends z.ZodType>(
  context: OwnedContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (context.request.body === null || context.request.headers.get("content-length") === "0")
    return schema.parse({});
  return readJson(context, schema);
}

async function decide(context: OwnedContext, decision: Decision): Promise<Response> {
  const { approval, object } = await approvalOf(context);
  const answer = await object.decide(approval.id, JSON.stringify(decision));
  if (answer.kind === "unknown")
    throw new HttpError("not_found", "The session this approval belongs to is gone.");
  if (answer.kind === "conflict") throw new HttpError("conflict", answer.message);
  if (answer.kind === "refused") throw new HttpError("invalid_request", answer.message);
  return Response.json({ id: approval.id, status: decision.kind === "reject" ? "rejected" : "approved" });
}
