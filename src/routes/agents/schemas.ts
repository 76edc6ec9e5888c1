import * as z from "zod";

/** An agent as a list shows it. */
export const agentRow = z.object({
  name: z.string(),
  description: z.string(),
  model: z.string().nullable().describe("`provider/model`; null: the one the deployment configures."),
  tools: z.array(z.string()),
  subagents: z.array(z.string()),
});

/** An agent with all it can do. */
export const agentDetail = agentRow.omit({ tools: true, subagents: true }).extend({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      parameters: z.looseObject({}).describe("JSON Schema of the arguments."),
      gated: z.boolean().describe("A person may be asked before it runs."),
    }),
  ),
  subagents: z.array(z.object({ name: z.string(), description: z.string(), tools: z.array(z.string()) })),
  editableState: z.record(z.string(), z.looseObject({})).describe("What a client may write, by key."),
  maxSteps: z.int(),
});
