import * as z from "zod";

export const approvalStatus = z.enum(["pending", "approved", "rejected", "cancelled"]);

/** A call that waits for a person, or waited. */
export const approvalSchema = z.object({
  id: z.string(),
  agent: z.string(),
  session: z.string(),
  runId: z.string(),
  status: approvalStatus,
  interrupt: z.object({
    id: z.string(),
    callId: z.string(),
    tool: z.string(),
    args: z.looseObject({}).describe("What runs when it is approved."),
    message: z.string(),
    allowedDecisions: z.array(z.enum(["approve", "edit", "reject"])),
    argsSchema: z.looseObject({}).describe("JSON Schema of the arguments, for editing them."),
    createdAt: z.string(),
    subagent: z.string().optional(),
  }),
  decision: z.looseObject({ kind: z.enum(["approve", "edit", "reject"]) }).nullable(),
  decidedBy: z.enum(["wire", "inbox"]).nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
});
