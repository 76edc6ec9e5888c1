import * as z from "zod";

export const approvalStatus = z.enum(["pending", "approved", "rejected", "timed_out", "cancelled"]);

const shared = {
  id: z.string(),
  runId: z.string(),
  status: approvalStatus,
  topic: z.string(),
  title: z.string().describe("What is asked, for a person."),
  payload: z.json().describe("What it is about: a call's arguments, or what the workflow shows."),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
};

/** A call of an agent that waits for a person, or waited. */
const toolApproval = z.object({
  ...shared,
  kind: z.literal("tool"),
  agent: z.string(),
  session: z.string(),
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
});

/** A question of a workflow. */
const workflowApproval = z.object({
  ...shared,
  kind: z.literal("workflow"),
  workflowName: z.string(),
  token: z.string(),
  fallback: z.enum(["approve", "reject"]).describe("What holds when nobody decides in time."),
  expiresAt: z.string().nullable().describe("null: it waits for as long as it takes."),
  decision: z.looseObject({ status: z.enum(["approved", "rejected"]) }).nullable(),
  decidedBy: z.enum(["inbox", "hook", "timeout"]).nullable(),
});

/** Something that waits for a person, or waited. */
export const approvalSchema = z.discriminatedUnion("kind", [toolApproval, workflowApproval]);

/** An approval with what led to it. */
export const approvalDetail = z.discriminatedUnion("kind", [
  toolApproval.extend({
    history: z
      .array(z.looseObject({ role: z.string(), id: z.string() }))
      .describe("The newest messages of its session."),
  }),
  workflowApproval.extend({ run: z.looseObject({ runId: z.string() }).nullable().describe("Its run.") }),
]);
