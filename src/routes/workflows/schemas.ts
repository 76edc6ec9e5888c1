import * as z from "zod";

export const trigger = z.enum(["manual", "schedule", "webhook", "workflow", "agent"]);

export const runStatus = z.enum(["waiting", "running", "done", "failed", "interrupted"]);

/** Why a run, or a step, failed. */
export const runFailure = z.object({ code: z.string(), message: z.string(), step: z.string().optional() });

/** A run as it is called outside. */
export const runHandle = z.object({
  workflowName: z.string(),
  runId: z.string(),
  worldRunId: z.string().describe("The engine's name of the run: the same."),
  trigger,
});

/** A run that has not begun, since its workflow goes one run at a time. */
export const queuedHandle = runHandle.extend({
  status: z.literal("queued"),
  position: z.int().describe("1 is next."),
});
