import * as z from "zod";
import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import type { Decision, Json, JsonObject } from "../../turn/index.ts";
import { decideApproval } from "../../workflows/runtime/service.ts";
import { resumedBy } from "../workflows/resume-hook.ts";
import { approvalOf } from "./find.ts";

const approveBody = z.object({
  editedArgs: z
    .record(z.string(), z.json())
    .optional()
    .describe("A call runs with these arguments instead of the stored ones, whole."),
  editedPayload: z
    .json()
    .optional()
    .describe("A workflow goes on with this payload instead of the one it showed, whole."),
  reason: z.string().max(2_000).optional().describe("A workflow is told it."),
});
const rejectBody = z.object({
  reason: z.string().max(2_000).optional().describe("The agent, or the workflow, is told it."),
});

const decided = z.object({ id: z.string(), status: z.enum(["approved", "rejected"]) });

export const approve: Route = {
  access: "credential",
  summary: "Approve what waits.",
  description: "The run goes on by itself once nothing of it waits. Approving again answers the same.",
  capability: "approvals.approve",
  request: approveBody,
  responses: { 200: { description: "The decision holds.", schema: decided } },
  async handle(context) {
    const { editedArgs, editedPayload, reason } = await readBody(context, approveBody);
    if (editedArgs !== undefined && editedPayload !== undefined)
      throw new HttpError("invalid_request", "Send editedArgs or editedPayload, not both.");
    const edited = editedArgs ?? editedPayload;
    return decide(context, { approved: true, ...(edited === undefined ? {} : { edited }) }, reason);
  },
};

export const reject: Route = {
  access: "credential",
  summary: "Reject what waits.",
  description: "A call does not run, and the agent goes on knowing so; a workflow goes on as rejected.",
  capability: "approvals.reject",
  request: rejectBody,
  responses: { 200: { description: "The decision holds.", schema: decided } },
  async handle(context) {
    const { reason } = await readBody(context, rejectBody);
    return decide(context, { approved: false }, reason);
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

/** What a person said, of either kind of approval. */
interface Said {
  approved: boolean;
  edited?: Json;
}

async function decide(context: OwnedContext, said: Said, reason: string | undefined): Promise<Response> {
  const { item, owner, objectId } = await approvalOf(context);
  if (item.kind === "tool") await decideCall(context, item.id, objectId, callDecision(said, reason));
  else {
    const place = { owner, runId: item.runId, approvalId: item.id };
    resumedBy(await inDatabase(decideApproval(context.env, place, hookDecision(said, reason))));
  }
  return Response.json({ id: item.id, status: said.approved ? "approved" : "rejected" });
}

function hookDecision({ approved, edited }: Said, reason: string | undefined): JsonObject {
  return {
    status: approved ? "approved" : "rejected",
    ...(edited === undefined ? {} : { payload: edited }),
    ...(reason === undefined ? {} : { comment: reason }),
  };
}

function callDecision({ approved, edited }: Said, reason: string | undefined): Decision {
  if (!approved) return reason === undefined ? { kind: "reject" } : { kind: "reject", reason };
  if (edited === undefined) return { kind: "approve" };
  if (typeof edited !== "object" || edited === null || Array.isArray(edited))
    throw new HttpError("invalid_request", "The arguments of a call must be an object.");
  return { kind: "edit", args: edited };
}

async function decideCall(
  { env }: OwnedContext,
  id: string,
  objectId: string,
  decision: Decision,
): Promise<void> {
  const session = env.SESSION.get(env.SESSION.idFromString(objectId));
  const answer = await session.decide(id, JSON.stringify(decision));
  if (answer.kind === "unknown")
    throw new HttpError("not_found", "The session this approval belongs to is gone.");
  if (answer.kind === "conflict") throw new HttpError("conflict", answer.message);
  if (answer.kind === "refused") throw new HttpError("invalid_request", answer.message);
}
