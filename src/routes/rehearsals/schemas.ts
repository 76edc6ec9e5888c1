import * as z from "zod";

const status = z.enum(["running", "finished", "cancelled"]);

/** A rehearsal in a list. */
export const rehearsalRowSchema = z.object({
  runId: z.string(),
  domain: z.string(),
  agent: z.object({ kind: z.enum(["http", "module", "agent", "builtin"]), name: z.string() }),
  status,
  planned: z.int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});

/** Where a rehearsal stands. */
export const rehearsalStatusSchema = z.object({
  runId: z.string(),
  status,
  planned: z.int(),
  finished: z.int().describe("Trials that have ended, in whatever way."),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  summary: z.looseObject({}).describe("As in results.json."),
  gates: z.array(z.looseObject({ name: z.string(), held: z.boolean() })).describe("As in results.json."),
});
