import * as z from "zod";
import type { Json, JsonObject } from "../../turn/index.ts";
import { issuesOf } from "./read-input.ts";
import type { HookDecision, InputIssue } from "./types.ts";

const decisionBody = z
  .object({
    status: z.enum(["approved", "rejected"]).optional(),
    approved: z.boolean().optional(),
    payload: z.json().optional(),
    editedPayload: z.json().optional(),
    comment: z.string().max(2_000).optional(),
    reason: z.string().max(2_000).optional(),
  })
  .refine(({ status, approved }) => status !== undefined || approved !== undefined, {
    path: ["status"],
    message: 'say {"status":"approved"}, {"status":"rejected"} or {"approved":true}',
  })
  .refine(
    ({ status, approved }) =>
      status === undefined || approved === undefined || (status === "approved") === approved,
    { path: ["approved"], message: "contradicts `status`" },
  );

/**
 * A decision as any client says it: `status` or `approved`, the payload as it was changed (`payload` or
 * `editedPayload`), and why (`comment` or `reason`).
 */
export function readDecision(
  body: Json,
): { ok: true; decision: HookDecision } | { ok: false; issues: InputIssue[] } {
  const read = decisionBody.safeParse(body);
  if (!read.success) return { ok: false, issues: issuesOf(read.error) };
  const { status, approved, payload, editedPayload, comment, reason } = read.data;
  const changed = payload ?? editedPayload;
  const said = comment ?? reason;
  return {
    ok: true,
    decision: {
      status: status ?? (approved ? "approved" : "rejected"),
      ...(changed === undefined ? {} : { payload: changed as Json }),
      ...(said === undefined ? {} : { comment: said }),
    },
  };
}

/** Why a payload does not fit a hook's schema; empty when it does. */
export function payloadIssues(schema: JsonObject | null, payload: Json): InputIssue[] {
  if (schema === null) return [];
  const read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(payload);
  return read.success ? [] : issuesOf(read.error);
}
